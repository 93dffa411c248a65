// The view and its filters, which live in the fragment of the URL: #/traffic?status=4XX.
import { computed, signal, type ReadonlySignal } from '@preact/signals'

const read = () => {
  const [path, query] = location.hash.replace(/^#\/?/, '').split(/\?(.*)/s)
  return { view: path || 'traffic', query: new URLSearchParams(query ?? '') }
}
const at = signal(read())
addEventListener('hashchange', () => { at.value = read() })

export const view = computed(() => at.value.view)

// param is a parameter of the view, null if it is absent.
export const param = (name: string): ReadonlySignal<string | null> => computed(() => at.value.query.get(name))

type Params = Record<string, string | null | undefined>
const write = (view: string, query: URLSearchParams) => {
  const text = query.toString()
  return `#/${view}${text && '?' + text}`
}
// link is the URL of a view. The session stays.
export function link(view: string, params: Params = {}): string {
  const query = new URLSearchParams(), session = at.value.query.get('session')
  if (session !== null) query.set('session', session)
  for (const [name, value] of Object.entries(params)) if (value != null) query.set(name, value); else query.delete(name)
  return write(view, query)
}
export const go = (view: string, params: Params = {}) => { location.hash = link(view, params) }
// set changes parameters of the view that is shown; null removes one.
export function set(params: Params) {
  const query = new URLSearchParams(at.value.query)
  for (const [name, value] of Object.entries(params)) if (value != null) query.set(name, value); else query.delete(name)
  history.replaceState(null, '', write(at.value.view, query))
  at.value = read()
}
