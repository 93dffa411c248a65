// Every method of the client, against a mock of the Plant Store that the test starts.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Client, ControlError, coldframe } from '@coldframe/client'
import { openMock, startMock } from '@coldframe/client/server'

let server, all, mock
const sent = new Set() // methods and paths of the control API
before(async () => {
  server = await startMock({ document: 'plants.yaml', args: ['--callbacks', 'loopback', '--clock', 'session', '--control-port', 'free', '--control-token', 's3cret'], token: 's3cret' })
  const { fetch } = globalThis
  globalThis.fetch = (target, init) => {
    if (target instanceof URL) sent.add(`${init.method} ${target.pathname}`)
    return fetch(target, init)
  }
  all = server.client
  mock = all.in('tests')
})
after(async () => assert.equal(await server.stop(), 0))
beforeEach(async () => {
  await mock.reset()
  await all.clearRequests()
})

const create = (plant, client = mock) => client.fetch('/plants', {
  method: 'POST',
  headers: { Authorization: 'Bearer token', 'Content-Type': 'application/json' },
  body: JSON.stringify(plant),
})
const refused = (status, message) => (error) => error instanceof ControlError && error.status === status && message.test(error.message)

test('what was created is remembered until the reset', async () => {
  await all.health()
  assert.equal((await create({ id: 7, name: 'Boston Fern' })).status, 200)
  assert.deepEqual((await mock.state()).collections, { '/plants': [{ id: 7, name: 'Boston Fern' }] })
  await mock.reset()
  assert.equal((await mock.state()).items, 0)
})

test('the journal has what was asked', async () => {
  await create({ id: 7 })
  await create({ id: 7 }, all.in('another'))
  const { matched, requests: [refusal] } = await mock.requests({ status: '4XX', limit: 5 })
  assert.equal(matched, 1)
  assert.equal(refusal.response.status, 400)
  assert.equal((await mock.request(refusal.number)).session, 'tests')
  assert.equal((await all.requests()).matched, 2)
  assert.equal((await mock.har()).log.entries[0].request.url, `${server.url}/plants`)
  assert.equal(await mock.verify({ operation: 'POST /plants', count: 1 }), 1)
  assert.equal(await all.verify(), 2)
  assert.equal(await all.verify({ sequence: [{ operation: 'POST /plants' }, { where: 'response.status == 400' }] }), 2)
  await mock.clearRequests()
  assert.equal((await all.requests()).matched, 1)
})

test('what does not hold says what came near', async () => {
  await create({ id: 7, name: 'Boston Fern' })
  await assert.rejects(mock.verify({ where: 'request.body.name == "Rose"' }), refused(417, /\n {2}\d+ POST \/plants 200: not .*, is "Boston Fern"/))
  await assert.rejects(all.in('').verify(), refused(417, /at least 1/))
  await assert.rejects(mock.verify({ operation: 'GET /plants' }), refused(422, /GET \/plants/))
})

test('a session is seeded, remembered, gone back to, copied and deleted', async () => {
  assert.deepEqual(await mock.putState({ plants: [{ name: 'Rose' }] }), [])
  const [warning] = await mock.putState('plants: [{id: 1, name: Rose}]') // what answers with a plant shows no id
  assert.equal(warning.document.line, 1)
  await assert.rejects(mock.putState('plants:\n  - {name: 7}\n'), refused(422, /:2:\d+: .*string/))
  await mock.snapshot()
  await mock.snapshot('one')
  const copy = await mock.fork('copy')
  await create({ id: 2, name: 'Tulip' })
  assert.equal((await mock.state()).items, 2)
  await mock.restore('one')
  assert.equal((await mock.state()).items, 1)
  assert.equal((await copy.state()).items, 1)
  await mock.deleteSnapshot('one')
  await assert.rejects(mock.restore('one'), refused(404, /one/))
  await mock.clearState()
  await mock.restore()
  assert.equal((await mock.state()).items, 1)
  await mock.deleteSnapshot()
  const names = async () => (await all.sessions()).map((session) => session.name)
  assert.ok((await names()).includes('copy'))
  const file = await copy.export()
  await copy.delete()
  assert.deepEqual(await copy.import(file), [])
  assert.equal((await copy.state()).items, 1)
  await assert.rejects(copy.import(file.replace('"version":', '"versions":')), refused(422, /versions/))
  await copy.delete()
  assert.ok(!(await names()).includes('copy'))
  assert.ok((await all.memory()).used < (await all.memory()).limit)
})

