// Proxy: which operations go to the upstream, and which the mock answers; how the two differ.
import { allows, api, doing, done } from './api'
import { refresh, useLive } from './live'
import { Cell, Change, copy, Empty, List, plural } from './ui'
import { param, set } from './url'

const text = param('text'), chosen = param('o')

export function Proxy() {
  const { value, failure } = useLive(async () => (await done(api.GET('/__coldframe/sources'))).sources)
  const { value: learned } = useLive(async () => (await api.GET('/__coldframe/learned')).data ?? null, { slow: true })
  const words = (text.value ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const shown = (value ?? []).filter(s => words.every(word => s.operation.toLowerCase().includes(word)))
  const compared = new Map(learned?.operations.map(o => [o.operation, o])), detail = compared.get(chosen.value ?? '')
  const differing = learned?.operations.filter(o => o.differing > 0).length ?? 0
  const choose = (operation: string, source: string) => doing(async () => { await done(api.PATCH('/__coldframe/sources', { body: { operation, source: source as 'mock' } })); refresh() })
  if (failure) return <Empty>{failure}. <code>coldframe proxy DOCUMENT URL</code> starts one.</Empty>
  return (
    <div class={'panes even' + (detail ? ' open' : ' alone')}>
      <section class="main" aria-label="Operations">
        <div class="bar" role="search">
          <input id="search" type="search" class="grow" placeholder="Search operations" aria-label="Search operations (/)" value={text.value ?? ''} onInput={e => set({ text: e.currentTarget.value || null })} />
          <Change><button onClick={() => choose('*', 'mock')}>Mock all</button><button onClick={() => choose('*', 'default')}>As at the start</button></Change>
          {learned?.settings && <button onClick={() => copy(learned.settings!, 'lines of coldframe.yaml')}>Copy settings</button>}
          {learned?.overlay && <button onClick={() => copy(learned.overlay!, 'corrections of the document')}>Copy overlay</button>}
          <span class="hint" role="status">{plural(shown.length, 'operation')}, {shown.filter(s => s.source === 'mock').length} mocked{learned && `, ${differing} of ${compared.size} compared ones differ`}</span>
        </div>
        <List class="sources" label="Operations" items={shown} keyOf={s => s.operation} chosen={chosen.value} height={32} columns={['Operation', 'Source', 'Reason', 'Differs']} onChoose={s => set({ o: s.operation })} empty={value ? 'No operation matches.' : 'Loading…'}
          row={s => { const c = compared.get(s.operation); return <>
            <Cell class="path" title={s.operation}>{s.operation}</Cell>
            <Cell><select aria-label={`Source of ${s.operation}`} value={s.source} disabled={!allows.value.change} onChange={e => choose(s.operation, e.currentTarget.value)}><option value="forward">forward</option><option value="mock">mock</option><option value="default">as at the start</option></select></Cell>
            <Cell class="hint" title={s.reason}>{s.reason}</Cell>
            <Cell class={c && c.differing > 0 ? 'warn' : 'hint'}>{c && `${c.differing} of ${c.exchanges}`}</Cell>
          </> }} />
      </section>
      {detail && <section class="detail" aria-label={`Differences of ${detail.operation}`} tabIndex={-1} onKeyDown={e => { if (e.key === 'Escape') set({ o: null }) }}>
        <header class="bar"><h2><code>{detail.operation}</code></h2><span class="grow" /><button class="quiet" aria-label="Close the differences" onClick={() => set({ o: null })}>✕</button></header>
        <div class="scroll">
          <p>The mock differs from the upstream in {detail.differing} of {plural(detail.exchanges, 'exchange')}.</p>
          <ul class="findings">{detail.differences.map(difference => <li class="warning"><p>{difference}</p></li>)}</ul>
        </div>
      </section>}
    </div>
  )
}
