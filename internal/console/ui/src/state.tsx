// State: the items of a session as tables and JSON.
import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { allows, api, call, controlURL, doing, done, reason, Refused, say, session, sessionField, sessionName, text as fetchText } from './api'
import { Ask } from './ask'
import { exportName, getCollections, getItems, pageSize, remove, send, sketch, type Collection, type Item, type Wrong } from './items'
import { JsonInput } from './json'
import { refresh, rows, useLive, version } from './live'
import { Cell, Change, choose, copy, download, Empty, List, Menu, plural } from './ui'
import { link, param, set } from './url'

const collection = param('c'), key = param('k'), text = param('text')
const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object' && !Array.isArray(value)
const short = (value: unknown) => typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

// columnsOf chooses the properties that tell items apart: set in most, different in most, short. They keep their order; the key has its own column.
function columnsOf(items: Item[]): string[] {
  const some = items.slice(0, 50).flatMap(item => isObject(item.value) ? [{ key: item.key, value: item.value }] : [])
  const names = new Set(some.flatMap(item => Object.keys(item.value)))
  const weighed = [...names].map(name => {
    const texts = some.map(item => short(item.value[name])).filter(text => !/^(|null|\[\]|\{\})$/.test(text)), length = texts.reduce((sum, text) => sum + text.length, 0) / texts.length
    return { name, isKey: some.every(item => short(item.value[name]) === item.key), weight: texts.length / some.length + new Set(texts).size / texts.length - Math.min(1.5, length / 40) }
  })
  const best = new Set(weighed.filter(column => !column.isKey && !Number.isNaN(column.weight)).sort((a, b) => b.weight - a.weight).slice(0, 5).map(column => column.name))
  return [...names].filter(name => best.has(name))
}

const labelOf = (c: Collection) => c.collection ?? c.template ?? ''

