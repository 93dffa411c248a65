// Bodies: JSON in lines that know their JSON Pointers, so that findings show in their place.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Finding, Message } from './api'
import { bytes } from './ui'

interface Line { depth: number; pointer: string; key?: string; text: string; kind: string }

function linesOf(value: unknown, pointer = '', depth = 0, key: string | undefined = undefined, last = true, into: Line[] = []): Line[] {
  const comma = last ? '' : ','
  if (value === null || typeof value !== 'object') {
    into.push({ depth, pointer, key, text: JSON.stringify(value) + comma, kind: value === null ? 'null' : typeof value })
    return into
  }
  const entries = Object.entries(value), [open, close] = Array.isArray(value) ? '[]' : '{}'
  if (entries.length === 0) {
    into.push({ depth, pointer, key, text: open + close + comma, kind: 'punctuation' })
    return into
  }
  into.push({ depth, pointer, key, text: open, kind: 'punctuation' })
  entries.forEach(([name, member], i) =>
    linesOf(member, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1, Array.isArray(value) ? undefined : name, i === entries.length - 1, into))
  into.push({ depth, pointer: pointer + '\0', text: close + comma, kind: 'punctuation' })
  return into
}

const mostLines = 600

// Json shows a value. A finding about a part that is missing is shown at the nearest part that exists.
export function Json({ value, findings = [], label }: { value: unknown; findings?: Finding[]; label: string }) {
  const all = useSignal(false), ref = useRef<HTMLPreElement>(null)
  const lines = linesOf(value), shown = all.value ? lines : lines.slice(0, mostLines)
  const known = new Set(lines.map(line => line.pointer)), marks = new Map<string, Finding[]>()
  for (const f of findings) {
    let pointer = f.pointer ?? ''
    while (pointer && !known.has(pointer)) pointer = pointer.slice(0, pointer.lastIndexOf('/'))
    const missing = (f.pointer ?? '').slice(pointer.length + 1)
    marks.set(pointer, [...(marks.get(pointer) ?? []), missing ? { ...f, message: `${missing}: ${f.message}` } : f])
  }
  useEffect(() => {
    const box = ref.current!, mark = box.querySelector<HTMLElement>('.mark')
    if (mark && mark.offsetTop > box.clientHeight - 40) box.scrollTop = mark.offsetTop - 60
  }, [value, findings])
  return (
    <>
      <pre class="json" ref={ref} tabIndex={0} aria-label={label}>
        {shown.map((line, i) => {
          const mark = marks.get(line.pointer)
          return (
            <span class={'line' + (mark ? ' mark ' + mark[0].severity : '')} key={i}>
              {'  '.repeat(line.depth)}{line.key !== undefined && <><span class="key">{JSON.stringify(line.key)}</span>: </>}<span class={line.kind}>{line.text}</span>
              {mark?.map(f => <span class="note"> ← {f.message}</span>)}{'\n'}
            </span>
          )
        })}
      </pre>
      {shown.length < lines.length && <button onClick={() => { all.value = true }}>Show all {lines.length} lines</button>}
    </>
  )
}

export function Body({ message, findings, label }: { message: Message; findings?: Finding[]; label: string }) {
  const { body, base64, size, truncated } = message
  const cut = truncated && <p class="hint">The journal keeps the first 64 KiB of {bytes(size)}.</p>
  if (base64 !== undefined) return <p class="hint">{bytes(size)} that are no text{picture(message)}</p>
  if (body === undefined) return size > 0 ? <p class="hint">{bytes(size)}</p> : null
  if (typeof body === 'string' && !/json/.test(message.headers['content-type'] ?? '')) return <>{cut}<pre class="json" tabIndex={0} aria-label={label}>{body}</pre></>
  return <>{cut}<Json value={body} findings={findings} label={label} /></>
}

// picture shows a bitmap, which cannot act.
function picture(message: Message) {
  const type = (message.headers['content-type'] ?? '').split(';')[0].trim()
  if (message.truncated || !/^image\/(png|jpeg|gif|webp|bmp|avif)$/.test(type)) return null
  return <img class="body" alt="the body" src={`data:${type};base64,${message.base64}`} />
}
