// Traffic: the exchanges as they happen, and one of them in detail.
import { computed, signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { api, doing, done, reason, session, type Exchange, type Finding, type Message } from './api'
import { Body } from './body'
import { FailMenu } from './fail'
import { clearRows, connected, epoch, exchange, lost, rows, version, type Row } from './live'
import { har, snippets } from './snippets'
import { bytes, Cell, Change, copy, download, Findings, List, Menu, plural, Status, took, Empty } from './ui'
import { go, link, param, set } from './url'

const status = param('status'), operation = param('operation'), finding = param('finding'), text = param('text'), number = param('n')
const pausedAt = signal<number | null>(null)

const filter = computed(() => {
  const s = status.value?.toUpperCase(), o = operation.value, f = finding.value, of = session.value === 'default' ? '' : session.value
  const words = (text.value ?? '').trim()
  const pattern = words && new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i')
  return (r: Row) => (of === null || r.session === of) && (!s || (s.endsWith('XX') ? String(r.status)[0] === s[0] : String(r.status).startsWith(s)))
    && (!o || r.operation === o) && (!f || (f === 'any' ? r.codes.length > 0 : f === 'notes' ? r.notes > 0 : r.codes.includes(f)))
    && (!pattern || pattern.test(r.text || `${r.method} ${r.target}`))
})

// shown is what passes the filter, newest first. New rows are added without looking at the others again.
let last: { filter: unknown; epoch: number; read: number; found: Row[] } = { filter: null, epoch: -1, read: 0, found: [] }
const shown = computed(() => {
  version.value
  if (last.filter !== filter.value || last.epoch !== epoch.value) last = { filter: filter.value, epoch: epoch.value, read: 0, found: [] }
  const end = pausedAt.value === null ? rows.length : rows.findLastIndex(r => r.number <= pausedAt.value!) + 1
  if (end < last.read) last = { ...last, read: 0, found: [] }
  const fresh = rows.slice(last.read, end).filter(filter.value).reverse()
  last = { ...last, read: end, found: fresh.length ? [...fresh, ...last.found] : last.found }
  return last.found
})
const seen = computed(() => {
  version.value; epoch.value
  const operations = new Set<string>(), codes = new Set<string>()
  for (const r of rows) { if (r.operation) operations.add(r.operation); r.codes.forEach(code => codes.add(code)) }
  return { operations: [...operations].sort(), codes: [...codes].sort() }
})

const time = (at: string) => { const d = new Date(at); return d.toLocaleTimeString('en-GB') + '.' + String(d.getMilliseconds()).padStart(3, '0') }

export function Traffic() {
  const list = shown.value, n = number.value === null ? null : Number(number.value)
  const waiting = pausedAt.value === null ? 0 : rows.length - rows.findLastIndex(r => r.number <= pausedAt.value!) - 1
  version.value
  const isFiltered = status.value || operation.value || finding.value || text.value || session.value !== null
  const save = () => doing(async () => download('coldframe.har', JSON.stringify(har(await Promise.all(list.map(r => exchange(r.number)).reverse())))))
  const clear = () => doing(async () => {
    await done(api.DELETE('/__coldframe/requests', { params: { query: session.value === null ? {} : { session: session.value } } }))
    if (session.value === null) clearRows()
    else {
      const of = session.value === 'default' ? '' : session.value, kept = rows.filter(r => r.session !== of)
      rows.splice(0, rows.length, ...kept)
      epoch.value++
    }
    set({ n: null })
  })
  return (
    <div class={'traffic' + (n !== null ? ' split' : '')}>
      <section class="main" aria-label="Exchanges">
        <div class="bar filters" role="search">
          <input id="search" type="search" class="grow" placeholder="Search requests and bodies" aria-label="Search requests and bodies (/)" value={text.value ?? ''} onInput={e => set({ text: e.currentTarget.value || null })} />
          <input class="narrow" list="statuses" placeholder="Status" aria-label="Status, such as 404 or 4XX" value={status.value ?? ''} onInput={e => set({ status: e.currentTarget.value || null })} />
          <datalist id="statuses"><option value="2XX" /><option value="3XX" /><option value="4XX" /><option value="5XX" /></datalist>
          <select aria-label="Operation" value={operation.value ?? ''} onChange={e => set({ operation: e.currentTarget.value || null })}>
            <option value="">All operations</option>
            {[...new Set([...seen.value.operations, ...(operation.value ? [operation.value] : [])])].map(name => <option value={name}>{name}</option>)}
          </select>
          <select aria-label="Finding" value={finding.value ?? ''} onChange={e => set({ finding: e.currentTarget.value || null })}>
            <option value="">With or without findings</option><option value="any">With findings</option><option value="notes">With parts not simulated</option>
            {[...new Set([...seen.value.codes, ...(finding.value && !/^(any|notes)$/.test(finding.value) ? [finding.value] : [])])].map(code => <option value={code}>{code}</option>)}
          </select>
          {isFiltered && <button class="quiet" onClick={() => set({ status: null, operation: null, finding: null, text: null, session: null })}>Reset filters</button>}
        </div>
        <div class="bar">
          <button data-pause aria-pressed={pausedAt.value !== null} onClick={() => { pausedAt.value = pausedAt.value === null ? rows.at(-1)?.number ?? 0 : null }}>{pausedAt.value === null ? 'Pause' : `Resume${waiting ? ` (${waiting} new)` : ''}`}</button>
          <Change><button onClick={clear}>Clear</button></Change>
          <button onClick={save}>Export HAR</button>
          <span class="grow" />
          <span class="hint" role="status">{list.length === rows.length ? plural(list.length, 'exchange') : `${list.length} of ${plural(rows.length, 'exchange')}`}{lost.value > 0 && `, ${lost.value} not shown`}</span>
        </div>
        <List class="exchanges" label="Exchanges, newest first" items={list} keyOf={r => r.number} chosen={n} height={28} columns={['Time', 'Method', 'Target', 'Status', 'Took', 'Why']}
          onChoose={r => set({ n: String(r.number) })} onOpen={() => document.querySelector<HTMLElement>('.detail')?.focus()}
          empty={connected.value === 'none' ? 'The mock keeps no journal (--journal off).' : isFiltered && rows.length > 0 ? 'No exchange matches the filters.' : <NoTraffic />}
          row={r => <>
            <Cell class="time">{time(r.time)}</Cell>
            <Cell class={'method m-' + r.method}>{r.method}</Cell>
            <Cell class="target" title={r.target}>{r.target}{r.severity && <span class={'dot ' + r.severity} title={r.codes.join(', ')} aria-label={r.severity + ': ' + r.codes.join(', ')} role="img" />}</Cell>
            <Cell><Status code={r.status} fault={r.fault} /></Cell>
            <Cell class="number">{took(r.micros)}{r.delay > 0 && <span class="delay"> +{took(r.delay * 1000)}</span>}</Cell>
            <Cell class="why">{r.scenario ? <span class="tag">{r.scenario}</span> : <span>{r.severity === 'error' ? r.codes[0] : r.why}</span>}{r.session && session.value === null && <span class="tag">{r.session}</span>}</Cell>
          </>} />
      </section>
      {n !== null && <Detail n={n} key={n} />}
    </div>
  )
}

const NoTraffic = () => <>Nothing yet. Send a request to the mock, or <a href={link('operations')}>try an operation</a>.</>

// what says what made the response.
const sources: Record<string, string> = {
  state: 'The items of the session', example: 'An example of the document', generated: 'Generated from the schema', scenario: 'A scenario', upstream: 'The upstream',
  recording: 'A recording', refused: 'Refused', control: 'The mock itself',
}
function Because({ x }: { x: Exchange }) {
  const { why, writes = [] } = x
  if (!why) return null
  const to = (c?: string, k?: string) => link('state', { c, k, session: x.session ?? '', n: null })
  return (
    <p class={'because' + (why.source === 'refused' ? ' bad' : '')}>
      <b>{sources[why.source]}</b> {why.text}
      {x.rule && <> <a href={link('scenarios', { s: x.rule.scenario, session: x.session ?? '' })}>Show the scenario</a></>}
      {why.collection && writes.length === 0 && <> <a href={to(why.collection, why.key)}>{why.collection}{why.key !== undefined && ' ' + why.key}</a></>}
      {writes.map(w => <><br />{w.did} {w.did === 'deleted' ? <code>{w.collection} {w.key}</code> : <a href={to(w.collection, w.key)}>{w.collection} {w.key}</a>}</>)}
    </p>
  )
}

const inBody = (x: Exchange, part: string): Finding[] => x.findings.filter(f => f.in === part)

function Detail({ n }: { n: number }) {
  const found = useSignal<Exchange | null | undefined>(undefined), failure = useSignal(''), ref = useRef<HTMLElement>(null)
  useEffect(() => { exchange(n).then(x => { found.value = x }, error => { failure.value = reason(error) }) }, [n])
  const x = found.value
  const close = () => { set({ n: null }); document.querySelector<HTMLElement>('.exchanges')?.focus() }
  const notes = x?.notes ?? []
  return (
    <section class="detail" aria-label={`Exchange ${n}`} tabIndex={-1} ref={ref} onKeyDown={e => { if (e.key === 'Escape') close() }}>
      <header class="bar">
        {x && <h2><span class={'method m-' + x.request.method}>{x.request.method}</span> <Status code={x.response.status ?? 0} fault={x.fault} /></h2>}
        <span class="grow" />
        {x?.operation && <FailMenu operation={x.operation} of={x.session ?? ''} class="accent" />}
        {x && <Menu label="Copy" title="Copy as" right>{shut => <div class="stack">{snippets.map(([name, make]) => <button onClick={() => { shut(); void copy(make(x), name) }}>{name}</button>)}</div>}</Menu>}
        {x?.operation && <button onClick={() => go('operations', { o: x.operation, from: String(n) })}>Try again</button>}
        <button class="quiet" aria-label="Close the detail" onClick={close}>✕</button>
      </header>
      <div class="scroll">
        {failure.value && <Empty>{failure.value}</Empty>}
        {x === null && <Empty>The journal does not have exchange {n} any more.</Empty>}
        {x && <>
          <p class="target"><code>{x.request.path}{x.request.query && <span class="query">?{x.request.query}</span>}</code></p>
          <Because x={x} />
          {x.findings.length > 0 && <><h3>{plural(x.findings.length, 'finding')}</h3><Findings findings={x.findings} /></>}
          {notes.length > 0 && <><h3>Not simulated</h3>
            <ul class="findings">{notes.map(note => <li class="note"><p>{note.name && <code>{note.in}.{note.name}</code>} {note.message}</p>
              {note.setting && <pre class="source" tabIndex={0} aria-label="The line of coldframe.yaml that binds it">{note.setting}</pre>}</li>)}</ul></>}
          <Timing x={x} />
          <MessageView title="Request" message={x.request} findings={inBody(x, 'body')} />
          <MessageView title="Response" message={x.response} findings={inBody(x, 'response.body')} />
        </>}
      </div>
    </section>
  )
}

function Timing({ x }: { x: Exchange }) {
  const own = x.microseconds, delay = (x.delay ?? 0) * 1000, facts: [string, string | undefined][] = [
    ['Operation', x.operation], ['Session', x.session ?? 'default'], ['Consumer', x.consumer], ['Time', new Date(x.time).toLocaleString('en-GB')],
    ['Took', `${took(own)}${delay ? ` and ${took(delay)} of delay` : ''}`], ['Scenario', x.rule && `${x.rule.scenario}, rule ${x.rule.number}`],
    ['Fault', x.fault], ['Mocked', x.mocked], ['Merged', x.merged], ['Replayed', x.replayed],
  ]
  return <dl class="facts">{facts.filter(([, value]) => value).map(([name, value]) => <div><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
}

function MessageView({ title, message, findings }: { title: string; message: Message; findings: Finding[] }) {
  const fields = Object.entries(message.headers)
  return (
    <section aria-label={title}>
      <h3>{title} <span class="hint">{message.size > 0 ? bytes(message.size) : 'no body'}{message.headers['content-type'] && ', ' + message.headers['content-type']}</span></h3>
      {fields.length > 0 && <details><summary>{plural(fields.length, 'header')}</summary>
        <table class="headers"><tbody>{fields.map(([name, value]) => <tr><th scope="row">{name}</th><td>{value}</td></tr>)}</tbody></table></details>}
      <Body message={message} findings={findings} label={title + ' body'} />
    </section>
  )
}
