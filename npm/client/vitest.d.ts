import type { TestAPI } from 'vitest'
import type { Client } from './index.js'
import type { MockOptions } from './server.js'

export interface MockContext {
  /** The mock in the session of this test. Its fetch and headers send requests in it. */
  mock: Client
  /** The mock in no session. */
  mockServer: Client
}

/** Vitest's test with a mock. Options in a function are asked for when the first test needs the mock. */
export function mockTest(options?: MockOptions | (() => MockOptions)): TestAPI<MockContext>
