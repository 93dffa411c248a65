// A client of coldframe's control API for tests: Node, Deno, Bun, the test side of Playwright or Cypress. The mock refuses
// pages of other origins. Names are those of the Go package mock/client.

export class ControlError extends Error {
  constructor(status, problem) {
    const where = (e) => [e.file, e.line, e.column].filter(Boolean).join(':') || e.pointer || e.parameter || ''
    const errors = (problem.errors ?? []).map((e) => `\n  ${[where(e), e.detail].filter(Boolean).join(': ')}`)
    const failed = (f) => `not ${f.condition}` +
      (f.value === undefined || f.value === null ? '' : `, is ${JSON.stringify(f.value)}`) + (f.failure ? `, ${f.failure}` : '')
    const misses = (problem.misses ?? []).map((m) => `\n  ${m.number} ${m.request} ${m.status}: ${m.failed.map(failed).join('; ')}`)
    super((problem.detail || `the mock answered ${status}`) + [...errors, ...misses].join(''))
    Object.assign(this, { name: 'ControlError', status, problem })
  }
}

export const sessionHeader = 'Coldframe-Session'

const name = encodeURIComponent
const given = (values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

export class Client {
  #options
  constructor(url, options = {}) {
    this.url = url.replace(/\/+$/, '')
    this.session = options.session
    this.headers = this.session ? { [sessionHeader]: this.session } : {}
    this.#options = options
    this.fetch = this.fetch.bind(this) // it is given away as a function
  }

  in(session) {
    return new Client(this.url, { ...this.#options, session })
  }

  fetch(target, init = {}) {
    const request = new Request(target instanceof Request ? target : new URL(target, this.url + '/'), init)
    for (const [field, value] of Object.entries(this.headers)) request.headers.set(field, value)
    return (this.#options.fetch ?? fetch)(request)
  }

  // #call sends a request; a body that is a string is sent as it is, as text of a type.
  async #call(method, path, { query = {}, body, type = 'application/yaml', as } = {}) {
    const base = (this.#options.controlURL ?? this.url).replace(/\/+$/, '')
    const { token } = this.#options
    const headers = { ...this.headers, ...(token && { Authorization: `Bearer ${token}` }) }
    if (body !== undefined) {
      headers['Content-Type'] = typeof body === 'string' ? type : 'application/json'
      if (typeof body !== 'string') body = JSON.stringify(body)
    }
    const target = new URL(`${base}/__coldframe/${path}`)
    target.search = new URLSearchParams(given(query))
    const answer = await (this.#options.fetch ?? fetch)(target, { method, headers, body })
    const text = await answer.text()
    const isJSON = /json/.test(answer.headers.get('Content-Type') ?? '')
    if (!answer.ok) throw new ControlError(answer.status, (isJSON && JSON.parse(text)) || {})
    return isJSON && as !== 'text' ? JSON.parse(text) : text
  }

  // #own is the query for what is of one session or, without one, of all.
  #own(query = {}) {
    return { query: { session: this.session, ...query } }
  }

  #change(action, body = {}) {
    return this.#call('POST', `sessions/${this.#name()}/${action}`, { body })
  }

  #name() {
    return name(this.session || 'default')
  }

  async health() { await this.#call('GET', 'health') }
  memory() { return this.#call('GET', 'memory') }
  document() { return this.#call('GET', 'document') }
  async lines(file, from, to) { return (await this.#call('GET', 'document/lines', { query: { file, from, to } })).lines }
  resources() { return this.#call('GET', 'resources') }
  async operations() { return (await this.#call('GET', 'operations')).operations }
  operation(id) { return this.#call('GET', `operations/${name(id)}`) }
  async sources() { return (await this.#call('GET', 'sources')).sources }
  async setSource(operation, source) { await this.#call('PATCH', 'sources', { body: { operation, source } }) }
  learned() { return this.#call('GET', 'learned') }
  async sessions() { return (await this.#call('GET', 'sessions')).sessions }

  state() { return this.#call('GET', 'state') }
  async putState(items) { return (await this.#call('PUT', 'state', { body: items })).findings }
  async clearState() { await this.#call('DELETE', 'state') }

  async collections() { return (await this.#call('GET', 'items')).collections }
  items(collection, page = {}) { return this.#call('GET', 'items', { query: { collection, ...page } }) }
  createItem(collection, body) { return this.#call('POST', 'items', { query: { collection }, body }) }
  putItem(collection, key, body) { return this.#call('PUT', 'items', { query: { collection, key }, body }) }
  // checkItem is putItem, or createItem without a key, which changes nothing.
  async checkItem(collection, key, body) {
    await this.#call(key === undefined ? 'POST' : 'PUT', 'items', { query: { collection, key, validate: 'only' }, body })
  }
  async deleteItem(collection, key) { await this.#call('DELETE', 'items', { query: { collection, key } }) }

  clock() { return this.#call('GET', 'clock') }
  // advance takes milliseconds or a duration such as '1h30m'.
  advance(by) { return this.#call('PUT', 'clock', { body: { advance: typeof by === 'number' ? `${by}ms` : by } }) }
  setTime(time) { return this.#call('PUT', 'clock', { body: { time: new Date(time).toISOString() } }) }
  async resetClock() { await this.#call('DELETE', 'clock') }

  async reset() { await this.#change('reset') }
  async rewind() { await this.#change('rewind') }
  async snapshot(label) { await this.#change('snapshot', given({ label })) }
  async restore(label) { await this.#change('restore', given({ label })) }
  async deleteSnapshot(label = 'default') {
    await this.#call('DELETE', `sessions/${this.#name()}/snapshots/${name(label)}`)
  }
  // export returns text: parsing would change numbers such as 1.0.
  export() { return this.#call('GET', `sessions/${this.#name()}/file`, { as: 'text' }) }
  async import(file) {
    return (await this.#call('PUT', `sessions/${this.#name()}/file`, { body: file, type: 'application/json' })).findings
  }
  async fork(to) {
    await this.#change('fork', { to })
    return this.in(to)
  }
  useURL(path = '/') {
    return `${(this.#options.controlURL ?? this.url).replace(/\/+$/, '')}/__coldframe/sessions/${this.#name()}/use?to=${name(path)}`
  }
  async delete() { await this.#call('DELETE', `sessions/${this.#name()}`) }

  requests(filter = {}) { return this.#call('GET', 'requests', this.#own(filter)) }
  har(filter = {}) { return this.#call('GET', 'requests', this.#own({ ...filter, format: 'har' })) }
  request(number) { return this.#call('GET', `requests/${number}`) }
  async clearRequests() { await this.#call('DELETE', 'requests', this.#own()) }
  async verify(expectation = {}) {
    const { count, atLeast, atMost, sequence } = expectation
    const counted = [count, atLeast, atMost, sequence].some((value) => value !== undefined)
    const body = given({ session: this.session, ...(!counted && { atLeast: 1 }), ...expectation })
    return (await this.#call('POST', 'verify', { body })).matched
  }
  coverage(format = 'json') {
    return this.#call('GET', 'coverage', { ...this.#own({ format }), as: format === 'json' ? 'json' : 'text' })
  }

  async webhooks() { return (await this.#call('GET', 'webhooks')).webhooks }
  sendWebhook(webhook, order) { return this.#call('POST', `webhooks/${name(webhook)}`, { body: order }) }

  async scenarios() { return (await this.#call('GET', 'scenarios', this.#own())).scenarios }
  scenario(id) { return this.#call('GET', `scenarios/${name(id)}`, this.#own()) }
  async putScenario(id, text) {
    return (await this.#call('PUT', `scenarios/${name(id)}`, { ...this.#own(), body: text })).findings
  }
  async replaceScenarios(...scenarios) {
    return (await this.#call('PUT', 'scenarios', { ...this.#own(), body: { scenarios } })).findings
  }
  async saveScenario(id) { return (await this.#call('POST', `scenarios/${name(id)}/save`, this.#own())).file }
  async switchScenario(id, active) { await this.#call('PATCH', `scenarios/${name(id)}`, { ...this.#own(), body: { active } }) }
  async deleteScenario(id) { await this.#call('DELETE', `scenarios/${name(id)}`, this.#own()) }
  async restoreScenarios() { await this.#call('DELETE', 'scenarios', this.#own()) }
  async scenarioState(id) { return (await this.#call('GET', `scenarios/${name(id)}/state`, this.#own())).state ?? '' }
  async setScenarioState(id, state) {
    await this.#call('PUT', `scenarios/${name(id)}/state`, { ...this.#own(), body: { state } })
  }
  async rewindScenario(id) { await this.#call('DELETE', `scenarios/${name(id)}/state`, this.#own()) }
}

export const coldframe = (url, options) => new Client(url, options)
