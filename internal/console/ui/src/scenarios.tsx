// Scenarios: what makes the mock answer differently, as switches with what they counted.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { allows, api, doing, done, ofSession, Refused, say, session, type Problem, type Scenario } from './api'
import { putScenario } from './fail'
import { refresh, useLive } from './live'
import { Change, copy, Dialog, Empty } from './ui'
import { param, set } from './url'

const chosen = param('s')

const query = () => ({ params: { query: ofSession() } })
const named = (name: string) => ({ params: { path: { name }, query: ofSession() } })

export function Scenarios() {
  const { value, failure } = useLive(async () => (await done(api.GET('/__coldframe/scenarios', query()))).scenarios)
  const adding = useSignal(false)
  const scenario = value?.find(s => s.name === chosen.value)
  const flip = (s: Scenario) => doing(async () => { await done(api.PATCH('/__coldframe/scenarios/{name}', { ...named(s.name), body: { active: !s.active } })); refresh() })
  return (
    <div class={'panes even' + (scenario ? ' open' : ' alone')}>
      <section class="main" aria-label="Scenarios">
        <div class="bar">
          <Change>
            <button onClick={() => { adding.value = true }}>New scenario</button>
            <button onClick={() => doing(async () => { await done(api.DELETE('/__coldframe/scenarios', query())); refresh() }, 'The scenarios are those of the files again')}>Undo all changes</button>
          </Change>
          <span class="grow" />
          <span class="hint">{session.value === null ? 'for all sessions' : `in session ${session.value || 'default'}`}</span>
        </div>
        <div class="scroll flush">
          {failure && <Empty>{failure}</Empty>}
          {value?.length === 0 && <Empty>No scenario. One makes operations fail, slow or different: use “Fail this” in Traffic or Operations, or write one.</Empty>}
          <ul class="switches" aria-label="Scenarios">{value?.map(s => {
            const count = s.rules.reduce((sum, rule) => sum + rule.matched, 0)
            return (
              <li key={s.name} class={s.name === chosen.value ? 'chosen' : ''}>
                <input type="checkbox" role="switch" aria-label={`${s.name} is active`} checked={s.active} disabled={!allows.value.change} onChange={() => flip(s)} />
                <button class="plain" aria-pressed={s.name === chosen.value} onClick={() => set({ s: s.name === chosen.value ? null : s.name })}>
                  <b>{s.name}</b><span class="hint">{s.description}</span>
                </button>
                {s.state && <span class="tag">{s.state}</span>}
                <span class="count" title="requests that its rules applied to">{count > 0 && count}</span>
              </li>
            )
          })}</ul>
        </div>
      </section>
      {scenario && <Detail s={scenario} key={scenario.name} />}
      {adding.value && <NewScenario onClose={() => { adding.value = false }} />}
    </div>
  )
}

type Wrong = NonNullable<Problem['errors']>

function Editor(p: { text: string; onText: (text: string) => void; wrong: Wrong; rows: number }) {
  return <>
    <label class="field">Text of the scenario file<textarea class="text" rows={p.rows} readOnly={!allows.value.change} spellcheck={false} value={p.text} aria-invalid={p.wrong.length > 0} onInput={e => p.onText(e.currentTarget.value)} /></label>
    {p.wrong.length > 0 && <div role="alert"><ul class="findings">{p.wrong.map(e => <li class="error"><p><code>{e.line ? `line ${e.line}:${e.column}` : ''}</code> {e.detail}</p></li>)}</ul></div>}
  </>
}

// put returns what is wrong with the text.
async function put(name: string, text: string): Promise<Wrong> {
  try {
    await putScenario(name, text, ofSession())
    return []
  } catch (error) {
    if (error instanceof Refused) return error.problem.errors ?? [{ detail: error.message }]
    throw error
  }
}

