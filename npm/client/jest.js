// A mock for the tests of a file in Jest: one mock a file, or the one that runs at options.url; one session a test.
import { randomUUID } from 'node:crypto'
import { openMock } from './server.js'

export function useMock(options = {}) {
  const { beforeAll, beforeEach, afterEach, afterAll } = globalThis
  let server
  const used = {}
  beforeAll(async () => {
    server = await openMock(typeof options === 'function' ? options() : options)
    used.mockServer = server.client
  })
  beforeEach(() => { used.mock = server.client.in(randomUUID()) })
  afterEach(async () => {
    try {
      await used.mock.delete()
    } catch (error) {
      if (error.status !== 404) throw error // a test that asked nothing has no session
    }
  })
  afterAll(() => server?.stop())
  return used
}
