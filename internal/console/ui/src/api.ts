// The control API: its client, the token, the chosen session, and what failed.
import createClient from 'openapi-fetch'
import { signal } from '@preact/signals'
import type { components, paths } from './control'
import { param } from './url'

export type Finding = components['schemas']['Finding']
export type Scenario = components['schemas']['Scenario']
export type Message = components['schemas']['Message']
export type Coverage = components['schemas']['Coverage']
export type Problem = components['schemas']['Problem']
export type Exchange = components['schemas']['Exchange'] & { merged?: string; replayed?: string }

// The page is at PREFIX/__coldframe/; the mock is at PREFIX/, or at another origin.
const prefix = location.pathname.slice(0, location.pathname.lastIndexOf('/__coldframe/'))
export const mock = document.querySelector<HTMLMetaElement>('meta[name=mock]')!.content || location.origin + prefix
export const controlURL = `${location.origin}${prefix}/__coldframe/`

const stored = 'coldframe-token'
const given = /^#token=(.*)$/.exec(location.hash)
if (given) {
  sessionStorage.setItem(stored, decodeURIComponent(given[1]))
  history.replaceState(null, '', '#/')
}
export const token = signal(sessionStorage.getItem(stored) ?? '')
export const tokenMissing = signal(false)
export function setToken(value: string) {
  sessionStorage.setItem(stored, value)
  token.value = value
  tokenMissing.value = false
}

// slow counts the requests that have waited for half a second.
export const slow = signal(0)

// call sends a request with the token. It is fetch otherwise.
export async function call(input: Request | string, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  if (token.value) request.headers.set('Authorization', 'Bearer ' + token.value)
  let isSlow = false
  const timer = setTimeout(() => { isSlow = true; slow.value++ }, 500)
  try {
    const response = await fetch(request)
    if (response.status === 401) tokenMissing.value = true
    return response
  } finally {
    clearTimeout(timer)
    if (isSlow) slow.value--
  }
}

export const api = createClient<paths>({ baseUrl: location.origin + prefix, fetch: call as typeof fetch })

// session is the chosen session: null for all, '' for the one of requests that name none.
export const session = param('session')
export const sessionName = () => session.value || 'default'
// ofSession is the query for one session's part, or for all.
export const ofSession = (): { session?: string } => (session.value === null ? {} : { session: session.value })
// sessionField names a session explicitly, since the browser may send the cookie of another one.
export const sessionField = (name = sessionName()): Record<string, string> => ({ 'Coldframe-Session': name })

// allows is what the options of the mock let a page do.
export const allows = signal({ change: true, save: false })

export class Refused extends Error {
  constructor(readonly status: number, readonly problem: Partial<Problem>) {
    super(problem.detail ?? `the mock answered ${status}`)
  }
}

type Answer = { data?: unknown; error?: unknown; response: Response }
// done returns the body of a successful response, and throws Refused otherwise.
export async function done<A extends Answer>(asked: Promise<A>): Promise<NonNullable<A['data']>> {
  const { data, error, response } = await asked
  if (!response.ok) throw new Refused(response.status, (error ?? {}) as Partial<Problem>)
  return data as NonNullable<A['data']>
}

// text returns the text of a resource of the control API.
export async function text(path: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await call(controlURL + path, { headers })
  if (!response.ok) throw new Refused(response.status, await response.json().catch(() => ({})))
  return response.text()
}

// A toast says what happened, with something to do about it.
export interface Toast { id: number; text: string; bad: boolean; actions: [string, () => void][] }
export const toasts = signal<Toast[]>([])
let toastCount = 0
export function say(text: string, actions: Toast['actions'] = [], bad = false) {
  const id = ++toastCount
  toasts.value = [...toasts.value.slice(-2), { id, text, actions, bad }]
  setTimeout(() => hush(id), bad || actions.length ? 12_000 : 4_000)
}
export const hush = (id: number) => { toasts.value = toasts.value.filter(toast => toast.id !== id) }

// doing runs something and says what failed.
export async function doing<T>(what: () => Promise<T>, says?: string): Promise<T | undefined> {
  try {
    const result = await what()
    if (says) say(says)
    return result
  } catch (error) {
    say(reason(error), [], true)
  }
}
export const reason = (error: unknown) => {
  const errors = error instanceof Refused ? error.problem.errors ?? [] : []
  return [(error as Error).message, ...errors.slice(0, 5).map(e => e.detail).filter(detail => !(error as Error).message.includes(detail))].join('\n')
}
