// Ask is a question for a name or for a yes, before something is done.
import { useSignal } from '@preact/signals'
import { Dialog } from './ui'

export interface Ask { title: string; verb: string; label?: string; hint?: string; value?: string; danger?: boolean; act: (value: string) => unknown }

export const Ask = {
  Dialog(p: Ask & { onClose: () => void }) {
    const value = useSignal(p.value ?? '')
    return (
      <Dialog title={p.title} onClose={p.onClose}>
        <form onSubmit={e => { e.preventDefault(); p.onClose(); p.act(value.value.trim()) }}>
          {p.hint && <p>{p.hint}</p>}
          {p.label && <label class="field">{p.label}<input required value={value.value} onInput={e => { value.value = e.currentTarget.value }} /></label>}
          <footer><button type="button" onClick={p.onClose}>Cancel</button><button class={p.danger ? 'danger' : 'accent'}>{p.verb}</button></footer>
        </form>
      </Dialog>
    )
  },
}
