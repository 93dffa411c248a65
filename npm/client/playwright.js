// Playwright's test with a mock: one mock a worker, or the one that runs at mockOptions.url; one session a test.
import { test as base } from '@playwright/test'
import { openMock } from './server.js'

export { expect } from '@playwright/test'

export const test = base.extend({
  mockOptions: [{}, { option: true, scope: 'worker' }],

  mockServer: [async ({ mockOptions }, use) => {
    const server = await openMock(mockOptions)
    await use(server.client)
    await server.stop()
  }, { scope: 'worker' }],

  mock: [async ({ mockServer }, use, testInfo) => {
    const { testId, repeatEachIndex, retry } = testInfo // the id is of the test in its project
    const mock = mockServer.in(`${testId}-${repeatEachIndex}-${retry}`)
    await use(mock)
    if (testInfo.status !== testInfo.expectedStatus) {
      const { requests } = await mock.requests()
      await testInfo.attach('requests to the mock', { body: JSON.stringify(requests, null, 2), contentType: 'application/json' })
    }
    await mock.reset() // so that there is a session to delete
    await mock.delete()
  }, { auto: true }],

  // Pages and the fixture "request" send the session.
  extraHTTPHeaders: async ({ extraHTTPHeaders, mock }, use) => {
    await use({ ...extraHTTPHeaders, ...mock.headers })
  },
})
