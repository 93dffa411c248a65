// Server-sent events of a response. EventSource cannot send a token.
export interface Event { name: string; data: string }

// events yields the events as they come, several at a time.
export async function* events(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Event[]> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let parts: string[] = [] // of an event that has not come whole
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    parts.push(value)
    if (!value.includes('\n')) continue
    const texts = parts.join('').split('\n\n')
    parts = [texts.pop()!]
    yield texts.flatMap(text => {
      const data = /^data: (.*)$/m.exec(text)?.[1]
      return data ? [{ name: /^event: (.*)$/m.exec(text)?.[1] ?? '', data }] : []
    })
  }
}

export const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
