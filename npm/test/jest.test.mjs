// The CommonJS build and the helper for Jest, whose hooks are those of node:test here.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import * as module from '@coldframe/client'

const require = createRequire(import.meta.url)
Object.assign(globalThis, { beforeAll: before, beforeEach, afterEach, afterAll: after })
const { useMock } = require('@coldframe/client/jest')
const used = useMock(() => ({ document: 'plants.yaml' }))
const names = new Set()

for (const attempt of [1, 2]) {
  test(`attempt ${attempt} has a session of its own`, async () => {
    assert.equal((await used.mock.state()).items, 0)
    const answer = await used.mock.fetch('/plants', {
      method: 'POST',
      headers: { Authorization: 'Bearer token', 'Content-Type': 'application/json' },
      body: '{"id": 7, "name": "Fern"}',
    })
    assert.equal(answer.status, 200)
    names.add(used.mock.headers['Coldframe-Session'])
    assert.equal(names.size, attempt)
    assert.equal((await used.mockServer.sessions()).length, 2)
  })
}

test('require has what import has', () => {
  assert.deepEqual(Object.keys(require('@coldframe/client')).sort(), Object.keys(module).sort())
  assert.equal(typeof require('coldframe').binaryPath, 'function')
  assert.deepEqual(Object.keys(require('@coldframe/client/server')).sort(), ['openMock', 'startMock'])
})
