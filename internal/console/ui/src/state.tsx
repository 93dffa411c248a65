// State: the items of a session as tables and JSON.
import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { api, call, controlURL, doing, done, Refused, say, session, sessionHeader, sessionName } from './api'
import { Ask } from './ask'
import { change, getState } from './items'
import { changed, epoch, rows, useLive, version } from './live'
import { Cell, choose, copy, download, Empty, List, Menu, plural } from './ui'
import { link, param, set } from './url'

const collection = param('c'), key = param('k'), text = param('text')
const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object' && !Array.isArray(value)
const short = (value: unknown) => typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

// columnsOf chooses the properties that tell items apart: present in most, different in most, short.
function columnsOf(items: unknown[]): string[] {
  const some = items.filter(isObject).slice(0, 50), names = new Set(some.flatMap(item => Object.keys(item)))
  const weighed = [...names].map(name => {
    const texts = some.flatMap(item => name in item ? [short(item[name])] : [])
    const length = texts.reduce((sum, text) => sum + text.length, 0) / texts.length
    return { name, length, weight: texts.length / some.length + new Set(texts).size / texts.length - Math.min(1.5, length / 40) }
  })
  return weighed.sort((a, b) => b.weight - a.weight).slice(0, 6).map(column => column.name)
}

export function State() {
  const { value: state, failure } = useLive(getState)
  const { value: operations } = useLive(async () => (await done(api.GET('/__coldframe/operations'))).operations, { slow: true })
  const { value: sessions } = useLive(async () => (await done(api.GET('/__coldframe/sessions'))).sessions)
  const creators = useMemo(() => new Map((operations ?? []).filter(o => o.resource?.does === 'create' && !o.path.includes('{')).map(o => ['/' + o.resource!.collection, o])), [operations])
  const names = [...new Set([...Object.keys(state ?? {}), ...creators.keys()])].sort()
  const chosen = names.find(name => name === collection.value || name.replace(/^\//, '') === collection.value) ?? (collection.value && state ? null : names[0] ?? null)
  const ask = useSignal<Ask | null>(null), editing = useSignal<{ item?: unknown } | null>(null)
  const items = chosen ? state?.[chosen] ?? [] : []
  const words = (text.value ?? '').toLowerCase()
  const shown = useMemo(() => items.map((item, i) => ({ item, i })).filter(row => !words || JSON.stringify(row.item).toLowerCase().includes(words)), [items, words])
  const columns = useMemo(() => columnsOf(items), [items])
  useEffect(() => { editing.value = null }, [chosen, session.value])
  useEffect(() => { // a link to an item
    const found = key.value !== null && items.find(item => isObject(item) && Object.values(item).some(value => String(value) === key.value))
    if (found) editing.value = { item: found }
  }, [key.value, state === undefined])
  const act = (action: 'reset' | 'snapshot' | 'restore' | 'fork', body: { label?: string; to?: string }, says: string) =>
    doing(async () => { await done(api.POST('/__coldframe/sessions/{name}/{action}', { params: { path: { name: sessionName(), action } }, body })); editing.value = null; changed() }, says)
  const at = sessions?.find(s => s.name === sessionName())
  const importData = () => doing(async () => {
    const response = await call(controlURL + 'state', { method: 'PUT', body: await choose('.json,.yaml,.yml'), headers: { ...sessionHeader(), 'Content-Type': 'application/yaml' } })
    if (!response.ok) throw new Refused(response.status, await response.json().catch(() => ({})))
    const { findings } = await response.json()
    changed()
    say(findings.length ? `Imported, with ${plural(findings.length, 'warning')}: ${findings[0].message}` : 'Imported')
  })
  const creator = chosen === null ? undefined : creators.get(chosen)
  return (
    <div class={'panes ' + (editing.value ? 'three open' : 'two')}>
      <nav class="side" aria-label="Collections">
        <p class="hint">Session {sessionName()}</p>
        {failure && <Empty>{failure}</Empty>}
        {names.map(name => <a href={link('state', { c: name })} aria-current={name === chosen ? 'page' : undefined} key={name}><code>{name}</code><span class="count">{state?.[name]?.length ?? 0}</span></a>)}
        {state && names.length === 0 && <p class="hint">No items, and no operation that creates one.</p>}
      </nav>
      <section class="main" aria-label={`Items of ${chosen ?? 'no collection'}`}>
        <div class="bar">
          <input id="search" type="search" class="grow" placeholder="Search items" aria-label="Search items (/)" value={text.value ?? ''} onInput={e => set({ text: e.currentTarget.value || null })} />
          <button class="accent" disabled={!chosen} onClick={() => { editing.value = {} }}>Add item</button>
          <button onClick={() => act('reset', {}, `${sessionName()} has its initial items`)}>Reset</button>
          <Menu label="Snapshots" title="Snapshots" right>{close => <div class="stack">
            <button onClick={() => { close(); ask.value = { title: 'Snapshot', label: 'Label', verb: 'Save', value: 'default', act: label => act('snapshot', { label }, `Saved as ${label}`) } }}>Save…</button>
            {at?.snapshots.map(label => <button key={label} onClick={() => { close(); void act('restore', { label }, `As in ${label}`) }}>Restore {label}</button>)}
            <button onClick={() => { close(); ask.value = { title: 'Copy the session', label: 'Name of the copy', verb: 'Copy', value: '', act: to => act('fork', { to }, `Session ${to} is created`) } }}>Copy to a session…</button>
          </div>}</Menu>
          <Menu label="Data" title="Data" right>{close => <div class="stack">
            <button onClick={() => { close(); void doing(async () => download(`${sessionName()}.json`, JSON.stringify(await getState(), null, 2))) }}>Export items</button>
            <button onClick={() => { close(); void importData() }}>Import items…</button>
            <button class="danger" onClick={() => { close(); ask.value = { title: `Delete all items of ${sessionName()}?`, verb: 'Delete', danger: true, act: () => doing(async () => { await done(api.DELETE('/__coldframe/state', { headers: sessionHeader() })); editing.value = null; changed() }, 'All items are deleted') } }}>Delete all items…</button>
          </div>}</Menu>
        </div>
        <div class="table" style={{ '--columns': columns.length || 1 }}>
          <List class="items" label={`Items of ${chosen ?? ''}`} items={shown} keyOf={row => row.i} chosen={shown.find(row => row.item === editing.value?.item)?.i ?? null} height={28} columns={columns.length ? columns : ['item']}
            onChoose={row => { editing.value = { item: row.item } }} onOpen={() => document.querySelector<HTMLElement>('.detail textarea')?.focus()}
            empty={state === undefined ? 'Loading…' : words ? 'No item matches.' : <>No items. {creator ? <>Add one here, or with <a href={link('operations', { o: creator.operation })}>{creator.method} {creator.path}</a>.</> : ''}</>}
            row={row => columns.length && isObject(row.item) ? <>{columns.map(name => <Cell title={short((row.item as Record<string, unknown>)[name])}>{short((row.item as Record<string, unknown>)[name])}</Cell>)}</> : <Cell>{short(row.item)}</Cell>} />
        </div>
      </section>
      {editing.value && chosen && <Edit collection={chosen} item={editing.value.item} template={editing.value.item === undefined ? template(items, creator?.operation) : null} key={JSON.stringify(editing.value.item) + chosen} onDone={item => { editing.value = item === undefined ? null : { item } }} />}
      {ask.value && <Ask.Dialog {...ask.value} onClose={() => { ask.value = null }} />}
    </div>
  )
}

// template returns a new item like what an operation takes, or like the last one of the collection.
async function template(items: unknown[], operation: string | undefined): Promise<unknown> {
  if (operation) {
    const { sample } = await done(api.GET('/__coldframe/operations/{operation}', { params: { path: { operation } } }))
    if (sample?.body) try { return JSON.parse(sample.body) } catch { /* not JSON */ }
  }
  const last = items.at(-1)
  return isObject(last) ? Object.fromEntries(Object.entries(last).filter(([name]) => name !== 'id')) : {}
}

// History lists the requests that made and changed an item. An item of the start has none.
function History({ collection, item }: { collection: string; item: unknown }) {
  version.value; epoch.value
  if (!isObject(item)) return null
  const values = new Set(Object.values(item).filter(value => typeof value === 'string' || typeof value === 'number').map(String)), of = session.value === null || session.value === 'default' ? '' : session.value
  const found = rows.flatMap(r => r.session !== of ? [] : r.writes.filter(w => w.collection === collection && values.has(w.key)).map(w => ({ r, w })))
  return (
    <p class="hint history">{found.length === 0 ? 'No request of the traffic has changed it.' : found.slice(-20).map(({ r, w }) =>
      <a href={link('traffic', { n: String(r.number), c: null, k: null })}>{w.did} by {r.number} {r.method} {r.target}</a>)}</p>
  )
}

function Edit(p: { collection: string; item: unknown; template: Promise<unknown> | null; onDone: (item: unknown) => void }) {
  const before = JSON.stringify(p.item, null, 2) ?? '', value = useSignal(before), wrong = useSignal<string[]>([])
  useEffect(() => { p.template?.then(item => { if (value.value === '') value.value = JSON.stringify(item, null, 2) }, () => {}) }, [])
  const broken = useComputed(() => { try { JSON.parse(value.value); return '' } catch (error) { return (error as Error).message } })
  const save = async () => {
    wrong.value = []
    try {
      const item = JSON.parse(value.value), findings = await change(p.collection, p.item, item)
      say(p.item === undefined ? 'The item is added' : 'The item is changed')
      if (findings.length) say(findings[0].message, [], true)
      p.onDone(undefined)
    } catch (error) {
      wrong.value = error instanceof Refused && error.problem.errors?.length ? error.problem.errors.map(e => e.detail) : [(error as Error).message]
    }
  }
  return (
    <section class="detail" aria-label="Item" onKeyDown={e => { if (e.key === 'Escape') p.onDone(undefined) }}>
      <header class="bar"><h2>{p.item === undefined ? 'New item' : 'Item'} <code class="hint">{p.collection}</code></h2><span class="grow" /><button class="quiet" aria-label="Close the item" onClick={() => p.onDone(undefined)}>✕</button></header>
      <form class="scroll column" onSubmit={e => { e.preventDefault(); void save() }}>
        <textarea class="grow" aria-label="JSON of the item" spellcheck={false} aria-invalid={!!broken.value || wrong.value.length > 0} value={value.value}
          onInput={e => { value.value = e.currentTarget.value; wrong.value = [] }} onKeyDown={e => { if ((e.ctrlKey || e.metaKey) && e.key === 'Enter') void save() }} />
        {broken.value && value.value && <p class="hint warn">{broken.value}</p>}
        {wrong.value.length > 0 && <div role="alert"><ul class="findings">{wrong.value.map(detail => <li class="error"><p>{detail}</p></li>)}</ul></div>}
        {p.item !== undefined && <History collection={p.collection} item={p.item} />}
        <footer class="start">
          <button class="accent" disabled={!!broken.value || value.value === before}>{p.item === undefined ? 'Add' : 'Save'}</button>
          <button type="button" onClick={() => copy(value.value, 'the item')}>Copy</button>
          <span class="grow" />
          {p.item !== undefined && <button type="button" class="danger" onClick={() => doing(async () => { await change(p.collection, p.item, undefined); p.onDone(undefined) }, 'The item is deleted')}>Delete</button>}
        </footer>
      </form>
    </section>
  )
}
