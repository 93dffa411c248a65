// The page of `coldframe test --ui`: a contract test as it runs, and its report.
import { render } from 'preact'
import { computed, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { call, controlURL, token, tokenMissing, type Message } from './api'
import { Body } from './body'
import { events, pause } from './events'
import { Brand, ThemeButton, Toasts, TokenDialog } from './frame'
import type { components } from './report'
import { bytes, Cell, copy, Empty, List, plural, Status } from './ui'
import { link, param, set, view } from './url'

type Report = components['schemas']['Report']
type Finding = components['schemas']['finding']
type Operation = Report['operations'][number]
type Content = components['schemas']['content']
// openapi-typescript leaves out what stands beside a $ref.
interface Sent { curl: string; fault?: string; request: Content & { method: string; target: string }; response?: Content & { status: number } }
interface Covered { operation: string; covered: number; total: number; missing: string[]; untried: string[] }
interface Progress { url: string; document: string; phase: string; of: number; done: number; cases: number; found: number; left: number; operations: Operation[]; findings: Finding[] }

// What the events have said.
const progress = signal<Omit<Progress, 'operations' | 'findings'> | null>(null)
const tested = signal<Map<string, Operation>>(new Map()), seen = signal<Finding[]>([])
const report = signal<Report | null>(null), failure = signal('')
const connected = signal<'' | 'live' | 'off' | 'ended'>('')

async function follow() {
  while (!report.value && !failure.value) {
    try {
      const response = await call(controlURL + 'events')
      if (response.ok && response.body) {
        connected.value = 'live'
        tested.value = new Map()
        seen.value = []
        for await (const some of events(response.body)) for (const event of some) take(event.name, event.data)
      }
    } catch { /* the command has ended */ }
    connected.value = report.value || failure.value ? 'ended' : 'off'
    do await pause(1000); while (tokenMissing.value && !token.value)
  }
}

function take(name: string, data: string) {
  if (name === 'report') report.value = JSON.parse(data)
  if (name === 'failed') failure.value = JSON.parse(data)
  if (name !== 'progress') return
  const { operations, findings, ...rest } = JSON.parse(data) as Progress
  progress.value = rest
  if (operations.length > 0) tested.value = new Map([...tested.value, ...operations.map(o => [o.name, o] as const)])
  if (findings.length > 0) seen.value = [...seen.value, ...findings]
}

const severities = ['error', 'warning', 'note']
const findings = computed(() => report.value?.findings ?? [...seen.value].sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity)))
const operations = computed(() => report.value?.operations ?? [...tested.value.values()])

const views: [string, string, () => preact.JSX.Element][] = [['findings', 'Findings', Findings], ['operations', 'Operations', Operations], ['run', 'Run', Run]]

function App() {
  const [shown, title, View] = views.find(([name]) => name === view.value) ?? views[0]
  const r = report.value, at = progress.value
  useEffect(() => { document.title = [title, r?.title || at?.url, 'coldframe'].filter(Boolean).join(' · ') }, [title, r?.title, at?.url])
  return (
    <>
      <header class="top">
        <Brand href={link('findings')} />
        <nav aria-label="Views">{views.map(([name, label]) => <a href={link(name, { f: null, o: null, text: null })} aria-current={name === shown ? 'page' : undefined}>{label}</a>)}</nav>
        <span class="grow" />
        <span class="hint ellipsis">{r?.url ?? at?.url}</span>
        <span class={'connection ' + (r ? '' : connected.value)} role="status">{r ? 'the run has ended' : connected.value === 'off' ? 'no connection' : connected.value === 'live' ? 'live' : ''}</span>
        <ThemeButton />
      </header>
      <main>
        <h1 class="unseen">Contract test: {title}</h1>
        <Head />
        {tokenMissing.value && !token.value ? <Empty>The page needs the token of its address.</Empty> : <View key={shown} />}
      </main>
      <TokenDialog hint="coldframe test --ui has printed the address of this page, which ends with the token." />
      <Toasts />
    </>
  )
}

const duration = (seconds: number) => seconds < 60 ? `${Math.round(seconds)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`

