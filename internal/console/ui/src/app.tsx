// The console: its frame, and the choice of view and session.
import { render } from 'preact'
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { allows, api, done, session, token, tokenMissing } from './api'
import { Brand, Busy, ThemeButton, Toasts, TokenDialog } from './frame'
import { connected, follow, useLive } from './live'
import { Dialog, Empty, forgetLines } from './ui'
import { go, link, set, view } from './url'
import { Document } from './document'
import { forgetOperations } from './operation'
import { Operations } from './operations'
import { Proxy } from './proxy'
import { Scenarios } from './scenarios'
import { Sessions } from './sessions'
import { State } from './state'
import { Traffic } from './traffic'

const views: [string, string, () => preact.JSX.Element][] = [
  ['traffic', 'Traffic', Traffic], ['scenarios', 'Scenarios', Scenarios], ['state', 'State', State], ['operations', 'Operations', Operations],
  ['sessions', 'Sessions', Sessions], ['document', 'Document', Document], ['proxy', 'Proxy', Proxy], // the last one, which a mock does not have
]

const isProxy = signal(view.value === 'proxy')
void api.GET('/__coldframe/sources').then(({ response }) => { isProxy.value ||= response.ok }, () => {})

const help = signal(false)
const keys: [string, string][] = [
  ['/', 'search'], ['?', 'this help'], ['1 to 7', 'the views'], ['↑ ↓', 'choose a row of a list'], ['Enter', 'go to what is chosen'], ['Esc', 'close'], ['p', 'pause and resume the traffic'],
]

addEventListener('keydown', event => {
  const at = event.target as HTMLElement
  if (event.ctrlKey || event.metaKey || event.altKey || at.matches('input, textarea, select, .editor') || document.querySelector('dialog[open]')) return
  if (event.key === '/') { document.querySelector<HTMLElement>('#search')?.focus(); event.preventDefault() }
  if (event.key === '?') help.value = true
  if (event.key === 'p') document.querySelector<HTMLElement>('[data-pause]')?.click()
  const number = Number(event.key)
  if (number >= 1 && number <= views.length) go(views[number - 1][0])
})

function App() {
  const [, title, View] = views.find(([name]) => name === view.value) ?? views[0]
  const shown = views.find(([name]) => name === view.value)?.[0] ?? views[0][0]
  const { value: served } = useLive(() => done(api.GET('/__coldframe/document')), { slow: true })
  useEffect(() => { document.title = [title, served?.title, 'coldframe'].filter(Boolean).join(' · ') }, [title, served?.title])
  useEffect(() => { if (served) allows.value = { change: !served.readOnly, save: served.allowEdit } }, [served?.readOnly, served?.allowEdit])
  useEffect(() => { // another version of the document
    forgetLines()
    forgetOperations()
  }, [served?.sha256])
  return (
    <>
      <header class="top">
        <Brand href={link('traffic')} />
        <nav aria-label="Views">{views.filter(([name]) => name !== 'proxy' || isProxy.value).map(([name, label]) => <a href={link(name)} aria-current={name === shown ? 'page' : undefined}>{label}</a>)}</nav>
        <span class="grow" />
        {served?.reload && <a class="failed" href={link('document')}>reload failed</a>}
        {!allows.value.change && <span class="tag" title="The mock was started with --read-only-console: this page shows, and changes nothing.">read only</span>}
        <SessionPicker />
        <span class={'connection ' + connected.value} role="status">{connected.value === 'off' ? 'no connection' : connected.value === 'live' ? 'live' : ''}</span>
        <ThemeButton />
        <button class="quiet" aria-label="Help" onClick={() => { help.value = true }}>?</button>
      </header>
      <main><h1 class="unseen">{title}</h1>{tokenMissing.value && !token.value ? <Empty>The control API needs its token.</Empty> : <View key={shown} />}</main>
      <TokenDialog />
      {help.value && <Dialog title="Keyboard" onClose={() => { help.value = false }}><table class="keys"><tbody>{keys.map(([key, what]) => <tr><th scope="row"><kbd>{key}</kbd></th><td>{what}</td></tr>)}</tbody></table></Dialog>}
      <Busy />
      <Toasts />
    </>
  )
}

function SessionPicker() {
  const { value } = useLive(async () => (await done(api.GET('/__coldframe/sessions'))).sessions)
  const names = (value ?? []).map(s => s.name === 'default' ? '' : s.name)
  const chosen = session.value === 'default' ? '' : session.value
  return (
    <label class="session">Session <select value={chosen === null ? '*' : chosen} onChange={e => set({ session: e.currentTarget.value === '*' ? null : e.currentTarget.value, n: null })}>
      <option value="*">all</option>
      {[...new Set(['', ...names, ...(chosen === null ? [] : [chosen])])].map(name => <option value={name}>{name || 'default'}</option>)}
    </select></label>
  )
}

render(<App />, document.getElementById('app')!)
void follow()