function Detail({ s }: { s: Scenario }) {
  const text = useSignal<string | null>(null), saved = useSignal(''), wrong = useSignal<Wrong>([])
  const counts = JSON.stringify([s.file, s.description, s.rules.map(rule => [rule.number, rule.line, rule.on])])
  useEffect(() => { // the text, unless it is being edited
    done(api.GET('/__coldframe/scenarios/{name}', named(s.name))).then(one => {
      if (text.value === null || text.value === saved.value) text.value = one.text ?? ''
      saved.value = one.text ?? ''
    }, () => {})
  }, [s.name, counts, session.value])
  const act = (what: () => Promise<unknown>, says?: string) => doing(async () => { await what(); refresh() }, says)
  const of = { session: session.value ?? '' }
  return (
    <section class="detail" aria-label={`Scenario ${s.name}`} tabIndex={-1} onKeyDown={e => { if (e.key === 'Escape') set({ s: null }) }}>
      <header class="bar"><h2>{s.name}</h2><span class="grow" /><button class="quiet" aria-label="Close the detail" onClick={() => set({ s: null })}>✕</button></header>
      <div class="scroll">
        {s.description && <p>{s.description}</p>}
        <dl class="facts">
          <div><dt>File</dt><dd>{s.file || 'none'}</dd></div>
          {(s.states?.length ?? 0) > 0 && <div><dt>State</dt><dd><select aria-label="State" disabled={!allows.value.change} value={s.state ?? s.states![0]} onChange={e => act(() => done(api.PUT('/__coldframe/scenarios/{name}/state', { params: { path: { name: s.name }, query: of }, body: { state: e.currentTarget.value } })))}>
            {s.states!.map(state => <option value={state}>{state}</option>)}</select></dd></div>}
        </dl>
        <h3>Rules</h3>
        <table class="grid"><thead><tr><th scope="col">Rule</th><th scope="col">Line</th><th scope="col">Operations</th><th scope="col">Applied</th></tr></thead>
          <tbody>{s.rules.map(rule => <tr><td>{rule.number}</td><td>{rule.line}</td><td><code>{rule.on.join(', ')}</code>{rule.description && <span class="hint"> {rule.description}</span>}</td><td class="count">{rule.matched}</td></tr>)}</tbody></table>
        <form onSubmit={e => { e.preventDefault(); void act(async () => {
          wrong.value = await put(s.name, text.value ?? '')
          if (wrong.value.length === 0) { saved.value = text.value ?? ''; say('The scenario is in force') }
        }) }}>
          <Editor text={text.value ?? ''} onText={value => { text.value = value }} wrong={wrong.value} rows={Math.min(24, Math.max(8, (text.value ?? '').split('\n').length + 1))} />
          <footer class="start">
            <Change><button class="accent" disabled={text.value === saved.value}>Apply</button></Change>
            {allows.value.change && allows.value.save && <button type="button" disabled={text.value !== saved.value} onClick={() => doing(async () => {
              const { file } = await done(api.POST('/__coldframe/scenarios/{name}/save', named(s.name)))
              say(`Saved as ${file}`)
            })}>Save to file</button>}
            <button type="button" onClick={() => copy(text.value ?? '', s.name)}>Copy</button>
            <Change><button type="button" onClick={() => act(() => done(api.DELETE('/__coldframe/scenarios/{name}/state', { params: { path: { name: s.name }, query: of } })), 'Its counts and state begin anew')}>Reset counts</button>
            <span class="grow" />
            <button type="button" class="danger" onClick={() => act(async () => { await done(api.DELETE('/__coldframe/scenarios/{name}', named(s.name))); set({ s: null }) }, `${s.name} is deleted`)}>Delete</button></Change>
          </footer>
        </form>
      </div>
    </section>
  )
}

function NewScenario({ onClose }: { onClose: () => void }) {
  const name = useSignal(''), text = useSignal('rules:\n  - on: "*"\n    delay: 500ms\n'), wrong = useSignal<Wrong>([])
  return (
    <Dialog title="New scenario" wide onClose={onClose}>
      <form onSubmit={e => { e.preventDefault(); void doing(async () => {
        wrong.value = await put(name.value, text.value)
        if (wrong.value.length === 0) { set({ s: name.value }); onClose() }
      }) }}>
        <label class="field">Name<input required pattern={'[!#-+\\-.-:<-\\[\\]-~]+'} title="ASCII without spaces, commas, semicolons, quotes and backslashes" value={name.value} onInput={e => { name.value = e.currentTarget.value }} /></label>
        <Editor text={text.value} onText={value => { text.value = value }} wrong={wrong.value} rows={12} />
        <footer><button type="button" onClick={onClose}>Cancel</button><button class="accent">Apply</button></footer>
      </form>
    </Dialog>
  )
}
