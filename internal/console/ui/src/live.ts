// What of the mock changes: exchanges, by server-sent events, and everything else, which is asked for again after exchanges
// and now and then.
import { effect, signal, untracked, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api, call, controlURL, reason, token, tokenMissing, type Exchange } from './api'
import { events, pause } from './events'

// Row is what the list shows of an exchange. Its text is kept as long as there is room.
export interface Row {
  number: number; time: string; micros: number; delay: number; session: string; operation: string
  method: string; target: string; status: number; fault: string; severity: '' | 'error' | 'warning'
  codes: string[]; notes: number; scenario: string; why: string; writes: NonNullable<Exchange['writes']>; size: number; text: string
}

const mostRows = 10_000
const mostText = 24 << 20 // characters
const eachSecond = 200 // exchanges: each costs the mock about as much as a request

export const rows: Row[] = [] // oldest first
export const version = signal(0) // of rows: how many came
export const epoch = signal(0) // counts what is not an addition at the end
export const lost = signal(0)
export const connected = signal<'' | 'live' | 'off' | 'none'>('') // none: the mock keeps no journal

let kept = 0, oldestText = 0
export function clearRows() {
  rows.length = kept = oldestText = 0
  lost.value = 0
  epoch.value++
}

export function rowOf(x: Exchange, text: string): Row {
  return {
    number: x.number, time: x.time, micros: x.microseconds, delay: x.delay ?? 0, session: x.session ?? '', operation: x.operation ?? '',
    method: x.request.method ?? '', target: (x.request.path ?? '') + (x.request.query ? '?' + x.request.query : ''),
    status: x.response.status ?? 0, fault: x.fault ?? '', notes: x.notes?.length ?? 0, size: x.response.size,
    severity: x.findings.some(f => f.severity === 'error') ? 'error' : x.findings.length ? 'warning' : '',
    codes: [...new Set(x.findings.map(f => f.code))], scenario: x.rule?.scenario ?? '', why: [x.why?.source, x.why?.collection].filter(Boolean).join(' '), writes: x.writes ?? [], text,
  }
}

function add(texts: string[]) {
  for (const text of texts) {
    const row = rowOf(JSON.parse(text), text), last = rows.at(-1)
    if (last && row.number <= last.number) clearRows() // another mock, which counts from 1
    rows.push(row)
    kept += text.length
  }
  while (kept > mostText && oldestText < rows.length - 1) {
    kept -= rows[oldestText].text.length
    rows[oldestText++].text = ''
  }
  if (rows.length > mostRows * 1.1) {
    const gone = rows.splice(0, rows.length - mostRows)
    kept -= gone.reduce((sum, row) => sum + row.text.length, 0)
    oldestText = Math.max(0, oldestText - gone.length)
    epoch.value++
  }
  version.value++
}

// exchange returns the whole of a row.
export async function exchange(number: number): Promise<Exchange | null> {
  const row = rows.find(row => row.number === number)
  if (row?.text) return JSON.parse(row.text)
  const { data } = await api.GET('/__coldframe/requests/{number}', { params: { path: { number } } })
  return (data as Exchange) ?? null
}

// follow reads the events and connects again when they end.
export async function follow() {
  for (;;) {
    try {
      const response = await call(`${controlURL}events?most=${eachSecond}`, { headers: { 'Last-Event-ID': String(rows.at(-1)?.number ?? 0) } })
      if (response.ok && response.body) {
        connected.value = 'live'
        for await (const some of events(response.body)) {
          for (const event of some) if (event.name === 'lost') lost.value += JSON.parse(event.data).lost
          const texts = some.filter(event => event.name !== 'lost').map(event => event.data)
          if (texts.length > 0) { add(texts); changed() }
        }
      } else if (response.status === 404) {
        connected.value = 'none'
        return
      }
    } catch { /* the mock ended */ }
    connected.value = 'off'
    do await pause(1000); while (tokenMissing.value && !token.value)
  }
}

// tick and slowTick count the times to ask again for what is shown.
export const tick = signal(0), slowTick = signal(0)
let soon = 0
function changed() {
  if (soon) return
  soon = window.setTimeout(() => { soon = 0; if (!document.hidden) tick.value++ }, 250)
}
// refresh is for what was changed here.
export function refresh() {
  tick.value++
  slowTick.value++
}
setInterval(() => { if (!document.hidden) tick.value++ }, 2000)
setInterval(() => { if (!document.hidden) slowTick.value++ }, 6000)

// useLive asks again whenever something may have changed, or a signal or one of inputs that ask reads did. An equal answer
// changes nothing on the page. slow is for what costs the mock much.
export function useLive<T>(ask: () => Promise<T>, { inputs = [] as unknown[], slow = false } = {}) {
  const value = useSignal<T | undefined>(undefined), failure = useSignal('')
  useEffect(() => {
    const retry = signal(0)
    let last = '', running = false, missed = false, ended = false
    const stop = effect(() => {
      (slow ? slowTick : tick).value; token.value; retry.value
      if (running) { missed = true; return }
      running = true
      const asked = ask() // which reads signals before it waits
      untracked(() => asked.then(
        answer => {
          const text = JSON.stringify(answer)
          if (ended) return
          failure.value = ''
          if (text !== last) { last = text; value.value = answer }
        },
        error => { if (!ended) failure.value = reason(error) },
      ).finally(() => {
        running = false
        if (missed && !ended) { missed = false; retry.value++ }
      }))
    })
    return () => { ended = true; stop() }
  }, inputs)
  return { value: value.value, failure: failure.value }
}
