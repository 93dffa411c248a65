// Sessions: isolated copies of the state, each with its scenarios and clock.
import { useSignal } from '@preact/signals'
import { allows, api, controlURL, doing, done, session, token } from './api'
import { refresh, useLive } from './live'
import { Ask } from './ask'
import { bytes, Change, Empty } from './ui'
import { link, set } from './url'

export function Sessions() {
  const { value, failure } = useLive(async () => (await done(api.GET('/__coldframe/sessions'))).sessions)
  const { value: memory } = useLive(() => done(api.GET('/__coldframe/memory')))
  const ask = useSignal<Ask | null>(null)
  const act = (name: string, action: 'reset' | 'snapshot' | 'restore' | 'fork' | 'rewind', body: { label?: string; to?: string }, says: string) =>
    doing(async () => { await done(api.POST('/__coldframe/sessions/{name}/{action}', { params: { path: { name, action } }, body })); refresh() }, says)
  const current = session.value === null ? null : session.value || 'default'
  return (
    <div class="main">
      <div class="bar">
        <Change><button onClick={() => { ask.value = { title: 'New session', label: 'Name', hint: 'It begins as a copy of the session default.', verb: 'Create', value: '', act: to => act('default', 'fork', { to }, `Session ${to} is created`) } }}>New session</button></Change>
        <span class="grow" />
        {memory && <span class="hint">{bytes(memory.used)} of {bytes(memory.limit)}</span>}
      </div>
      <div class="scroll">
        {failure && <Empty>{failure}</Empty>}
        <table class="grid stacked">
          <thead><tr><th scope="col">Session</th><th scope="col">Items</th><th scope="col">Snapshots</th><th scope="col">Actions</th></tr></thead>
          <tbody>{value?.map(s => (
            <tr key={s.name} class={s.name === current ? 'chosen' : ''}>
              <td><b>{s.name}</b> {s.name === current && <span class="tag">shown</span>}</td>
              <td><a href={link('state', { session: s.name === 'default' ? '' : s.name })}>{s.items}</a></td>
              <td>{s.snapshots.map(label => !allows.value.change ? <span class="tag" key={label}>{label}</span> : <span class="snapshot" key={label}>
                <button onClick={() => act(s.name, 'restore', { label }, `${s.name} is as in ${label}`)}>Restore {label}</button>
                <button class="quiet" aria-label={`Delete snapshot ${label} of ${s.name}`} onClick={() => doing(async () => { await done(api.DELETE('/__coldframe/sessions/{name}/snapshots/{label}', { params: { path: { name: s.name, label } } })); refresh() })}>✕</button></span>)}</td>
              <td class="actions">
                <button aria-label={`Show only session ${s.name}`} disabled={s.name === current} onClick={() => set({ session: s.name === 'default' ? '' : s.name })}>Show</button>
                {!token.value && <a class="button" target="_blank" rel="noreferrer" href={`${controlURL}sessions/${encodeURIComponent(s.name)}/use`} aria-label={`Use session ${s.name} in this browser`}>Use</a>}
                <Change><button aria-label={`Reset session ${s.name}`} onClick={() => act(s.name, 'reset', {}, `${s.name} has its initial items`)}>Reset</button>
                <button aria-label={`Snapshot of session ${s.name}`} onClick={() => { ask.value = { title: `Snapshot of ${s.name}`, label: 'Label', verb: 'Save', value: 'default', act: label => act(s.name, 'snapshot', { label }, `Saved as ${label}`) } }}>Snapshot</button>
                <button aria-label={`Copy session ${s.name}`} onClick={() => { ask.value = { title: `Copy of ${s.name}`, label: 'Name of the copy', verb: 'Copy', value: '', act: to => act(s.name, 'fork', { to }, `Session ${to} is created`) } }}>Copy</button>
                <button class="danger" aria-label={`Delete session ${s.name}`} onClick={() => { ask.value = { title: `Delete ${s.name}?`, hint: 'Its items, scenarios, snapshots and coverage are lost.', verb: 'Delete', danger: true, act: () => doing(async () => {
                  await done(api.DELETE('/__coldframe/sessions/{name}', { params: { path: { name: s.name } } }))
                  if (s.name === current) set({ session: null })
                  refresh()
                }, `${s.name} is deleted`) } }}>Delete</button></Change>
              </td>
            </tr>))}</tbody>
        </table>
        <p class="hint below">A request chooses its session by the header <code>Coldframe-Session</code>. <i>Use</i> gives this browser the cookie of a session, and opens the mock.</p>
      </div>
      {ask.value && <Ask.Dialog {...ask.value} onClose={() => { ask.value = null }} />}
    </div>
  )
}
