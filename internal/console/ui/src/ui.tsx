// Parts that several views use.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { allows, say, text as fetchText, type Finding } from './api'

// Dialog is modal while it is shown. Escape closes it. The focus begins in its first field.
export function Dialog(p: { title: string; onClose: () => void; wide?: boolean; children: ComponentChildren }) {
  const ref = useRef<HTMLDialogElement>(null), id = useId()
  useEffect(() => {
    ref.current!.showModal()
    ref.current!.querySelector<HTMLElement>('input, textarea')?.focus()
  }, [])
  return (
    <dialog ref={ref} class={p.wide ? 'wide' : ''} aria-labelledby={id} onClose={p.onClose}
      onMouseDown={event => { if (event.target === ref.current) p.onClose() }}>
      <div class="dialog">
        <header><h2 id={id}>{p.title}</h2><button class="quiet" aria-label="Close" onClick={p.onClose}>✕</button></header>
        {p.children}
      </div>
    </dialog>
  )
}

// Change shows what changes the mock, unless the page only reads.
export const Change = ({ children }: { children: ComponentChildren }) => allows.value.change ? <>{children}</> : null

// Menu is a button that opens a panel below it.
export function Menu(p: { label: ComponentChildren; title: string; class?: string; right?: boolean; disabled?: boolean; children: (close: () => void) => ComponentChildren }) {
  const open = useSignal(false), ref = useRef<HTMLSpanElement>(null), panel = useRef<HTMLDivElement>(null)
  const close = () => { open.value = false; ref.current?.querySelector<HTMLElement>('button')?.focus() }
  useLayoutEffect(() => {
    if (!open.value) return
    const box = panel.current!, rect = box.getBoundingClientRect()
    if (rect.left < 4) box.style.transform = `translateX(${4 - rect.left}px)`
    if (rect.right > innerWidth - 4) box.style.transform = `translateX(${innerWidth - 4 - rect.right}px)`
    if (rect.bottom > innerHeight - 4) box.style.maxHeight = Math.max(160, innerHeight - 8 - rect.top) + 'px'
    box.querySelector<HTMLElement>('button, input, a')?.focus()
    const away = (event: Event) => { if (!ref.current?.contains(event.target as Node)) open.value = false }
    addEventListener('pointerdown', away)
    return () => removeEventListener('pointerdown', away)
  }, [open.value])
  return (
    <span class="menu" ref={ref} onKeyDown={event => { if (open.value && event.key === 'Escape') { event.stopPropagation(); close() } }}>
      <button class={p.class} aria-expanded={open.value} aria-haspopup="dialog" disabled={p.disabled} onClick={() => { open.value = !open.value }}>{p.label} <span aria-hidden="true">▾</span></button>
      {open.value && <div class={'panel' + (p.right ? ' right' : '')} role="dialog" aria-label={p.title} ref={panel}>{p.children(close)}</div>}
    </span>
  )
}

// List shows the rows of a long list that are in view. The arrows choose a row, Enter opens it.
export function List<T>(p: {
  label: string; items: T[]; keyOf: (item: T) => string | number; chosen: string | number | null; height: number; columns?: string[]
  onChoose: (item: T) => void; onOpen?: (item: T) => void; row: (item: T) => ComponentChildren; class?: string; empty: ComponentChildren
}) {
  const ref = useRef<HTMLDivElement>(null), top = useSignal(0), size = useSignal(600), id = useId()
  const first = useRef<{ key: string | number | null; count: number }>({ key: null, count: 0 })
  useEffect(() => {
    const box = ref.current!, watch = new ResizeObserver(() => { size.value = box.clientHeight })
    watch.observe(box)
    return () => watch.disconnect()
  }, [])
  // New rows come above those that are read: these stay where they are.
  useLayoutEffect(() => {
    const box = ref.current!, key = p.items.length ? p.keyOf(p.items[0]) : null
    if (box.scrollTop > p.height && first.current.key !== null && key !== first.current.key) {
      const now = p.items.findIndex(item => p.keyOf(item) === first.current.key)
      if (now > 0) box.scrollTop += now * p.height
    }
    first.current = { key, count: p.items.length }
  }, [p.items])
  const at = p.items.findIndex(item => p.keyOf(item) === p.chosen)
  const show = (index: number) => {
    const box = ref.current!, head = p.columns ? p.height : 0
    if (index * p.height < box.scrollTop) box.scrollTop = index * p.height
    else if ((index + 1) * p.height + head > box.scrollTop + box.clientHeight) box.scrollTop = (index + 1) * p.height + head - box.clientHeight
  }
  const keys = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(size.value / p.height) - 2)
    const move: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: p.items.length - 1 }
    if (event.key === 'Enter' && at >= 0) { (p.onOpen ?? p.onChoose)(p.items[at]); event.preventDefault(); return }
    if (!(event.key in move) || p.items.length === 0 || event.target !== ref.current) return
    event.preventDefault()
    const index = Math.min(p.items.length - 1, Math.max(0, move[event.key]))
    p.onChoose(p.items[index])
    show(index)
  }
  const from = Math.max(0, Math.floor(top.value / p.height) - 8), to = Math.min(p.items.length, from + Math.ceil(size.value / p.height) + 16)
  const head = p.columns ? 1 : 0
  return (
    <div class={'list ' + (p.class ?? '')} ref={ref} role="grid" aria-label={p.label} tabIndex={0} aria-rowcount={p.items.length + head}
      aria-activedescendant={at >= from && at < to ? `${id}-${at}` : undefined}
      onScroll={() => { top.value = ref.current!.scrollTop }} onKeyDown={keys}>
      {p.columns && <div class="row head" role="row" aria-rowindex={1}>{p.columns.map(name => <span role="columnheader">{name}</span>)}</div>}
      {p.items.length === 0
        ? <div role="row"><div role="gridcell" class="empty">{p.empty}</div></div>
        : <div class="rows" role="rowgroup" style={{ height: p.items.length * p.height + 'px' }}>
            {p.items.slice(from, to).map((item, i) => (
              <div class={'row' + (from + i === at ? ' chosen' : '')} role="row" id={`${id}-${from + i}`} key={p.keyOf(item)} aria-rowindex={from + i + 1 + head}
                aria-selected={from + i === at} style={{ top: (from + i) * p.height + 'px', height: p.height + 'px' }} onClick={() => p.onChoose(item)}>
                {p.row(item)}
              </div>
            ))}
          </div>}
    </div>
  )
}
export const Cell = (p: { class?: string; title?: string; children?: ComponentChildren }) =>
  <span role="gridcell" class={p.class} title={p.title}>{p.children}</span>

