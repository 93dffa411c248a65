// The frame of both pages: the brand, the theme, the question for the token, and what happened.
import { effect, signal, useSignal } from '@preact/signals'
import { hush, setToken, slow, toasts, tokenMissing } from './api'
import { Dialog } from './ui'

export const Brand = ({ href }: { href: string }) => (
  <a class="brand" href={href}><svg viewBox="0 0 16 16" aria-hidden="true"><rect width="16" height="16" rx="3.5" /><path d="M3 11.5V8l5-3.5L13 8v3.5zM8 4.5v7M3 8h10" /></svg>coldframe</a>
)

const theme = signal(localStorage.getItem('coldframe-theme') ?? '')
effect(() => {
  document.documentElement.dataset.theme = theme.value
  localStorage.setItem('coldframe-theme', theme.value)
})
const isDark = () => theme.value ? theme.value === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches

export const ThemeButton = () => (
  <button class="quiet" aria-label={isDark() ? 'Light theme' : 'Dark theme'} onClick={() => { theme.value = isDark() ? 'light' : 'dark' }}>{isDark() ? '☀' : '☾'}</button>
)

// Busy shows that something takes long.
export const Busy = () => slow.value > 0 ? <div class="busy" role="progressbar" aria-label="Waiting" /> : null

export function TokenDialog({ hint = 'The mock needs a token: the value of --control-token, or the one that it printed at start.' }: { hint?: string }) {
  const value = useSignal('')
  if (!tokenMissing.value) return null
  return (
    <Dialog title="Token" onClose={() => { tokenMissing.value = false }}>
      <form onSubmit={e => { e.preventDefault(); setToken(value.value); value.value = '' }}>
        <p>{hint} This tab remembers it until it is closed.</p>
        <label class="field">Token <input type="password" autocomplete="off" required value={value.value} onInput={e => { value.value = e.currentTarget.value }} /></label>
        <footer><button class="accent">Continue</button></footer>
      </form>
    </Dialog>
  )
}

export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">{toasts.value.map(toast => (
    <div class={'toast' + (toast.bad ? ' bad' : '')} key={toast.id}>
      <span>{toast.text}</span>
      {toast.actions.map(([name, act]) => <button onClick={() => { hush(toast.id); act() }}>{name}</button>)}
      <button class="quiet" aria-label="Dismiss" onClick={() => hush(toast.id)}>✕</button>
    </div>))}</div>
)