// Head says how far the run is, and then how it ended.
function Head() {
  const r = report.value, at = progress.value
  if (failure.value) return <div class="bar banner" role="alert">Nothing could be tested: {failure.value}</div>
  if (r) {
    const { errors, warnings, known, waived } = r.totals, notes = r.findings.filter(f => f.severity === 'note' && !f.known).length
    const counts = [[errors, 'error'], [warnings, 'warning'], [notes, 'note']].filter(([n]) => n).map(([n, what]) => plural(n as number, what as string))
    return <>
      <div class="bar"><b class={errors ? 'severity s5' : 'severity s2'}>{counts.join(', ') || 'Nothing found'}</b>{known > 0 && <span class="tag">{known} known</span>}{waived > 0 && <span class="tag">{waived} waived</span>}
        <span class="grow" /><span class="hint">{plural(r.operations.length, 'operation')}, {plural(r.requests, 'request')} in {duration(r.tookSeconds)}{r.coverage && `, ${r.coverage.percent} % of the document exercised`}</span></div>
      {[r.ended && 'Ended early: ' + r.ended, r.insufficient, r.incomplete].filter(Boolean).map(text => <div class="bar banner" role="alert">{text}</div>)}
    </>
  }
  if (!at) return <div class="bar" role="status">Connecting…</div>
  return (
    <div class="bar">
      <span class="meter wide" role="progressbar" aria-label={`Phase ${at.phase}`} aria-valuemin={0} aria-valuemax={Math.max(1, at.of)} aria-valuenow={at.done}><span style={{ width: (at.of ? 100 * at.done / at.of : 0) + '%' }} /></span>
      <b>{at.phase || 'The document is loaded…'}</b> <span class="number">{at.done} of {plural(at.of, 'operation')}</span>
      <span class="grow" /><span class="hint number">{plural(at.cases, 'case')}, {plural(at.found, 'finding')}, {duration(at.left)} left at most</span>
    </div>
  )
}

const chosen = param('f'), of = param('o'), text = param('text'), severity = param('severity'), check = param('check')
const isIn = (f: Finding, operation: string) => f.operation === operation || f.operations.includes(operation)
const words = () => (text.value ?? '').toLowerCase().split(/\s+/).filter(Boolean)
const search = (label: string) => <input id="search" type="search" class="grow" placeholder={label} aria-label={label + ' (/)'} value={text.value ?? ''} onInput={e => set({ text: e.currentTarget.value || null })} />

function Findings() {
  const all = findings.value, checks = [...new Set(all.map(f => f.check))].sort(), searched = words()
  const shown = all.filter(f => (!severity.value || (f.known ? 'known' : f.severity) === severity.value) && (!check.value || f.check === check.value) && (!of.value || isIn(f, of.value))
    && searched.every(word => `${f.check} ${f.operations.join(' ')} ${f.message}`.toLowerCase().includes(word)))
  const detail = chosen.value === null ? undefined : all.find(f => f.fingerprint === chosen.value) ?? all.find(f => f.faults?.some(fault => fault.fingerprint === chosen.value))
  return (
    <div class={'panes even' + (detail ? ' open' : ' alone')}>
      <section class="main" aria-label="Findings">
        <div class="bar" role="search">
          {search('Search findings')}
          <select aria-label="Severity" value={severity.value ?? ''} onChange={e => set({ severity: e.currentTarget.value || null })}><option value="">All severities</option>{[...severities, 'known'].map(name => <option>{name}</option>)}</select>
          <select aria-label="Check" value={check.value ?? ''} onChange={e => set({ check: e.currentTarget.value || null })}><option value="">All checks</option>{checks.map(name => <option>{name}</option>)}</select>
          {of.value && <button class="quiet" onClick={() => set({ o: null })}>{of.value} ✕</button>}
          <span class="hint" role="status">{shown.length === all.length ? plural(all.length, 'finding') : `${shown.length} of ${plural(all.length, 'finding')}`}</span>
        </div>
        <List class="found" label="Findings" items={shown} keyOf={f => f.fingerprint} chosen={detail?.fingerprint ?? null} height={28} columns={['Severity', 'Operation', 'Finding', 'Check']}
          onChoose={f => set({ f: f.fingerprint })} onOpen={() => document.querySelector<HTMLElement>('.detail')?.focus()}
          empty={all.length > 0 ? 'No finding matches.' : report.value ? 'Nothing found.' : 'Nothing found so far.'}
          row={f => <>
            <Cell class={f.known ? 'hint' : 'severity ' + mood[f.severity]}>{f.known ? 'known' : f.severity}</Cell>
            <Cell class="path" title={f.operations.join(', ')}>{f.operation}{f.operations.length > 1 && <span class="tag">+{f.operations.length - 1}</span>}</Cell>
            <Cell title={f.message}>{f.message}</Cell>
            <Cell class="hint">{f.check}</Cell>
          </>} />
      </section>
      {detail && <FindingDetail f={detail} key={detail.fingerprint} />}
    </div>
  )
}
const mood = { error: 's5', warning: 's4', note: 's3' }