export const Status = ({ code, fault }: { code: number; fault?: string }) =>
  <span class={'status s' + (fault ? 5 : Math.floor(code / 100))} title={fault}>{fault ? '⚡' + fault : code || '—'}</span>

export const Empty = (p: { children: ComponentChildren }) => <p class="empty">{p.children}</p>

export async function copy(text: string, what: string) {
  try {
    await navigator.clipboard.writeText(text)
    say(`Copied: ${what}`)
  } catch { say('The browser does not allow copying', [], true) }
}

export function download(name: string, text: string, type = 'application/json') {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const a = document.createElement('a')
  a.href = url
  a.download = name
  a.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

// choose lets people pick a file and returns its text.
export function choose(accept: string): Promise<string> {
  return new Promise(resolve => {
    const input = document.createElement('input')
    input.type = 'file'
    input.accept = accept
    input.onchange = async () => { if (input.files?.[0]) resolve(await input.files[0].text()) }
    input.click()
  })
}

// A place in the document, with its lines.
export interface Place { file?: string; line?: number; column?: number; pointer?: string }
const linesBefore = 2, linesAfter = 3
const known = new Map<string, Promise<string[]>>()
export const forgetLines = () => known.clear()

export function Lines({ place, open = true }: { place: Place; open?: boolean }) {
  const lines = useSignal<string[] | null>(null), shown = useSignal(open)
  const { file, line } = place, from = Math.max(1, (line ?? 1) - linesBefore)
  useEffect(() => {
    if (!file || !line || !shown.value) return
    const query = new URLSearchParams({ file, from: String(from), to: String(line + linesAfter) }).toString()
    if (!known.has(query)) known.set(query, fetchText('document/lines?' + query).then(text => JSON.parse(text).lines as string[]))
    known.get(query)!.then(found => { lines.value = found }, () => { known.delete(query); lines.value = [] })
  }, [file, line, shown.value])
  if (!file || !line) return null
  return (
    <details class="lines" open={shown.value} onToggle={event => { shown.value = event.currentTarget.open }}>
      <summary><code>{file}:{line}{place.column ? ':' + place.column : ''}</code></summary>
      {lines.value && lines.value.length > 0 &&
        <pre class="source" tabIndex={0} aria-label={`${file}, line ${line}`}>{lines.value.map((text, i) => <span class={from + i === line ? 'hit' : ''}><i>{from + i}</i>{text + '\n'}</span>)}</pre>}
    </details>
  )
}

export const where = (f: Finding) => [f.in, f.name, ...(f.pointer ?? '').split('/').slice(1).map(unescape)].filter(Boolean).join('.')
const unescape = (token: string) => token.replaceAll('~1', '/').replaceAll('~0', '~')

export const Findings = ({ findings, open = 3 }: { findings: Finding[]; open?: number }) => (
  <ul class="findings">{findings.map((f, i) => (
    <li class={f.severity} key={i}>
      <p><b class="severity">{f.severity}</b> {where(f) && <code>{where(f)}</code>} {f.message} <span class="code">{f.code}</span></p>
      <Lines place={f.document} open={i < open} />
    </li>
  ))}</ul>
)

export const bytes = (n: number) => n < 1000 ? `${n} B` : n < 1e6 ? `${(n / 1e3).toFixed(n < 1e4 ? 1 : 0)} kB` : `${(n / 1e6).toFixed(1)} MB`
export const took = (micros: number) => micros < 1000 ? `${micros} µs` : micros < 1e6 ? `${(micros / 1e3).toFixed(micros < 1e4 ? 1 : 0)} ms` : `${(micros / 1e6).toFixed(1)} s`
export const plural = (n: number, one: string, more = one + 's') => `${n} ${n === 1 ? one : more}`
