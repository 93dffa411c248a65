// Items of a session, by collection.
import { api, done, Refused, session, sessionName } from './api'
import type { components } from './control'
import { refresh } from './live'
import type { Schema } from './operation'

export type Item = components['schemas']['Item']
export interface Collection { collection?: string; template?: string; count: number; schema?: unknown }

const here = () => ({ session: session.value ?? '' })

export async function getCollections(): Promise<Collection[]> {
  const answer = await done(api.GET('/__coldframe/items', { params: { query: here() } }))
  return 'collections' in answer ? answer.collections : []
}

export const pageSize = 1000
export async function getItems(collection: string, offset: number) {
  const answer = await done(api.GET('/__coldframe/items', { params: { query: { ...here(), collection, offset, limit: pageSize } } }))
  return 'items' in answer ? answer : undefined
}

// Wrong is what is wrong with an item, and where in it.
export interface Wrong { detail: string; pointer?: string }

// send adds an item (key is undefined) or replaces one, or only validates it. It returns what is wrong with it.
export async function send(collection: string, key: string | undefined, value: unknown, only = false): Promise<Wrong[]> {
  const query = { ...here(), collection, ...(only && { validate: 'only' as const }) }, body = value as Record<string, never>
  try {
    await done<{ data?: unknown; error?: unknown; response: Response }>(key === undefined
      ? api.POST('/__coldframe/items', { params: { query }, body })
      : api.PUT('/__coldframe/items', { params: { query: { ...query, key } }, body }))
  } catch (error) {
    if (error instanceof Refused && error.status === 422) return error.problem.errors?.map(e => ({ detail: e.detail.replace(/^body\./, ''), pointer: e.pointer?.replace(/^#/, '') })) ?? [{ detail: error.message }]
    throw error
  }
  if (!only) refresh()
  return []
}

export async function remove(collection: string, key: string) {
  await done(api.DELETE('/__coldframe/items', { params: { query: { ...here(), collection, key } } }))
  refresh()
}

export const exportName = () => `${sessionName()}.json`

// sketch returns a value with the required properties of a schema, to be filled.
export function sketch(schema: unknown, depth = 0): unknown {
  const s = (typeof schema === 'object' && schema !== null ? schema : {}) as Schema & { required?: string[]; const?: unknown; default?: unknown; example?: unknown; examples?: unknown[] }
  for (const given of [s.const, s.example, s.examples?.[0], s.default, s.enum?.[0]]) if (given !== undefined) return given
  const parts = [s, ...(s.allOf ?? [])] as (typeof s)[], type = parts.flatMap(part => part.type ?? [])[0]
  if (parts.some(part => part.properties) || type === 'object') {
    const properties = Object.assign({}, ...parts.map(part => part.properties)) as Record<string, Schema>, required = new Set(parts.flatMap(part => part.required ?? []))
    return Object.fromEntries(Object.entries(properties).filter(([name]) => required.has(name) && depth < 4).map(([name, property]) => [name, sketch(property, depth + 1)]))
  }
  return type === 'array' ? [] : type === 'integer' || type === 'number' ? 0 : type === 'boolean' ? false : type === 'null' ? null : ''
}