function FindingDetail({ f }: { f: Finding }) {
  const { file, line, column } = f.document
  return (
    <section class="detail" aria-label="Finding" tabIndex={-1} onKeyDown={e => { if (e.key === 'Escape') set({ f: null }) }}>
      <header class="bar"><h2><span class={mood[f.severity]}>{f.severity}</span> <code>{f.check}</code></h2><span class="grow" /><button class="quiet" aria-label="Close the finding" onClick={() => set({ f: null })}>✕</button></header>
      <div class="scroll">
        <p>{f.message}</p>
        {!report.value && <p class="hint">Not confirmed yet: the run repeats what it found.</p>}
        <p class="because">{f.source}{f.reason && <><br />Waived: {f.reason}</>}</p>
        {file && <><p class="code"><code>{file}{line && `:${line}:${column}`}</code></p>{f.excerpt && <pre class="source" tabIndex={0} aria-label={`${file}, line ${line}`}><span class="hit"><i>{line}</i>{f.excerpt}</span></pre>}</>}
        <dl class="facts"><div><dt>Seen</dt><dd>{plural(f.count, 'time')}</dd></div><div><dt>Phase</dt><dd>{f.phase}</dd></div>{f.title && <div><dt>Request</dt><dd>{f.title}</dd></div>}</dl>
        {f.operations.length > 1 && <details><summary>{plural(f.operations.length, 'operation')}</summary><ul>{f.operations.map(name => <li><a href={link('operations', { o: name, f: null })}><code>{name}</code></a></li>)}</ul></details>}
        {(f.places?.length ?? 0) > 1 && <details><summary>{plural(f.places!.length, 'place')}</summary><ul>{f.places!.map(place => <li><code>{place}</code></li>)}</ul></details>}
        {(f.sent as Sent[]).map((s, i) => (
          <section aria-label={`Exchange ${i + 1}`}>
            <h3>{f.sent.length > 1 ? `${i + 1} of ${f.sent.length}: ` : ''}{s.request.method} {s.response && <Status code={s.response.status} />} <button class="quiet" onClick={() => copy(s.curl, 'curl')}>Copy as curl</button></h3>
            <p class="target"><code>{s.request.target}</code></p>
            {s.fault && <p class="because bad">{s.fault}</p>}
            <ContentView title="Request" content={s.request} />
            {s.response && <ContentView title="Response" content={s.response} about={i === f.sent.length - 1 ? f : undefined} />}
          </section>))}
        {(f.consequences?.length ?? 0) > 0 && <><h3>Consequences</h3><ul class="findings">{f.consequences!.map(c => <li><p><code>{c.operations.join(', ')}</code> {c.message} <span class="code">{c.check}, {plural(c.count, 'time')}</span></p></li>)}</ul></>}
      </div>
    </section>
  )
}