test('items are created, checked, replaced and deleted', async () => {
  await create({ id: 7, name: 'Rose' })
  const { total, items: [rose] } = await mock.items('/plants', { limit: 1 })
  assert.equal(total, 1)
  assert.equal((await mock.request(rose.madeBy)).why.source, 'state')
  const fern = await mock.createItem('/plants', { name: 'Fern' })
  await mock.checkItem('/plants', undefined, { name: 'Oak' })
  await mock.checkItem('/plants', fern.key, { name: 'Oak' })
  assert.deepEqual((await mock.putItem('/plants', fern.key, { name: 'Oak' })).value, { name: 'Oak' })
  assert.equal((await mock.collections())[0].count, 2)
  await mock.deleteItem('/plants', fern.key)
  await assert.rejects(mock.deleteItem('/plants', fern.key), refused(404, /has no item/))
})

test('a browser is led into the session', async () => {
  const open = await startMock({ document: 'plants.yaml' }) // browsers send no token
  const answer = await fetch(open.client.in('a b/c').useURL('/plants?a=b'), { redirect: 'manual' })
  assert.equal(answer.status, 400) // no session has this name
  const found = await fetch(new URL(open.client.in('tests').useURL('/plants?a=b')), { method: 'GET', redirect: 'manual' })
  assert.equal(found.headers.get('Location'), '/plants?a=b')
  assert.match(found.headers.get('Set-Cookie'), /^coldframe-session=tests;/)
  await open.stop()
})

test('the clock of this session is moved, until the reset', async () => {
  assert.equal((await mock.advance('1h')).ahead, '1h0m0s')
  assert.equal((await mock.advance(-1500)).ahead, '59m58.5s')
  assert.ok(Date.parse((await mock.clock()).time) > Date.now() + 3_000_000)
  assert.equal((await all.clock()).ahead, '0s')
  await assert.rejects(mock.setTime(new Date()), refused(409, /--clock fixed/))
  await mock.resetClock()
  assert.equal((await mock.clock()).ahead, '0s')
})

test('a scenario is for this session, until the reset', async () => {
  const findings = await mock.putScenario('stock', `
initial: in stock
rules:
  - {on: POST /plants, state: in stock, then: sold out}
  - {on: POST /plants, state: sold out, respond: {status: 400, body: {error: 410, message: sold out}}}`)
  assert.deepEqual(findings, [])
  const statuses = async (...clients) => (await Promise.all(clients.map((client) => create({ id: 7, name: 'Rose' }, client)))).map((a) => a.status)
  assert.deepEqual(await statuses(mock), [200])
  assert.deepEqual(await statuses(mock, all.in('another')), [400, 200])
  assert.equal(await mock.scenarioState('stock'), 'sold out')
  await mock.setScenarioState('stock', 'in stock')
  assert.deepEqual(await statuses(mock), [200])
  await mock.rewindScenario('stock')
  assert.deepEqual(await statuses(mock), [200])
  await mock.rewind()
  assert.deepEqual(await statuses(mock), [200])
  await assert.rejects(mock.saveScenario('stock'), refused(409, /allow-edit/))
  await mock.switchScenario('stock', false)
  assert.deepEqual(await statuses(mock), [200])
  assert.equal((await mock.scenarios())[0].active, false)
  assert.match((await mock.scenario('stock')).text, /initial: in stock/)
  await mock.deleteScenario('stock')
  await assert.rejects(mock.scenario('stock'), refused(404, /stock/))
  await mock.restoreScenarios()
  const [warning] = await all.replaceScenarios({ name: 'a', text: "rules: [{on: '*', delay: 0}, {on: '*', delay: 0}]" })
  assert.equal(warning.document.line, 1)
  await all.replaceScenarios()
  await assert.rejects(mock.putScenario('stock', 'rules: [{on: POST /plant, delay: 1}]'), refused(422, /stock.*:1:\d+: .*POST \/plants/))
})

test('the document and its lines', async () => {
  const { title, files: [{ file, lines }], findings, sha256 } = await all.document()
  assert.equal(title, 'OpenAPI Plant Store')
  assert.equal(sha256.length, 64)
  assert.deepEqual(findings, [])
  assert.equal((await all.lines()).length, lines)
  assert.match((await all.lines(file, 1, 1))[0], /openapi/)
  await assert.rejects(all.lines('/etc/passwd'), refused(404, /no file/))
})