export function State() {
  const { value: collections, failure } = useLive(getCollections, { slow: true })
  const { value: operations } = useLive(async () => (await done(api.GET('/__coldframe/operations'))).operations, { slow: true })
  const { value: sessions } = useLive(async () => (await done(api.GET('/__coldframe/sessions'))).sessions)
  const all = useMemo(() => [...(collections ?? [])].sort((a, b) => Number(b.count > 0) - Number(a.count > 0) || labelOf(a).localeCompare(labelOf(b))), [collections])
  const chosen = all.find(c => labelOf(c) === collection.value || c.template === collection.value || c.collection === '/' + collection.value)
    ?? (collection.value ? { collection: collection.value, count: 0 } : all[0])
  const name = chosen?.collection ?? null, offset = useSignal(0)
  const { value: page } = useLive(async () => name === null ? null : (await getItems(name, offset.value)) ?? null, { inputs: [name] })
  const ask = useSignal<Ask | null>(null), editing = useSignal<{ item?: Item } | null>(null)
  const items = page?.collection === name ? page?.items ?? [] : []
  const words = (text.value ?? '').toLowerCase()
  const shown = useMemo(() => items.filter(item => !words || JSON.stringify(item.value).toLowerCase().includes(words)), [items, words])
  const columns = useMemo(() => columnsOf(items), [items])
  const label = chosen ? labelOf(chosen) : ''
  useEffect(() => { editing.value = null; offset.value = 0 }, [label, session.value])
  useEffect(() => { // a link to an item
    const found = key.value !== null && items.find(item => item.key === key.value)
    if (found) editing.value = { item: found }
  }, [key.value, page === undefined || page?.collection])
  const act = (action: 'reset' | 'snapshot' | 'restore' | 'fork', body: { label?: string; to?: string }, says: string) =>
    doing(async () => { await done(api.POST('/__coldframe/sessions/{name}/{action}', { params: { path: { name: sessionName(), action } }, body })); editing.value = null; refresh() }, says)
  const at = sessions?.find(s => s.name === sessionName())
  const file = `sessions/${encodeURIComponent(sessionName())}/file`
  const importFrom = (path: string, accept: string, type: string) => doing(async () => {
    const response = await call(controlURL + path, { method: 'PUT', body: await choose(accept), headers: { ...sessionField(), 'Content-Type': type } })
    if (!response.ok) throw new Refused(response.status, await response.json().catch(() => ({})))
    const { findings } = await response.json()
    editing.value = null
    refresh()
    say(findings.length ? `Imported, with ${plural(findings.length, 'warning')}: ${findings[0].message}` : 'Imported')
  })
  const creator = operations?.find(o => o.resource?.does === 'create' && chosen && [chosen.template, chosen.collection].includes('/' + o.resource.collection))
  return (
    <div class={'panes ' + (editing.value ? 'three open' : 'two')}>
      <nav class="side" aria-label="Collections">
        <p class="hint">Session {sessionName()}</p>
        {failure && <Empty>{failure}</Empty>}
        {all.map(c => <a href={link('state', { c: labelOf(c) })} aria-current={labelOf(c) === label ? 'page' : undefined} key={labelOf(c)}><code>{labelOf(c)}</code><span class="count">{labelOf(c) === label && page ? page.total : c.count}</span></a>)}
        {collections?.length === 0 && <p class="hint">The document describes no items.</p>}
      </nav>
      <section class="main" aria-label={`Items of ${label || 'no collection'}`}>
        <div class="bar">
          <input id="search" type="search" class="grow" placeholder="Search items" aria-label="Search items (/)" value={text.value ?? ''} onInput={e => set({ text: e.currentTarget.value || null })} />
          <Change>
          <button class="accent" disabled={!chosen} onClick={() => { editing.value = {} }}>Add item</button>
          <button onClick={() => act('reset', {}, `${sessionName()} has its initial items`)}>Reset</button>
          <Menu label="Snapshots" title="Snapshots" right>{close => <div class="stack">
            <button onClick={() => { close(); ask.value = { title: 'Snapshot', label: 'Label', verb: 'Save', value: 'default', act: label => act('snapshot', { label }, `Saved as ${label}`) } }}>Save…</button>
            {at?.snapshots.map(label => <button key={label} onClick={() => { close(); void act('restore', { label }, `As in ${label}`) }}>Restore {label}</button>)}
            <button onClick={() => { close(); ask.value = { title: 'Copy the session', label: 'Name of the copy', verb: 'Copy', value: '', act: to => act('fork', { to }, `Session ${to} is created`) } }}>Copy to a session…</button>
          </div>}</Menu>
          </Change>
          <Menu label="Data" title="Data" right>{close => <div class="stack">
            <button onClick={() => { close(); void doing(async () => download(exportName(), await fetchText('state', sessionField()))) }}>Export items</button>
            <Change><button onClick={() => { close(); void importFrom('state', '.json,.yaml,.yml', 'application/yaml') }}>Import items…</button></Change>
            <button onClick={() => { close(); void doing(async () => download(`session-${exportName()}`, await fetchText(file))) }}>Export session</button>
            <Change><button onClick={() => { close(); void importFrom(file, '.json', 'application/json') }}>Import session…</button>
            <button class="danger" onClick={() => { close(); ask.value = { title: `Delete all items of ${sessionName()}?`, verb: 'Delete', danger: true, act: () => doing(async () => { await done(api.DELETE('/__coldframe/state', { headers: sessionField() })); editing.value = null; refresh() }, 'All items are deleted') } }}>Delete all items…</button></Change>
          </div>}</Menu>
        </div>
        <div class="table" style={{ '--columns': Math.max(1, columns.length) }}>
          <List class="items" label={`Items of ${label}`} items={shown} keyOf={item => item.key} chosen={editing.value?.item?.key ?? null} height={28} columns={columns.length ? ['key', ...columns] : ['key', 'value']}
            onChoose={item => { editing.value = { item } }} onOpen={() => document.querySelector<HTMLElement>('.detail :is(textarea, .editor)')?.focus()}
            empty={page === undefined ? 'Loading…' : words ? 'No item matches.' : <>No items.{creator && <> Add one {allows.value.change && 'here, or '}with <a href={link('operations', { o: creator.operation })}>{creator.method} {creator.path}</a>.</>}</>}
            row={({ key, value }) => columns.length && isObject(value) ? <><Cell class="path" title={key}>{key}</Cell>{columns.map(column => <Cell title={short(value[column])}>{short(value[column])}</Cell>)}</> : <><Cell class="path">{key}</Cell><Cell>{short(value)}</Cell></>} />
          {page && page.total > pageSize && <div class="bar"><span class="hint grow">{offset.value + 1} to {offset.value + items.length} of {page.total}</span>
            <button disabled={offset.value === 0} onClick={() => { offset.value -= pageSize }}>Previous</button><button disabled={offset.value + pageSize >= page.total} onClick={() => { offset.value += pageSize }}>Next</button></div>}
        </div>
      </section>
      {editing.value && chosen && <Edit collection={label} item={editing.value.item} template={() => template(chosen, creator?.operation)} key={`${label} ${editing.value.item?.key}`} onDone={() => { editing.value = null; if (key.value !== null) set({ k: null }) }} />}
      {ask.value && <Ask.Dialog {...ask.value} onClose={() => { ask.value = null }} />}
    </div>
  )
}

