// The editor of JSON texts, in a chunk of its own, which is loaded when it is first needed. It lives in a shadow root, where its
// styles are style sheets made by script, which the page's policy allows.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, ensureSyntaxTree, HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language'
import { setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap, type ViewUpdate } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { Wrong } from './items'

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'light-dark(#1f4f86, #8fbdf0)' }, { tag: tags.string, color: 'light-dark(#276738, #8fd0a0)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'light-dark(#8b3d12, #e3a57c)' },
])
const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', background: 'var(--sunk)', fontSize: '12px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' }, '.cm-content': { caretColor: 'var(--text)', padding: '7px 0' },
  '.cm-line': { padding: '0 9px' }, '&.cm-focused': { outline: 'none' },
  '.cm-tooltip': { background: 'var(--ground)', border: '1px solid var(--edge)', color: 'var(--text)', maxWidth: '60ch' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
})

// rangeOf returns where a JSON Pointer leads in the text, or its nearest part that exists.
function rangeOf(state: EditorState, pointer: string): { from: number; to: number } {
  let node = ensureSyntaxTree(state, state.doc.length, 100)?.topNode.firstChild, key: typeof node = null
  for (const token of pointer.split('/').slice(1).map(t => t.replaceAll('~1', '/').replaceAll('~0', '~'))) {
    let found: typeof node = null
    if (node?.name === 'Array') {
      let n = Number(token)
      for (let child = node.firstChild; child && !found; child = child.nextSibling) if (!/[[\]]|⚠/.test(child.name) && n-- === 0) found = child
      if (found) { node = found; key = null }
    } else for (const property of node?.getChildren('Property') ?? []) {
      const name = property.getChild('PropertyName')
      try { if (!name || JSON.parse(state.sliceDoc(name.from, name.to)) !== token) continue } catch { continue }
      found = property
      node = property.lastChild!
      key = name
    }
    if (!found) break
  }
  if (key) return { from: key.from, to: key.to }
  return node ? { from: node.from, to: Math.min(node.to, node.from + 1) } : { from: 0, to: 0 }
}

export interface Editor { show(text: string, wrong: Wrong[]): void; focus(): void; destroy(): void }

export function edit(host: HTMLElement, p: { text: string; label: string; readOnly: boolean; onInput: (text: string) => void; onDone: () => void }): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const view = new EditorView({
    root, parent: root, doc: p.text, extensions: [
      history(), bracketMatching(), json(), syntaxHighlighting(colours), theme, indentUnit.of('  '), EditorView.lineWrapping,
      EditorState.readOnly.of(p.readOnly), EditorView.contentAttributes.of({ 'aria-label': p.label }),
      keymap.of([{ key: 'Mod-Enter', run: () => { p.onDone(); return true } }, ...defaultKeymap, ...historyKeymap]),
      EditorView.updateListener.of((update: ViewUpdate) => { if (update.docChanged) p.onInput(view.state.doc.toString()) }),
    ],
  })
  return {
    show(text, wrong) {
      if (text !== view.state.doc.toString()) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })
      const diagnostics = wrong.map((w): Diagnostic => ({ ...rangeOf(view.state, w.pointer ?? ''), severity: 'error', message: w.detail }))
      view.dispatch(setDiagnostics(view.state, diagnostics))
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  }
}
