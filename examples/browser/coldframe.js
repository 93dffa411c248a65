// A client of coldframe's control API for tests in JavaScript: Node, Deno, the test side of Playwright or Cypress. Pages
// of other origins are refused; they need a proxy of their own origin.
//   const mock = coldframe('http://localhost:4010', { session: 'suite-1' }) // with requests that send Coldframe-Session
//   await mock.reset()
//   await mock.verify({ operation: 'POST /plants', count: 1 })
export class ControlError extends Error {
  constructor(status, problem) {
    const misses = (problem.misses ?? []).map((m) =>
      `\n  ${m.number} ${m.request} ${m.status}: not ` + m.failed.map((f) => `${f.condition}, is ${JSON.stringify(f.value)}`).join('; not '))
    super((problem.detail ?? `status ${status}`) + misses.join(''))
    Object.assign(this, { name: 'ControlError', status, problem }) // problem: RFC 9457
  }
}
export function coldframe(url, { token, session } = {}) {
  async function call(method, path, query = {}, body = undefined, type = 'application/json') {
    const headers = { ...(token && { Authorization: `Bearer ${token}` }), ...(session && { 'Coldframe-Session': session }) }
    if (body !== undefined) headers['Content-Type'] = type
    const answer = await fetch(`${url}/__coldframe/${path}?${new URLSearchParams(query)}`, { method, headers, body })
    const text = await answer.text()
    const value = text && /json/.test(answer.headers.get('Content-Type') ?? '') ? JSON.parse(text) : text
    if (!answer.ok) throw new ControlError(answer.status, value || {})
    return value
  }
  const name = encodeURIComponent, own = session === undefined ? {} : { session }
  const change = (action, body) => call('POST', `sessions/${name(session || 'default')}/${action}`, {}, JSON.stringify(body))
  return {
    health: () => call('GET', 'health'),
    state: () => call('GET', 'state'), // { items, collections }
    seed: (items) => call('PUT', 'state', {}, JSON.stringify(items)), // { plants: [{ … }] } replaces all; throws what is wrong
    reset: () => change('reset', {}).then(() => call('DELETE', 'requests', own)), // items, scenarios and what was asked
    snapshot: (label) => change('snapshot', { label }),
    restore: (label) => change('restore', { label }),
    fork: async (to) => { await change('fork', { to }); return coldframe(url, { token, session: to }) },
    requests: async (filter = {}) => (await call('GET', 'requests', { ...own, ...filter })).requests,
    verify: (expectation) => call('POST', 'verify', {}, JSON.stringify({ ...own, ...expectation })), // throws where it does not hold
    scenario: (id, text) => call('PUT', `scenarios/${name(id)}`, own, text, 'application/yaml'), // the text of a file; throws what is wrong
    scenarioState: (id, state) => call('PUT', `scenarios/${name(id)}/state`, own, JSON.stringify({ state })),
  }
}
