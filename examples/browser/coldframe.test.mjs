// Against a running mock of the Plant Store (examples/browser/run starts one):
//
//   COLDFRAME_URL=http://127.0.0.1:4010 node --test examples/browser/
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { ControlError, coldframe } from './coldframe.js'

const url = process.env.COLDFRAME_URL
assert.ok(url, 'COLDFRAME_URL says where the mock answers')
const mock = coldframe(url, { session: 'browser' })

const create = (plant, session = 'browser') => fetch(`${url}/plants`, {
  method: 'POST',
  headers: { Authorization: 'Bearer token', 'Content-Type': 'application/json', 'Coldframe-Session': session },
  body: JSON.stringify(plant),
})

beforeEach(() => mock.reset())

test('what was created is remembered until the reset', async () => {
  assert.equal((await mock.health()).status, 'ok')
  assert.equal((await create({ id: 7, name: 'Boston Fern' })).status, 200)
  assert.equal((await mock.state()).items, 1)
  await mock.reset()
  assert.equal((await mock.state()).items, 0)
  assert.deepEqual(await mock.requests(), [])
})

test('the journal has what was asked', async () => {
  await create({ id: 7 })
  await create({ id: 7 }, 'another')
  const [refused, ...others] = await mock.requests({ status: '4XX' })
  assert.equal(refused.response.status, 400)
  assert.equal(others.length, 0)
  await mock.verify({ operation: 'POST /plants', count: 1 })
})

test('what does not hold says what came near', async () => {
  await create({ id: 7, name: 'Boston Fern' })
  await assert.rejects(mock.verify({ where: 'request.body.name == "Rose"' }),
    (e) => e instanceof ControlError && e.status === 417 && e.message.includes('is "Boston Fern"'))
})

test('a scenario is for this session, until the reset', async () => {
  await mock.scenario('stock', `
initial: in stock
rules:
  - {on: POST /plants, state: in stock, then: sold out}
  - {on: POST /plants, state: sold out, respond: {status: 400, body: {error: 410, message: sold out}}}`)
  assert.equal((await create({ id: 7, name: 'Rose' })).status, 200)
  assert.equal((await create({ id: 7, name: 'Rose' })).status, 400)
  assert.equal((await create({ id: 7, name: 'Rose' }, 'another')).status, 200)
  await mock.scenarioState('stock', 'in stock')
  assert.equal((await create({ id: 7, name: 'Rose' })).status, 200)
  await mock.reset()
  assert.equal((await create({ id: 7, name: 'Rose' })).status, 200)
  await assert.rejects(mock.scenario('stock', 'rules: [{on: POST /plant, delay: 1}]'),
    (e) => e.status === 422 && e.problem.errors[0].line === 1)
})

test('a session is remembered, gone back to and copied', async () => {
  await create({ id: 1, name: 'Rose' })
  await mock.snapshot('one')
  const copy = await mock.fork(`copy-${Date.now()}`)
  await create({ id: 2, name: 'Tulip' })
  assert.equal((await mock.state()).items, 2)
  await mock.restore('one')
  assert.equal((await mock.state()).items, 1)
  assert.equal((await copy.state()).items, 1)
})
