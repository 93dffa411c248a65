import type { Client } from './index.js'
import type { MockOptions } from './server.js'

/** What a test can use while it runs. */
export interface UsedMock {
  /** The mock in the session of this test. Its fetch and headers send requests in it. */
  readonly mock: Client
  /** The mock in no session. */
  readonly mockServer: Client
}

/** Starts a mock before the tests of a file or of a describe in Jest, and stops it after them. */
export function useMock(options?: MockOptions | (() => MockOptions)): UsedMock
