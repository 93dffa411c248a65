// Operations of the document.
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { text } from './api'

export interface Listed {
  operation: string; method: string; path: string; summary?: string; tags?: string[]; deprecated?: boolean; statuses: string[]
  place?: { file?: string; line?: number; column?: number; pointer?: string }; resource?: { collection?: string; does?: string; reason?: string }
}
export interface Parameter { in: string; name: string; required?: boolean; description?: string; schema?: Schema; example?: unknown }
export interface Media { schema?: Schema; example?: unknown }
export type Schema = { type?: string | string[]; enum?: unknown[]; properties?: Record<string, Schema>; items?: Schema; description?: string; format?: string }
export interface Operation extends Listed {
  description?: string; parameters?: Parameter[]; body?: { required?: boolean; mediaTypes: Record<string, Media> }
  responses?: { status: string; description?: string; mediaTypes?: Record<string, Media>; examples?: string[] }[]
  security?: { scheme: string; type: string; in?: string; name?: string; scopes?: string[] }[][]
  sample?: { method: string; target: string; headers?: Record<string, string>; body?: unknown }
}

const all = signal<Record<string, Operation>>({})
export const forgetOperations = () => { all.value = {} }

// useOperation returns an operation once it is known. A mock that cannot describe it leaves it undefined.
export function useOperation(name: string | null): Operation | undefined {
  const known = name ? all.value[name] : undefined
  useEffect(() => {
    if (!name || known) return
    text('operations/' + encodeURIComponent(name)).then(found => { all.value = { ...all.value, [name]: JSON.parse(found) } }, () => {})
  }, [name, known])
  return known
}
