// Document: what is wrong with it, and what the mock infers from it.
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { api, done } from './api'
import { useLive } from './live'
import { Cell, Empty, Findings, Lines, List, plural } from './ui'
import { link, param, set } from './url'

const tab = param('tab'), text = param('text')

export function Document() {
  const { value: d, failure } = useLive(() => done(api.GET('/__coldframe/document')))
  const { value: plan } = useLive(() => done(api.GET('/__coldframe/resources')), { slow: true })
  const operations = plan?.operations ?? [], resources = plan?.resources ?? []
  const words = (text.value ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const matches = (value: unknown) => { const all = JSON.stringify(value).toLowerCase(); return words.every(word => all.includes(word)) }
  const silent = useMemo(() => operations.flatMap(o => (o.notSimulated ?? []).map(note => ({ o, note }))), [plan])
  const tabs: [string, string, number | undefined][] = [
    ['findings', 'Findings', d?.findings.length], ['resources', 'Resources', plan && resources.length], ['operations', 'Operations', plan && operations.length],
    ['silent', 'Not simulated', plan && silent.length], ['files', 'Files', d?.files.length],
  ]
  const shown = tabs.find(([name]) => name === tab.value)?.[0] ?? 'findings'
  const found = useMemo(() => operations.filter(matches), [plan, text.value])
  const most = 200, quiet = silent.filter(({ o, note }) => matches([o.method, o.path, o.operationId, note]))
  return (
    <div class="panes two">
      <nav class="side" aria-label="Parts">
        <p class="hint">{d ? `${d.title} ${d.version}` : failure}</p>
        {tabs.map(([name, label, count]) => <a href={link('document', { tab: name })} aria-current={name === shown ? 'page' : undefined} key={name}>{label}<span class="count">{count}</span></a>)}
      </nav>
      <section class="main" aria-label={tabs.find(([name]) => name === shown)![1]}>
        {d?.reload && <div class="bar banner" role="alert">The last reload failed at {new Date(d.reload.at).toLocaleTimeString('en-GB')}; the document before it is served. {d.reload.error}</div>}
        {(shown === 'operations' || shown === 'silent') && <div class="bar" role="search"><input id="search" type="search" class="grow" placeholder="Search" aria-label="Search (/)" value={text.value ?? ''} onInput={e => set({ text: e.currentTarget.value || null })} /></div>}
        {shown === 'operations'
          ? <List class="inferred" label="Operations and what they do" items={found} keyOf={o => `${o.method} ${o.path}`} chosen={null} height={28} columns={['Method', 'Path', 'Does', 'Resource', 'Because']}
              onChoose={o => { location.hash = link('operations', { o: o.operationId, text: null }) }} empty={plan ? 'No operation matches.' : 'Loading…'}
              row={o => <><Cell class="method">{o.method}</Cell><Cell class="path" title={o.path}>{o.path}</Cell><Cell>{o.role}</Cell><Cell>{o.resource}</Cell><Cell class="hint" title={o.reason}>{o.reason}{o.confidence !== undefined && ` (${Math.round(o.confidence * 100)} %)`}</Cell></>} />
          : <div class="scroll">
              {shown === 'findings' && !d && <Empty>Loading…</Empty>}
              {shown === 'findings' && d && (d.findings.length ? <Findings findings={d.findings} open={1} /> : <Empty>Nothing found on the document, the scenarios and the data.</Empty>)}
              {shown === 'resources' && !plan && <Empty>Loading…</Empty>}
              {shown === 'resources' && plan && <Resources resources={resources as unknown as Resource[]} operations={operations} />}
              {shown === 'silent' && <>
                {quiet.length === 0 && <Empty>{plan ? 'Everything that the document describes has an effect, or nothing matches.' : 'Loading…'}</Empty>}
                <ul class="findings">{quiet.slice(0, most).map(({ o, note }) => <li class="note"><p><a href={link('operations', { o: o.operationId })}>{o.method} {o.path}</a> {note.name && <code>{note.in}.{note.name}</code>} {note.message}</p>
                  {note.setting && <pre class="source" tabIndex={0} aria-label="The line of coldframe.yaml that binds it">{note.setting}</pre>}</li>)}</ul>
                {quiet.length > most && <p class="hint">… and {quiet.length - most} more. Search to narrow them.</p>}
              </>}
              {shown === 'files' && d && <>
                <dl class="facts wide"><div><dt>SHA-256</dt><dd><code>{d.sha256}</code></dd></div><div><dt>Loaded</dt><dd>{new Date(d.loadedAt).toLocaleString('en-GB')}</dd></div></dl>
                {d.files.map(f => <File file={f.file} lines={f.lines} key={f.file} />)}</>}
            </div>}
      </section>
    </div>
  )
}

interface Resource { name: string; singleton?: boolean; parent?: string; key?: { property?: string; type?: string; chosenBy?: string }; unique?: string[] }

function Resources({ resources, operations }: { resources: Resource[]; operations: { resource?: string; role: string; method: string; path: string; operationId: string }[] }) {
  return (
    <table class="grid"><thead><tr><th scope="col">Resource</th><th scope="col">Key</th><th scope="col">Operations</th></tr></thead>
      <tbody>{resources.map(r => (
        <tr key={r.name}>
          <td><a href={link('state', { c: r.name })}>{r.name}</a>{r.parent && <span class="hint"> of {r.parent}</span>}{r.singleton && <span class="tag">singleton</span>}</td>
          <td>{r.key && <><code>{r.key.property ?? 'path'}</code> <span class="hint">{r.key.type}, chosen by the {r.key.chosenBy}</span></>}{r.unique && <span class="hint">, unique {r.unique.join(', ')}</span>}</td>
          <td>{operations.filter(o => o.resource === r.name).map(o => <a class="role" key={o.operationId} href={link('operations', { o: o.operationId })} title={`${o.method} ${o.path}`}>{o.role}</a>)}</td>
        </tr>))}</tbody></table>
  )
}

function File({ file, lines }: { file: string; lines: number }) {
  const line = useSignal(0)
  return <>
    <form class="inline file" onSubmit={e => { e.preventDefault(); line.value = Number(new FormData(e.currentTarget).get('line')) }}>
      <code>{file}</code> <span class="hint">{plural(lines, 'line')}</span> <input name="line" type="number" min={1} max={lines} required placeholder="line" aria-label={`Line of ${file}`} /><button>Show</button>
    </form>
    {line.value > 0 && <Lines place={{ file, line: line.value }} key={line.value} />}
  </>
}
