// An exchange as something to paste: a command, a program, a test, a scenario.
import { mock, type Exchange, type Message } from './api'

const skipped = /^(host|content-length|connection|accept-encoding|user-agent|origin|referer|te|sec-.*|if-none-match|upgrade-insecure-requests|cookie|cache-control|pragma|dnt|accept-language)$/
const fields = (m: Message) => Object.entries(m.headers).filter(([name, value]) => !skipped.test(name) && !(name === 'accept' && value === '*/*'))
const bodyText = (m: Message) => m.body === undefined ? '' : typeof m.body === 'string' && !/json/.test(m.headers['content-type'] ?? '') ? m.body : JSON.stringify(m.body)
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
const url = (x: Exchange) => mock + (x.request.path ?? '/') + (x.request.query ? '?' + x.request.query : '')
const js = (value: unknown) => JSON.stringify(value, null, 2)
const indented = (text: string, by: string) => text.replaceAll('\n', '\n' + by)
const go = (text: string) => text.includes('`') || text.includes('\r') || text.length < 60 ? JSON.stringify(text) : '`' + text + '`'

function curl(x: Exchange): string {
  const method = x.request.method ?? 'GET', body = bodyText(x.request)
  return ['curl', ...(method === (body ? 'POST' : 'GET') ? [] : method === 'HEAD' ? ['-I'] : ['-X ' + quote(method)]), quote(url(x)),
    ...fields(x.request).map(([name, value]) => '-H ' + quote(`${name}: ${value}`)), ...(body ? ['--data-raw ' + quote(body)] : [])].join(' ')
}

function fetched(x: Exchange): string {
  const body = bodyText(x.request), isJSON = body && typeof x.request.body !== 'string'
  return `const response = await fetch(${JSON.stringify(url(x))}, {
  method: ${JSON.stringify(x.request.method)},
  headers: ${indented(js(Object.fromEntries(fields(x.request))), '  ')},${body ? `\n  body: ${isJSON ? `JSON.stringify(${indented(js(x.request.body), '  ')})` : JSON.stringify(body)},` : ''}
})
expect(response.status).toBe(${x.response.status})
`
}

function playwright(x: Exchange): string {
  const type = x.response.headers['content-type'], body = bodyText(x.response), isJSON = body && typeof x.response.body !== 'string'
  return `await page.route(url => url.pathname === ${JSON.stringify(x.request.path)}, async route => {
  if (route.request().method() !== ${JSON.stringify(x.request.method)}) return route.fallback()
  ${x.fault ? `await route.abort(${x.fault === 'hang' ? "'timedout'" : "'connectionreset'"})` : `await route.fulfill({
    status: ${x.response.status},${type ? `\n    contentType: ${JSON.stringify(type)},` : ''}${body ? `\n    ${isJSON ? `json: ${indented(js(x.response.body), '    ')}` : `body: ${JSON.stringify(body)}`},` : ''}
  })`}
})
`
}

function golang(x: Exchange): string {
  const body = bodyText(x.request)
  return `request, err := http.NewRequestWithContext(t.Context(), ${JSON.stringify(x.request.method)}, server.URL()+${JSON.stringify((x.request.path ?? '/') + (x.request.query ? '?' + x.request.query : ''))}, ${body ? `strings.NewReader(${go(body)})` : 'nil'})
if err != nil {
	t.Fatal(err)
}
${fields(x.request).map(([name, value]) => `request.Header.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})\n`).join('')}response, err := http.DefaultClient.Do(request)
if err != nil {
	t.Fatal(err)
}
defer response.Body.Close()
if response.StatusCode != ${x.response.status} {
	t.Error(response.Status)
}
`
}

function scenario(x: Exchange): string {
  const type = x.response.headers['content-type'], isJSON = /json/.test(type ?? '')
  const literal = (value: unknown): unknown => typeof value === 'string' ? value.replaceAll('${', '$${')
    : Array.isArray(value) ? value.map(literal) : value && typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, literal(v)])) : value
  return rules([{
    on: x.operation || '*',
    ...(x.fault && { fault: x.fault }),
    ...(x.delay && { delay: x.delay }),
    ...(!/^(reset|hang)$/.test(x.fault ?? '') && { respond: { status: x.response.status, ...(type && !isJSON && { headers: { 'Content-Type': type } }), ...(x.response.body !== undefined && { body: literal(x.response.body) }) } }),
  }])
}

// A Rule is a rule of a scenario file.
export type Rule = { on: string | string[]; description?: string; respond?: unknown; delay?: unknown; fault?: string; times?: number; bandwidth?: string; limit?: { requests: number; per: string }; violates?: boolean }

// rules writes rules as a scenario file: YAML whose values are JSON.
export function rules(all: Rule[], description = ''): string {
  const json = (value: unknown) => JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, c => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'))
  const entries = (o: object) => Object.entries(o).filter(([, value]) => value !== undefined)
  const write = (value: unknown, by: string): string => value && typeof value === 'object' && !Array.isArray(value) && entries(value).length > 0
    ? entries(value).map(([key, v]) => `\n${by}${/^[\w-]+$/.test(key) && !/^(y|n|yes|no|on|off|true|false|null|[\d.+-].*)$/i.test(key) || key === 'on' ? key : json(key)}:${write(v, by + '  ')}`).join('') : ' ' + json(value)
  return `${description && `description: ${json(description)}\n`}rules:\n${all.map(rule => '  -' + write(rule, '    ').slice(4) + '\n').join('')}`
}

export const snippets: [string, (x: Exchange) => string][] = [
  ['curl', curl], ['fetch', fetched], ['Playwright route', playwright], ['Go test', golang], ['scenario', scenario],
]

// har writes exchanges as HAR 1.2; null is one that is lost.
export function har(exchanges: (Exchange | null)[]) {
  const headers = (m: Message) => Object.entries(m.headers).map(([name, value]) => ({ name, value }))
  const type = (m: Message) => m.headers['content-type'] ?? ''
  const entries = exchanges.filter(x => x !== null).map(x => ({
    startedDateTime: x.time, time: x.microseconds / 1000 + (x.delay ?? 0), cache: {}, comment: x.findings.map(f => f.message).join('; '),
    request: {
      method: x.request.method, url: url(x), httpVersion: 'HTTP/1.1', cookies: [], headers: headers(x.request), headersSize: -1, bodySize: x.request.size,
      queryString: [...new URLSearchParams(x.request.query ?? '')].map(([name, value]) => ({ name, value })),
      ...(x.request.size > 0 && { postData: { mimeType: type(x.request), text: x.request.base64 ?? bodyText(x.request), params: [] } }),
    },
    response: {
      status: x.response.status, statusText: '', httpVersion: 'HTTP/1.1', cookies: [], headers: headers(x.response), redirectURL: x.response.headers.location ?? '', headersSize: -1, bodySize: x.response.size,
      content: { size: x.response.size, mimeType: type(x.response), text: x.response.base64 ?? bodyText(x.response), ...(x.response.base64 !== undefined && { encoding: 'base64' }) },
    },
    timings: { send: 0, wait: x.microseconds / 1000 + (x.delay ?? 0), receive: 0 },
  }))
  return { log: { version: '1.2', creator: { name: 'coldframe', version: '' }, entries } }
}
