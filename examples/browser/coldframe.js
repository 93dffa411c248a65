// A client of coldframe's control API, for tests in JavaScript: Node, Deno, the
// test side of Playwright or Cypress. Pages of other origins are refused by the
// control API; a page needs a proxy that makes it of the same origin.
//
//   const mock = coldframe('http://localhost:4010')
//   await mock.reset()
//   await mock.verify({ operation: 'POST /plants', count: 1 })

export class ControlError extends Error {
  constructor(status, problem) {
    const misses = (problem.misses ?? []).map((m) =>
      `\n  ${m.number} ${m.request} ${m.status}: not ` + m.failed.map((f) => `${f.condition}, is ${JSON.stringify(f.value)}`).join('; not '))
    super((problem.detail ?? `status ${status}`) + misses.join(''))
    this.name = 'ControlError'
    this.status = status
    this.problem = problem // RFC 9457
  }
}

export function coldframe(url, { token } = {}) {
  async function call(method, path, body) {
    const headers = token ? { Authorization: `Bearer ${token}` } : {}
    if (body !== undefined) headers['Content-Type'] = 'application/json'
    const answer = await fetch(`${url}/__coldframe/${path}`, { method, headers, body: body && JSON.stringify(body) })
    const text = await answer.text()
    const value = text && /json/.test(answer.headers.get('Content-Type') ?? '') ? JSON.parse(text) : text
    if (!answer.ok) throw new ControlError(answer.status, value || {})
    return value
  }
  return {
    health: () => call('GET', 'health'),
    state: () => call('GET', 'state'), // { items, collections }
    async reset() { // what was created and what was asked
      await call('DELETE', 'state')
      await call('DELETE', 'requests')
    },
    requests: async (filter = {}) => (await call('GET', `requests?${new URLSearchParams(filter)}`)).requests,
    verify: (expectation) => call('POST', 'verify', expectation), // throws where it does not hold
  }
}
