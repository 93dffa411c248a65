// Operations: the document as a list, painted with what was used, and a form to try one.
import { signal, useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { api, doing, done, mock, ofSession, session, sessionField, type Coverage, type Exchange, type Message } from './api'
import { Body } from './body'
import { FailMenu } from './fail'
import { JsonInput } from './json'
import { exchange, rows, useLive, version } from './live'
import { types, useOperation, type Listed, type Operation } from './operation'
import { Cell, Empty, Lines, List, plural, Status, took } from './ui'
import { link, param, set } from './url'

const chosen = param('o'), text = param('text'), from = param('from'), only = param('only')
type Covered = Coverage['operations'][number]

export function Operations() {
  const { value: list, failure } = useLive(async () => (await done(api.GET('/__coldframe/operations'))).operations, { slow: true })
  const { value: coverage } = useLive(async () => {
    const query = { ...ofSession(), points: chosen.value ?? '' }
    return await done(api.GET('/__coldframe/coverage', { params: { query } })) as Coverage
  }, { slow: true })
  const covered = useMemo(() => new Map(coverage?.operations.map(o => [o.operation, o])), [coverage])
  const words = (text.value ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const matches = (o: Listed) => {
    const all = `${o.method} ${o.path} ${o.operation} ${o.summary ?? ''} ${o.tags?.join(' ') ?? ''}`.toLowerCase(), hits = covered.get(o.operation)?.hits ?? 0
    return words.every(word => all.includes(word)) && (only.value === null || (only.value === 'used') === hits > 0)
  }
  const shown = useMemo(() => (list ?? []).filter(matches), [list, covered, text.value, only.value])
  const used = coverage?.operations.filter(o => o.hits > 0).length ?? 0
  return (
    <div class={'panes even' + (chosen.value ? ' open' : ' alone')}>
      <section class="main" aria-label="Operations">
        <div class="bar" role="search">
          <input id="search" type="search" class="grow" placeholder="Search operations" aria-label="Search operations (/)" value={text.value ?? ''} onInput={e => set({ text: e.currentTarget.value || null })} />
          <select aria-label="Used or not" value={only.value ?? ''} onChange={e => set({ only: e.currentTarget.value || null })}>
            <option value="">Used or not</option><option value="used">Used</option><option value="unused">Not used</option></select>
          <span class="hint" role="status">{shown.length === list?.length ? plural(shown.length, 'operation') : `${shown.length} of ${plural(list?.length ?? 0, 'operation')}`}{coverage && `, ${used} used, coverage ${coverage.percent} %`}</span>
        </div>
        <List class="operations" label="Operations" items={shown} keyOf={o => o.operation} chosen={chosen.value} height={28} columns={['Method', 'Path', 'Summary', 'Coverage']}
          onChoose={o => set({ o: o.operation, from: null })} onOpen={() => document.querySelector<HTMLElement>('.detail')?.focus()} empty={failure || (list ? 'No operation matches.' : 'Loading…')}
          row={o => { const c = covered.get(o.operation); return <>
            <Cell class={'method m-' + o.method}>{o.method}</Cell>
            <Cell class={'path' + (o.deprecated ? ' deprecated' : '')} title={o.path}>{o.path}</Cell>
            <Cell class="hint" title={o.summary}>{o.summary}</Cell>
            <Cell>{c && <Bar c={c} />}</Cell>
          </> }} />
      </section>
      {chosen.value && <Detail name={chosen.value} covered={covered.get(chosen.value)} key={chosen.value} />}
    </div>
  )
}

const Bar = ({ c }: { c: Covered }) => (
  <span class="coverage" title={`${c.covered} of ${c.total} parts, ${plural(c.hits, 'request')}`}>
    <span class="meter" role="meter" aria-valuemin={0} aria-valuemax={100} aria-valuenow={c.percent} aria-label="coverage"><span style={{ width: c.percent + '%' }} /></span> <span class="number">{c.hits > 0 ? `${Math.floor(c.percent)} %` : '–'}</span>
  </span>
)

// Credentials stay in this tab.
const storedAs = 'coldframe-credentials'
const credentials = signal<Record<string, string>>(JSON.parse(sessionStorage.getItem(storedAs) ?? '{}'))
const remember = (scheme: string, value: string) => {
  credentials.value = { ...credentials.value, [scheme]: value }
  sessionStorage.setItem(storedAs, JSON.stringify(credentials.value))
}

function Detail({ name, covered }: { name: string; covered?: Covered }) {
  const o = useOperation(name), again = useSignal<Exchange | null>(null), ready = useSignal(from.value === null)
  useEffect(() => {
    const n = from.value
    if (n !== null) exchange(Number(n)).then(x => { again.value = x; ready.value = true }, () => { ready.value = true })
  }, [from.value])
  return (
    <section class="detail" aria-label={`Operation ${name}`} tabIndex={-1} onKeyDown={e => { if (e.key === 'Escape') set({ o: null, from: null }) }}>
      <header class="bar">
        <h2>{o && <><span class={'method m-' + o.method}>{o.method}</span> <code>{o.path}</code></>}</h2><span class="grow" />
        <FailMenu operation={name} class="accent" />
        <button class="quiet" aria-label="Close the detail" onClick={() => set({ o: null, from: null })}>✕</button>
      </header>
      <div class="scroll">
        {!o && <Empty>Loading…</Empty>}
        {o && <>
          <p><b>{o.summary}</b> {o.deprecated && <span class="tag">deprecated</span>} {o.operation !== `${o.method} ${o.path}` && <code class="hint">{o.operation}</code>}</p>
          {o.description && o.description !== o.summary && <p class="description">{o.description}</p>}
          {o.resource && <p class="because">{o.resource.does} <a href={link('state', { c: o.resource.collection })}>{o.resource.collection}</a> <span class="hint">{o.resource.reason}</span></p>}
          <Lines place={o.place} open={false} />
          {ready.value && <Try o={o} again={again.value} key={again.value?.number ?? 0} />}
          {covered && <Unused c={covered} />}
        </>}
      </div>
    </section>
  )
}

function Unused({ c }: { c: Covered }) {
  return <details><summary>Coverage: {c.covered} of {c.total} parts, {plural(c.hits, 'request')}</summary>
    <table class="grid"><tbody>{c.points.map(p => <tr class={p.hits > 0 ? 'used' : ''}><td>{p.kind}</td><td><code>{p.name}</code></td><td>{p.hits > 0 ? 'used' : 'not used'}</td><td class="hint">{p.file && `${p.file}:${p.line}`}</td></tr>)}</tbody></table></details>
}

// fieldsOf takes the values of parameters from a target and header fields.
function fieldsOf(o: Operation, target: string, headers: Record<string, string>): Record<string, string> {
  const [path, query] = target.split(/\?(.*)/s), names = [...o.path.matchAll(/\{([^}]+)\}/g)].map(m => m[1])
  const pattern = new RegExp(o.path.split(/\{[^}]+\}/).map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('([^/]*)') + '$')
  const found: Record<string, string> = {}, plain = (text: string) => { try { return decodeURIComponent(text) } catch { return text } }
  pattern.exec(path)?.slice(1).forEach((value, i) => { found['path ' + names[i]] = plain(value) })
  for (const [key, value] of new URLSearchParams(query ?? '')) found['query ' + key] = found['query ' + key] !== undefined ? found['query ' + key] + ',' + value : value
  for (const p of o.parameters) if (p.in === 'header') { const value = Object.entries(headers).find(([name]) => name.toLowerCase() === p.name.toLowerCase())?.[1]; if (value !== undefined) found['header ' + p.name] = value }
  return found
}