function ContentView({ title, content, about }: { title: string; content: Content; about?: Finding }) {
  const headers = Object.fromEntries(content.header.map(field => [field.name.toLowerCase(), field.value])), type = headers['content-type'] ?? ''
  const message: Message = { headers, size: content.size }
  if (content.bodyBase64 !== undefined) message.base64 = content.bodyBase64
  if (content.body !== undefined) {
    message.body = content.body
    if (/json/.test(type)) try { message.body = JSON.parse(content.body) } catch { message.headers = { ...headers, 'content-type': 'text/plain' } }
  }
  const place = about?.about?.startsWith('body.') ? about.about.split('.').slice(1) : []
  return (
    <details open={content.size > 0}>
      <summary>{title}, {plural(content.header.length, 'header')}, {content.size > 0 ? bytes(content.size) : 'no body'}</summary>
      <table class="headers"><tbody>{content.header.map(field => <tr><th scope="row">{field.name}</th><td>{field.value}</td></tr>)}</tbody></table>
      <Body message={message} label={title + ' body'} findings={place.length > 0 ? [{ severity: about!.severity, code: about!.check, message: about!.message.replace(`${about!.about}: `, ''), pointer: '/' + place.join('/') } as never] : []} />
    </details>
  )
}

// outcome is how an operation fared so far.
function outcome(o: Operation): [string, string] {
  const found = findings.value.filter(f => isIn(f, o.name) && !f.known)
  if (o.skipped) return ['skipped', 's0 hint']
  if (found.some(f => f.severity === 'error')) return ['failed', 's5']
  if (o.cases === 0) return [report.value ? 'not tested' : 'waiting', 's0 hint']
  const accepted = Object.keys(o.statuses).some(status => /^[23]/.test(status))
  return accepted ? ['ok', 's2'] : ['accepts nothing', 's4']
}
const statuses = (counts: Record<string, number>) => Object.entries(counts).sort().map(([status, n]) => <><Status code={Number(status) || 0} /><span class="hint">×{n} </span></>)

function Operations() {
  const searched = words(), all = operations.value
  const shown = all.filter(o => searched.every(word => `${o.name} ${o.operationId} ${o.tags.join(' ')}`.toLowerCase().includes(word)))
  const o = all.find(o => o.name === of.value)
  return (
    <div class={'panes even' + (o ? ' open' : ' alone')}>
      <section class="main" aria-label="Operations">
        <div class="bar" role="search">{search('Search operations')}<span class="hint" role="status">{plural(shown.length, 'operation')}</span></div>
        <List class="tested" label="Operations" items={shown} keyOf={o => o.name} chosen={of.value} height={28} columns={['Outcome', 'Operation', 'Cases', 'Statuses']}
          onChoose={o => set({ o: o.name })} onOpen={() => document.querySelector<HTMLElement>('.detail')?.focus()} empty={all.length > 0 ? 'No operation matches.' : 'No request was sent yet.'}
          row={o => { const [word, colour] = outcome(o); return <>
            <Cell class={colour}>{word}</Cell><Cell class="path" title={o.name}>{o.name}</Cell><Cell class="number">{o.cases}</Cell><Cell>{statuses(o.statuses)}</Cell>
          </> }} />
      </section>
      {o && <OperationDetail o={o} key={o.name} />}
    </div>
  )
}

function OperationDetail({ o }: { o: Operation }) {
  const found = findings.value.filter(f => isIn(f, o.name)), covered = (report.value?.coverage as { operations: Covered[] } | undefined)?.operations.find(c => c.operation === o.name)
  const lines = (title: string, all: string[] | undefined) => all && all.length > 0 && <><h3>{title}</h3><ul>{all.map(text => <li><code>{text}</code></li>)}</ul></>
  return (
    <section class="detail" aria-label={`Operation ${o.name}`} tabIndex={-1} onKeyDown={e => { if (e.key === 'Escape') set({ o: null }) }}>
      <header class="bar"><h2><code>{o.name}</code></h2><span class="grow" /><button class="quiet" aria-label="Close the operation" onClick={() => set({ o: null })}>✕</button></header>
      <div class="scroll">
        {o.skipped && <p class="because">{o.skipped}</p>}
        <p>{plural(o.cases, 'case')}: {statuses(o.statuses)}</p>
        {o.document.file && <p class="code"><code>{o.document.file}:{o.document.line}</code></p>}
        <h3>{plural(found.length, 'finding')}</h3>
        <ul class="findings">{found.map(f => <li class={f.severity}><p><b class="severity">{f.severity}</b> <a href={link('findings', { f: f.fingerprint, o: null })}>{f.message}</a> <span class="code">{f.check}</span></p></li>)}</ul>
        {o.refused && lines('Refusals of conforming requests', o.refused.refusals.map(r => `${r.status || 'no response'} ×${r.count}${r.message ? ': ' + r.message : ''}`))}
        {o.refused && lines('Values that would help', o.refused.needs.map(n => `${n.in}.${n.name}`))}
        {lines('Parts that no accepted request had', o.weak)}
        {lines('Documented refusals that were never seen', o.unseen?.map(String))}
        {covered && lines(`Not exercised: ${covered.total - covered.covered} of ${plural(covered.total, 'part')}`, covered.missing)}
        {covered && lines('Constraints that were never tried', covered.untried)}
      </div>
    </section>
  )
}

