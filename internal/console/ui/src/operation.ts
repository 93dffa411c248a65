// Operations of the document.
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api, done } from './api'
import type { components } from './control'

export type Listed = components['schemas']['Operation']
export type Operation = components['schemas']['OperationDetails']
export type Schema = { type?: string | string[]; enum?: unknown[]; properties?: Record<string, Schema>; items?: Schema; allOf?: Schema[] }

// types are the types that a schema names, in its allOf as well.
export const types = (schema: unknown): string[] => {
  const s = (typeof schema === 'object' ? schema : undefined) as Schema | undefined
  return [...[s?.type ?? []].flat(), ...(s?.allOf ?? []).flatMap(types)]
}

const all = signal<Record<string, Operation>>({})
export const forgetOperations = () => { all.value = {} }

// useOperation returns an operation once it is known.
export function useOperation(name: string | null): Operation | undefined {
  const known = name ? all.value[name] : undefined
  useEffect(() => {
    if (!name || known) return
    done(api.GET('/__coldframe/operations/{operation}', { params: { path: { operation: name } } }))
      .then(found => { all.value = { ...all.value, [name]: found } }, () => {})
  }, [name, known])
  return known
}