// template returns a new item like what an operation takes, or with what the schema requires.
async function template(c: Collection, operation: string | undefined): Promise<unknown> {
  if (operation) {
    const { sample } = await done(api.GET('/__coldframe/operations/{operation}', { params: { path: { operation } } }))
    if (sample?.body) try { return JSON.parse(sample.body) } catch { /* not JSON */ }
  }
  return sketch(c.schema)
}

// Edit shows an item, or a new one. What is typed is validated.
function Edit(p: { collection: string; item: Item | undefined; template: () => Promise<unknown>; onDone: () => void }) {
  const kept = p.item && JSON.stringify(p.item.value, null, 2), before = useSignal(kept ?? ''), value = useSignal(kept ?? ''), wrong = useSignal<Wrong[]>([])
  const into = useSignal(p.collection), busy = useSignal(false)
  useEffect(() => { if (!p.item) p.template().then(item => { if (value.value === '') value.value = JSON.stringify(item, null, 2) }, () => {}) }, [])
  useEffect(() => { // changed by somebody else
    if (kept !== undefined && kept !== before.value) { if (value.value === before.value) value.value = kept; before.value = kept }
  }, [kept])
  const broken = useComputed(() => { try { JSON.parse(value.value); return '' } catch (error) { return (error as Error).message } })
  const incomplete = /[{}]/.test(into.value)
  useEffect(() => {
    if (broken.value || incomplete || value.value === before.value || !allows.value.change) { wrong.value = []; return }
    const soon = setTimeout(() => send(into.value, p.item?.key, JSON.parse(value.value), true).then(found => { wrong.value = found }, error => { wrong.value = [{ detail: reason(error) }] }), 250)
    return () => clearTimeout(soon)
  }, [value.value, into.value])
  const save = () => doing(async () => {
    busy.value = true
    try { wrong.value = await send(into.value, p.item?.key, JSON.parse(value.value)) } finally { busy.value = false }
    if (wrong.value.length > 0) return
    say(p.item ? 'The item is changed' : 'The item is added')
    p.onDone()
  })
  return (
    <section class="detail" aria-label="Item" onKeyDown={e => { if (e.key === 'Escape') p.onDone() }}>
      <header class="bar"><h2>{p.item ? 'Item' : 'New item'} <code class="hint">{p.collection}{p.item && ' ' + p.item.key}</code></h2><span class="grow" /><button class="quiet" aria-label="Close the item" onClick={p.onDone}>✕</button></header>
      <form class="scroll column" onSubmit={e => { e.preventDefault(); void save() }}>
        {!p.item && /[{}]/.test(p.collection) && <label class="field">Collection, with its parents<input value={into.value} onInput={e => { into.value = e.currentTarget.value }} /></label>}
        <JsonInput class="grow" label="JSON of the item" readOnly={!allows.value.change} invalid={!!broken.value || wrong.value.length > 0} text={value.value} wrong={wrong.value} onInput={text => { value.value = text }} onDone={save} />
        {broken.value && value.value && <p class="hint warn">{broken.value}</p>}
        {wrong.value.length > 0 && <div role="alert"><ul class="findings">{wrong.value.slice(0, 20).map(w => <li class="error"><p>{w.detail}</p></li>)}</ul></div>}
        {p.item && <p class="hint history">
          {p.item.madeBy === undefined && !p.item.changedBy?.length && 'No request of the journal has made or changed it.'}
          {p.item.madeBy !== undefined && <By n={p.item.madeBy} did="made" />}{p.item.changedBy?.map(n => <By n={n} did="changed" />)}
        </p>}
        <footer class="start">
          <Change><button class="accent" disabled={!!broken.value || incomplete || busy.value || value.value === before.value}>{p.item ? 'Save' : 'Add'}</button></Change>
          <button type="button" onClick={() => copy(value.value, 'the item')}>Copy</button>
          <span class="grow" />
          {p.item && <Change><button type="button" class="danger" onClick={() => doing(async () => { await remove(p.collection, p.item!.key); p.onDone() }, 'The item is deleted')}>Delete</button></Change>}
        </footer>
      </form>
    </section>
  )
}

// By links to an exchange.
function By({ n, did }: { n: number; did: string }) {
  version.value
  const row = rows.find(r => r.number === n)
  return <a href={link('traffic', { n: String(n), c: null, k: null })}>{did} by {n} {row && `${row.method} ${row.target}`}</a>
}
