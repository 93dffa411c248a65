// Against a running mock of the Plant Store:
//
//   COLDFRAME_URL=http://127.0.0.1:4010 node --test examples/browser/
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { ControlError, coldframe } from './coldframe.js'

const url = process.env.COLDFRAME_URL
assert.ok(url, 'COLDFRAME_URL says where the mock answers')
const mock = coldframe(url)

const create = (plant) => fetch(`${url}/plants`, {
  method: 'POST',
  headers: { Authorization: 'Bearer token', 'Content-Type': 'application/json' },
  body: JSON.stringify(plant),
})

beforeEach(() => mock.reset())

test('what was created is remembered until the reset', async () => {
  assert.equal((await create({ id: 7, name: 'Boston Fern' })).status, 200)
  assert.equal((await mock.state()).items, 1)
  await mock.reset()
  assert.equal((await mock.state()).items, 0)
  assert.deepEqual(await mock.requests(), [])
})

test('the journal has what was asked', async () => {
  await create({ id: 7 })
  const [refused] = await mock.requests({ status: '4XX' })
  assert.equal(refused.response.status, 400)
  await mock.verify({ operation: 'POST /plants', count: 1 })
})

test('what does not hold says what came near', async () => {
  await create({ id: 7, name: 'Boston Fern' })
  await assert.rejects(mock.verify({ where: 'request.body.name == "Rose"' }),
    (e) => e instanceof ControlError && e.status === 417 && e.message.includes('is "Boston Fern"'))
})