function Run() {
  const r = report.value, at = progress.value
  if (!r) return <Empty>{at ? <>The report comes at the end of the run{at.document && <> of <code>{at.document}</code></>}. Ctrl-C ends the run.</> : 'Loading…'}</Empty>
  const reasons = new Map<string, { phase: string; cases: number; operations: Set<string> }>()
  for (const s of r.skipped) {
    const key = `${s.phase ?? ''}\n${s.reason}`, one = reasons.get(key) ?? { phase: s.phase ?? '', cases: 0, operations: new Set() }
    one.cases += s.cases
    if (s.operation) one.operations.add(s.operation)
    reasons.set(key, one)
  }
  const listed = (title: string, all: preact.ComponentChildren[]) => all.length > 0 && <><h2>{title}</h2><ul class="findings">{all.map(item => <li><p>{item}</p></li>)}</ul></>
  return (
    <div class="scroll run">
      <dl class="facts"><div><dt>API</dt><dd>{r.title} {r.apiVersion}</dd></div><div><dt>Document</dt><dd>{r.document}</dd></div><div><dt>Backend</dt><dd>{r.url}</dd></div>
        <div><dt>Began</dt><dd>{new Date(r.began).toLocaleString('en-GB')}</dd></div><div><dt>Seed</dt><dd>{String(r.seed)}</dd></div>{r.coverage && <div><dt>Exercised</dt><dd>{r.coverage.covered} of {plural(r.coverage.total, 'part')}</dd></div>}</dl>
      <h2>Phases</h2>
      <table class="grid"><thead><tr><th scope="col">Phase</th><th scope="col">Cases</th><th scope="col">Findings</th><th scope="col">Took</th></tr></thead>
        <tbody>{r.phases.map(phase => <tr><td>{phase.id}</td><td>{phase.cases}</td><td>{phase.findings}</td><td>{phase.tookSeconds.toFixed(1)} s</td></tr>)}</tbody></table>
      {listed('Not sent', [...reasons].map(([key, s]) => <><b>{s.phase}</b> {s.cases > 0 && plural(s.cases, 'case')} {s.operations.size > 0 && <>of <span title={[...s.operations].join(', ')}>{s.operations.size === 1 ? <code>{[...s.operations]}</code> : plural(s.operations.size, 'operation')}</span></>}: {key.slice(key.indexOf('\n') + 1)}</>))}
      {listed('Seen once, and not again', r.flaky.map(f => <><code>{f.operation}</code> {f.message} <span class="code">{f.check}</span></>))}
      {listed('Waived', r.waived.map(f => <><code>{f.operation}</code> {f.message} <span class="code">{f.reason}</span></>))}
      {listed('Findings of the baseline that were not seen', r.resolved)}
      {listed('Rules and waivers without use', r.stale)}
    </div>
  )
}

addEventListener('keydown', event => {
  const at = event.target as HTMLElement
  if (event.ctrlKey || event.metaKey || event.altKey || at.matches('input, textarea, select') || document.querySelector('dialog[open]')) return
  if (event.key === '/') { document.querySelector<HTMLElement>('#search')?.focus(); event.preventDefault() }
  const number = Number(event.key)
  if (number >= 1 && number <= views.length) location.hash = link(views[number - 1][0])
})

render(<App />, document.getElementById('app')!)
void follow()