test('what the inference concludes', async () => {
  const { resources: [{ name }], operations: [{ role }] } = await all.resources()
  assert.deepEqual([name, role], ['plants', 'create'])
})

test('the operations of the document, and one of them', async () => {
  const [operation] = await all.operations()
  assert.equal(operation.operation, 'POST /plants')
  assert.equal(operation.place.file, 'plants.yaml')
  const { sample, body, statuses } = await all.operation('POST /plants')
  assert.deepEqual(statuses, ['200', '400'])
  assert.equal(sample.target, '/plants')
  assert.equal(JSON.stringify(body.mediaTypes['application/json'].schema).includes('$ref'), false)
  await assert.rejects(all.operation('GET /plant/../%'), refused(404, /unknown operation "GET \/plant\/\.\.\/%"/))
})

test('coverage and webhooks', async () => {
  await create({ id: 7, name: 'Rose' })
  assert.equal((await mock.coverage()).operations[0].hits >= 1, true)
  assert.match(await mock.coverage('lcov'), /^SF:/m)
  assert.match(await all.coverage('text'), /POST \/plants/)
  assert.deepEqual(await all.webhooks(), [])
  await assert.rejects(all.sendWebhook('none', { url: 'http://127.0.0.1:1' }), refused(404, /none/))
})

test('tokens, errors that are no problem details, requests as objects', async () => {
  await assert.rejects(coldframe(server.url).sessions(), refused(404, /./)) // its control API is on another port
  const stranger = new Client('http://mock/', { fetch: async () => new Response('busy', { status: 503 }) })
  await assert.rejects(stranger.health(), refused(503, /^the mock answered 503$/))
  const sent = await new Client(server.url, { session: 'tests', fetch: async (request) => request })
    .fetch(new Request(`${server.url}/plants`, { headers: { 'X-Own': '1' } }))
  assert.equal(sent.headers.get('Coldframe-Session'), 'tests')
  assert.equal(sent.headers.get('X-Own'), '1')
})

test('a mock that does not start says why, at once', async () => {
  await assert.rejects(startMock({ document: 'no-such.yaml' }), /mock no-such\.yaml --port 0: it ended with 2\ncoldframe: .*no-such/)
  await assert.rejects(startMock({ binary: '/no/such/program' }), /it cannot be run: .*ENOENT/)
  await assert.rejects(startMock({ document: 'plants.yaml', timeout: 0 }), /has not started after 0 ms/)
})

test('a mock is opened where it runs, or started', async () => {
  const running = await openMock({ url: server.url, controlURL: 'http://127.0.0.1:1' })
  assert.equal(running.client.url, server.url)
  await running.stop()
  await mock.health()
  const own = await openMock({ document: 'plants.yaml', args: ['--min-coverage', '90'] })
  await own.client.health()
  await assert.rejects(own.stop(), /the mock ended with 1\n[^]*below the minimum/)
})

test('a mock has no sources of operations', async () => {
  await assert.rejects(mock.sources(), refused(404, /this is no proxy/))
  await assert.rejects(mock.setSource('POST /plants', 'mock'), refused(404, /this is no proxy/))
  await assert.rejects(mock.learned(), refused(404, /this is no proxy/))
})

test('the client has all operations of the control API but its list, its document and its events', async () => {
  const open = await startMock({ document: 'plants.yaml' }) // its control API needs no token
  const text = await (await fetch(`${open.url}/__coldframe/openapi.yaml`)).text()
  await open.stop()
  const operations = []
  let path
  for (const [, ofPath, method] of text.matchAll(/^ {2}(\/\S+):$|^ {4}(get|put|post|patch|delete):$/gm)) {
    if (ofPath) path = ofPath
    else operations.push(`${method.toUpperCase()} ${path}`)
  }
  assert.ok(operations.length > 25, operations.join('\n'))
  const isSent = (operation) => {
    const pattern = new RegExp(`^${operation.replace(/\{\w+\}/g, '[^/]+')}$`)
    return [...sent].some((request) => pattern.test(request))
  }
  assert.deepEqual(operations.filter((operation) => !isSent(operation)),
    ['GET /__coldframe/', 'GET /__coldframe/openapi.yaml', 'GET /__coldframe/events'])
})
