// Proxy: which operations go to the upstream, and which the mock answers.
import { allows, api, doing, done } from './api'
import { refresh, useLive } from './live'
import { Cell, Change, Empty, List, plural } from './ui'
import { param, set } from './url'

const text = param('text')

export function Proxy() {
  const { value, failure } = useLive(async () => (await done(api.GET('/__coldframe/sources'))).sources)
  const words = (text.value ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const shown = (value ?? []).filter(s => words.every(word => s.operation.toLowerCase().includes(word)))
  const choose = (operation: string, source: string) => doing(async () => { await done(api.PATCH('/__coldframe/sources', { body: { operation, source: source as 'mock' } })); refresh() })
  if (failure) return <Empty>{failure}. <code>coldframe proxy DOCUMENT URL</code> starts one.</Empty>
  return (
    <div class="main">
      <div class="bar" role="search">
        <input id="search" type="search" class="grow" placeholder="Search operations" aria-label="Search operations (/)" value={text.value ?? ''} onInput={e => set({ text: e.currentTarget.value || null })} />
        <Change><button onClick={() => choose('*', 'mock')}>Mock all</button><button onClick={() => choose('*', 'default')}>As at the start</button></Change>
        <span class="hint" role="status">{plural(shown.length, 'operation')}, {shown.filter(s => s.source === 'mock').length} mocked</span>
      </div>
      <List class="sources" label="Operations" items={shown} keyOf={s => s.operation} chosen={null} height={32} columns={['Operation', 'Source', 'Reason']} onChoose={() => {}} empty="No operation matches."
        row={s => <>
          <Cell class="path" title={s.operation}>{s.operation}</Cell>
          <Cell><select aria-label={`Source of ${s.operation}`} value={s.source} disabled={!allows.value.change} onChange={e => choose(s.operation, e.currentTarget.value)}><option value="forward">forward</option><option value="mock">mock</option><option value="default">as at the start</option></select></Cell>
          <Cell class="hint" title={s.reason}>{s.reason}</Cell>
        </>} />
    </div>
  )
}
