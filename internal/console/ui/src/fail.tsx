// "Fail this": rules for one operation, put as a scenario.
import { signal } from '@preact/signals'
import { api, controlURL, done, doing, say, session, call, Refused, type Problem } from './api'
import { types, useOperation, type Operation, type Schema } from './operation'
import { refresh } from './live'
import { rules, type Rule } from './snippets'
import { Change, Menu, copy } from './ui'
import { go } from './url'

// How often a failure happens, and for whom. The menu remembers it.
const times = signal(1) // 0 until it is switched off
const everybody = signal(false)

export const nameOf = (operation: string) => 'fail-' + operation.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 150)

// put adds or replaces a scenario, of one session or for all.
export async function putScenario(name: string, text: string, of: { session?: string }) {
  const query = of.session === undefined ? '' : '?session=' + encodeURIComponent(of.session)
  const response = await call(`${controlURL}scenarios/${encodeURIComponent(name)}${query}`, { method: 'PUT', body: text, headers: { 'Content-Type': 'application/yaml' } })
  if (!response.ok) throw new Refused(response.status, await response.json().catch(() => ({})) as Partial<Problem>)
  refresh()
}

const removeScenario = async (name: string, of: { session?: string }) => {
  await done(api.DELETE('/__coldframe/scenarios/{name}', { params: { path: { name }, query: of } }))
  refresh()
}

const short: Record<number, string> = {
  400: 'Bad request', 401: 'Not logged in', 402: 'Payment required', 403: 'Forbidden', 404: 'Not found', 409: 'Conflict', 410: 'Gone', 422: 'Invalid',
  429: 'Too many requests', 500: 'Server error', 502: 'Bad gateway', 503: 'Unavailable', 504: 'Gateway timeout',
}

// A status that the document does not have violates it, but for 429 and 5xx, which any API may answer.
export const respond = (o: Operation | undefined, status: number, body?: unknown): Rule => {
  const documented = o?.statuses.some(s => s === String(status) || s.toUpperCase() === Math.floor(status / 100) + 'XX')
  return { on: '', respond: { status, ...(body !== undefined && { body }) }, ...(!documented && status !== 429 && status < 500 && { violates: true }) }
}

// emptyOf makes the response empty: no elements in its lists, else no body.
function emptyOf(o: Operation | undefined): Rule {
  const ok = o?.responses.find(r => /^2/.test(r.status)), media = Object.entries(ok?.mediaTypes ?? {}).find(([name]) => /json/.test(name))?.[1]
  const isList = (schema: unknown) => types(schema).includes('array')
  if (isList(media?.schema)) return { on: '', respond: { body: [] } }
  const properties = (schema: Schema | undefined): [string, Schema][] => [...Object.entries(schema?.properties ?? {}), ...(schema?.allOf ?? []).flatMap(properties)]
  const lists = properties(media?.schema as Schema | undefined).filter(([, s]) => isList(s)).map(([name]) => [name, []])
  return lists.length > 0 ? { on: '', respond: { patch: Object.fromEntries(lists) } } : { on: '', respond: { body: '' }, violates: true }
}

export function FailMenu({ operation, of, label = 'Fail this', class: className }: { operation: string; of?: string | null; label?: string; class?: string }) {
  return <Change><Menu label={label} title={`Make ${operation} fail`} class={className} right>{close => <FailPanel operation={operation} of={of} close={close} />}</Menu></Change>
}

function FailPanel({ operation, of, close }: { operation: string; of?: string | null; close: () => void }) {
  const o = useOperation(operation), chosen = of ?? session.value
  const target = everybody.value || chosen === null ? {} : { session: chosen }
  const apply = (what: string, rule: Rule) => doing(async () => {
    close()
    const name = nameOf(operation), whole: Rule = { ...rule, on: operation, ...(times.value > 0 && !rule.limit && { times: times.value }) }
    const text = rules([whole], `${operation}: ${what}`)
    await putScenario(name, text, target)
    const often = rule.limit || times.value === 0 ? 'from now on' : times.value === 1 ? 'the next time' : `the next ${times.value} times`
    say(`${operation}: ${what}, ${often}${target.session === undefined ? '' : `, in session ${target.session || 'default'}`}`, [
      ['Undo', () => void doing(() => removeScenario(name, target), 'It works again')],
      ['Copy', () => void copy(text, 'the scenario')],
      ['Show', () => go('scenarios', { s: name, session: target.session })],
    ])
  })
  const documented = (o?.statuses ?? []).filter(s => /^[45]\d\d$/.test(s)).map(Number)
  const statuses = [...new Set([...documented, 500, 503, 404])].slice(0, 9)
  return (
    <div class="fail">
      <p class="title"><code>{operation}</code></p>
      <div class="segments" role="group" aria-label="How often">
        {([[1, 'once'], [3, '3 times'], [0, 'until off']] as const).map(([n, word]) => <button aria-pressed={times.value === n} onClick={() => { times.value = n }}>{word}</button>)}
      </div>
      {chosen !== null && <div class="segments" role="group" aria-label="For whom">
        <button aria-pressed={!everybody.value} onClick={() => { everybody.value = false }}>session {chosen || 'default'}</button>
        <button aria-pressed={everybody.value} onClick={() => { everybody.value = true }}>all sessions</button>
      </div>}
      <h3>Status, in the API's own error body</h3>
      <div class="choices">
        {statuses.map(status => <button onClick={() => apply(String(status), respond(o, status))}><span class={'status s' + Math.floor(status / 100)}>{status}</span> {short[status] ?? ''}</button>)}
        <form class="inline" onSubmit={event => { event.preventDefault(); const status = Number(new FormData(event.currentTarget).get('status')); apply(String(status), respond(o, status)) }}>
          <input name="status" type="number" min={200} max={599} required placeholder="other" aria-label="Another status" /><button aria-label="Answer with that status">↵</button>
        </form>
      </div>
      <h3>Network</h3>
      <div class="choices">
        <button onClick={() => apply('2 s late', { on: '', delay: '2s' })}>2 s late</button>
        <button onClick={() => apply('10 s late', { on: '', delay: '10s' })}>10 s late</button>
        <button onClick={() => apply('the connection breaks', { on: '', fault: 'reset' })}>connection broken</button>
        <button onClick={() => apply('no answer', { on: '', fault: 'hang' })}>no answer</button>
        <button onClick={() => apply('a slow stream', { on: '', bandwidth: '1KiB' })}>slow stream</button>
        <button onClick={() => apply('cut off', { on: '', fault: 'truncate' })}>cut off</button>
      </div>
      <h3>Content and limits</h3>
      <div class="choices">
        <button onClick={() => apply('empty', emptyOf(o))}>empty</button>
        <button onClick={() => apply('malformed', { on: '', fault: 'malformed' })}>malformed</button>
        <button onClick={() => apply('5 requests a minute', { on: '', limit: { requests: 5, per: '1m' } })}>rate limit 5/min</button>
        <button onClick={() => apply('paywall', respond(o, 402))}>paywall 402</button>
        <button onClick={() => apply('paywall after 3 requests', { ...respond(o, 402), limit: { requests: 3, per: '24h' } })}>paywall after 3</button>
      </div>
    </div>
  )
}
