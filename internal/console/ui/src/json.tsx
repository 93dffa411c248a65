// JsonInput is a field for JSON: a text area, which becomes an editor once the editor's chunk is loaded.
import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { Editor } from './editor'
import type { Wrong } from './items'

let loaded: typeof import('./editor') | undefined

interface Props { text: string; label: string; wrong?: Wrong[]; invalid?: boolean; readOnly?: boolean; rows?: number; class?: string; onInput: (text: string) => void; onDone: () => void }

export function JsonInput(p: Props) {
  const ready = useSignal(!!loaded), host = useRef<HTMLDivElement>(null), area = useRef<HTMLTextAreaElement>(null), editor = useRef<Editor | null>(null), now = useRef(p)
  now.current = p
  useEffect(() => {
    if (!ready.value) import('./editor').then(module => { loaded = module; ready.value = true }, () => { /* the text area stays */ })
  }, [])
  useLayoutEffect(() => {
    if (!ready.value) return
    editor.current = loaded!.edit(host.current!, { text: p.text, label: p.label, readOnly: !!p.readOnly, onInput: text => now.current.onInput(text), onDone: () => now.current.onDone() })
    return () => editor.current!.destroy()
  }, [ready.value, p.readOnly])
  useEffect(() => { editor.current?.show(p.text, p.wrong ?? []) }, [ready.value, p.readOnly, p.text, p.wrong])
  if (ready.value) return <div class={'editor ' + (p.class ?? '')} ref={host} style={p.rows ? { height: p.rows * 18 + 16 + 'px' } : {}} />
  return <textarea class={p.class} rows={p.rows} aria-label={p.label} ref={area} readOnly={p.readOnly} spellcheck={false} aria-invalid={p.invalid} value={p.text}
    onInput={e => p.onInput(e.currentTarget.value)} onKeyDown={e => { if ((e.ctrlKey || e.metaKey) && e.key === 'Enter') p.onDone() }} />
}