const rows16 = (text: string) => Math.min(16, text.split('\n').length + 1)
const pretty = (text: string) => { try { return JSON.stringify(JSON.parse(text), null, 2) } catch { return text } }

interface Answered { status: number; headers: Record<string, string>; message: Message; micros: number; after: number; method: string; path: string }

function Try({ o, again }: { o: Operation; again: Exchange | null }) {
  const sample = o.sample, sent = again?.request
  const start = sent ? fieldsOf(o, sent.path + (sent.query ? '?' + sent.query : ''), sent.headers) : sample ? fieldsOf(o, sample.target, sample.headers ?? {}) : {}
  const fields = useSignal<Record<string, string>>(start)
  const media = Object.keys(o.body?.mediaTypes ?? {}), sampleType = Object.entries(sample?.headers ?? {}).find(([name]) => /^content-type$/i.test(name))?.[1]
  const type = useSignal((sent?.headers['content-type'] ?? sampleType ?? media[0] ?? '').split(';')[0])
  const sentBody = sent && (typeof sent.body === 'string' && !/json/.test(type.value) ? sent.body : sent.body === undefined ? '' : JSON.stringify(sent.body))
  const body = useSignal(pretty(sentBody ?? sample?.body ?? ''))
  const withBody = useSignal(again ? !!sentBody : !!o.body), anonymous = useSignal(false), code = useSignal(''), example = useSignal('')
  const answer = useSignal<Answered | null>(null), failure = useSignal(''), busy = useSignal(false)
  const schemes = [...new Map(o.security.flat().map(need => [need.scheme, need])).values()]
  const isJSON = /json/.test(type.value)
  const broken = useComputed(() => { if (!withBody.value || !isJSON || !body.value.trim()) return ''; try { JSON.parse(body.value); return '' } catch (error) { return (error as Error).message } })

  const target = () => {
    const value = (kind: string, name: string) => fields.value[kind + ' ' + name] ?? ''
    const path = o.path.replace(/\{([^}]+)\}/g, (_, name) => encodeURIComponent(value('path', name)))
    const query = new URLSearchParams(), known = new Set<string>()
    for (const p of o.parameters) {
      if (p.in !== 'query') continue
      known.add(p.name)
      const text = value('query', p.name)
      if (text !== '') for (const one of types(p.schema).includes('array') ? text.split(',') : [text]) query.append(p.name, one)
    }
    for (const [key, text] of Object.entries(fields.value)) if (key.startsWith('query ') && !known.has(key.slice(6))) query.append(key.slice(6), text)
    const head = sent?.path ?? sample?.target.split('?')[0] ?? '', base = sent ? head.slice(0, Math.max(0, head.length - path.length)) : ''
    if (!anonymous.value) for (const s of schemes) if (s.type === 'apiKey' && s.in === 'query' && credentials.value[s.scheme]) query.set(s.name!, credentials.value[s.scheme])
    return (base && head === base + path ? base : '') + path + (query.size ? '?' + query : '')
  }
  const headers = () => {
    const all: Record<string, string> = session.value === null ? {} : sessionField()
    for (const p of o.parameters) if (p.in === 'header' && fields.value['header ' + p.name]) all[p.name] = fields.value['header ' + p.name]
    if (!anonymous.value) {
      for (const [name, value] of Object.entries(sample?.headers ?? {})) if (/^authorization$/i.test(name) || schemes.some(s => s.in === 'header' && s.name?.toLowerCase() === name.toLowerCase())) all[name] = value
      for (const s of schemes) {
        const value = credentials.value[s.scheme]
        if (!value) continue
        if (s.type === 'apiKey' && s.in === 'header') all[s.name!] = value
        else if (s.http === 'basic') all.Authorization = 'Basic ' + btoa(String.fromCharCode(...new TextEncoder().encode(value)))
        else if (s.type !== 'apiKey') all.Authorization = 'Bearer ' + value
      }
    }
    if (withBody.value && o.body && type.value) all['Content-Type'] = type.value
    const prefer = [code.value && `code=${code.value}`, example.value && `example=${example.value}`].filter(Boolean).join(', ')
    if (prefer) all.Prefer = prefer
    return all
  }
  const send = () => doing(async () => {
    failure.value = ''
    busy.value = true
    const began = performance.now(), after = rows.at(-1)?.number ?? 0, to = target()
    try {
      const response = await fetch(mock + to, { method: o.method, headers: headers(), body: withBody.value && o.body && !/^(GET|HEAD)$/.test(o.method) ? body.value : undefined, credentials: 'omit', redirect: 'manual', cache: 'no-store' })
      const data = new Uint8Array(await response.arrayBuffer()), found = Object.fromEntries(response.headers)
      answer.value = { status: response.status, headers: found, message: messageOf(data, found), micros: (performance.now() - began) * 1000, after, method: o.method, path: to.split('?')[0] }
    } catch (error) {
      failure.value = `No response: ${(error as Error).message}`
      answer.value = null
    }
    busy.value = false
  })
  const input = (kind: string, p: Operation['parameters'][number]) => {
    const schema = p.schema as { enum?: unknown[] } | undefined, key = kind + ' ' + p.name, list = `values-${kind}-${p.name}`
    return (
      <label class="parameter" key={key}>
        <span><code>{p.name}</code>{p.required && <b class="required" title="required">*</b>} <span class="hint">{[p.in, ...types(p.schema)].join(', ')}</span></span>
        <input value={fields.value[key] ?? ''} title={p.description} placeholder={p.example === undefined ? '' : `e.g. ${typeof p.example === 'string' ? p.example : JSON.stringify(p.example)}`} list={schema?.enum ? list : undefined}
          onInput={e => { fields.value = { ...fields.value, [key]: e.currentTarget.value } }} />
        {schema?.enum && <datalist id={list}>{schema.enum.map(value => <option value={String(value)} />)}</datalist>}
      </label>
    )
  }
  const statuses = o.statuses.filter(s => /^\d{3}$/.test(s)), examples = [...new Set(o.responses.filter(r => !code.value || r.status === code.value).flatMap(r => r.examples ?? []))]
  const forms = o.parameters.filter(p => p.in === 'path' || p.in === 'query' || p.in === 'header')
  return (
    <form class="try" aria-label="Try it" onSubmit={e => { e.preventDefault(); void send() }}>
      <h3>Try it</h3>
      {forms.map(p => input(p.in, p))}
      {o.parameters.some(p => p.in === 'cookie') && <p class="hint">A page cannot set cookies of a request; its cookie parameters are not sent.</p>}
      {o.body && <>
        <div class="parameter">
          <label><input type="checkbox" checked={withBody.value} onChange={e => { withBody.value = e.currentTarget.checked }} /> Body{o.body.required && <b class="required" title="required">*</b>}</label>
          <span>
            <select aria-label="Media type" value={type.value} onChange={e => { type.value = e.currentTarget.value }}>{[...new Set([...media, ...(type.value ? [type.value] : [])])].map(name => <option value={name}>{name}</option>)}</select>{' '}
            {sample?.body !== undefined && <button type="button" onClick={() => { body.value = pretty(sample.body!) }}>Sample</button>}{' '}
            {o.body.mediaTypes[type.value]?.example !== undefined && <button type="button" onClick={() => { body.value = JSON.stringify(o.body!.mediaTypes[type.value].example, null, 2) }}>Example</button>}
          </span>
        </div>
        {withBody.value && (isJSON
          ? <JsonInput label="Body" rows={rows16(body.value)} text={body.value} onInput={text => { body.value = text }} onDone={send} />
          : <textarea aria-label="Body" rows={rows16(body.value)} spellcheck={false} value={body.value} onInput={e => { body.value = e.currentTarget.value }} />)}
        {broken.value && <p class="hint warn">{broken.value}</p>}
      </>}
      {schemes.length > 0 && <fieldset><legend>Credentials</legend>
        {schemes.map(s => s.type === 'mutualTLS' || s.in === 'cookie' && s.type === 'apiKey'
          ? <p class="hint">{s.scheme}: a page cannot send it.</p>
          : <label class="parameter" key={s.scheme}><span><code>{s.scheme}</code> <span class="hint">{s.http === 'basic' ? 'user:password' : s.type === 'apiKey' ? `${s.in} ${s.name}` : 'token'}</span></span>
              <input type="password" autocomplete="off" placeholder="any, generated" value={credentials.value[s.scheme] ?? ''} onInput={e => remember(s.scheme, e.currentTarget.value)} /></label>)}
        <label><input type="checkbox" checked={anonymous.value} onChange={e => { anonymous.value = e.currentTarget.checked }} /> Send none</label>
      </fieldset>}
      <div class="parameter"><span>Response</span><span>
        <select aria-label="Status of the response" value={code.value} onChange={e => { code.value = e.currentTarget.value; example.value = '' }}><option value="">as the mock decides</option>{statuses.map(s => <option value={s}>{s} {o.responses.find(r => r.status === s)?.description?.slice(0, 60)}</option>)}<option value="500">500</option></select>{' '}
        {examples.length > 0 && <select aria-label="Example" value={example.value} onChange={e => { example.value = e.currentTarget.value }}><option value="">any example</option>{examples.map(name => <option value={name}>{name}</option>)}</select>}
      </span></div>
      <footer class="start"><button class="accent" disabled={busy.value}>{busy.value ? 'Waiting…' : 'Send'}</button> <code class="hint">{o.method} {target()}</code></footer>
      <div role="status">
        {failure.value && <p class="because bad">{failure.value}</p>}
        {answer.value && <>
          <h3>Response <Status code={answer.value.status} /> <span class="hint">{took(Math.round(answer.value.micros))} <Recorded a={answer.value} /></span></h3>
          <details><summary>{plural(Object.keys(answer.value.headers).length, 'header')}</summary><table class="headers"><tbody>{Object.entries(answer.value.headers).map(([name, value]) => <tr><th scope="row">{name}</th><td>{value}</td></tr>)}</tbody></table></details>
          <Body message={answer.value.message} label="Response body" />
        </>}
      </div>
    </form>
  )
}

// Recorded links the response to its exchange in Traffic, once that is there.
function Recorded({ a }: { a: Answered }) {
  version.value
  const row = rows.find(r => r.number > a.after && r.method === a.method && r.target.split('?')[0] === a.path)
  return row ? <a href={link('traffic', { n: String(row.number), session: session.value })}>Why? Show exchange {row.number}</a> : null
}

function messageOf(data: Uint8Array, headers: Record<string, string>): Message {
  const message: Message = { headers, size: data.length }
  if (data.length === 0) return message
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(data)
    if (/json/.test(headers['content-type'] ?? '')) try { return { ...message, body: JSON.parse(text) } } catch { /* shown as text */ }
    return { ...message, body: text, headers: { ...headers, 'content-type': headers['content-type']?.replace(/json/, 'text') ?? '' } }
  } catch {
    let text = ''
    for (let i = 0; i < data.length; i += 8192) text += String.fromCharCode(...data.subarray(i, i + 8192))
    return { ...message, base64: btoa(text) }
  }
}
