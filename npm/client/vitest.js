// Vitest's test with a mock: one mock a worker, or the one that runs at options.url; one session a test.
import { randomUUID } from 'node:crypto'
import { test as base } from 'vitest'
import { openMock } from './server.js'

export function mockTest(options = {}) {
  return base.extend({
    mockServer: [async ({}, use) => {
      const server = await openMock(typeof options === 'function' ? options() : options)
      await use(server.client)
      await server.stop()
    }, { scope: 'worker' }],

    mock: async ({ mockServer }, use) => {
      const mock = mockServer.in(randomUUID())
      await use(mock)
      await mock.reset() // so that there is a session to delete
      await mock.delete()
    },
  })
}
