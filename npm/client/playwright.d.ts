import type {
  PlaywrightTestArgs, PlaywrightTestOptions, PlaywrightWorkerArgs, PlaywrightWorkerOptions, TestType,
} from '@playwright/test'
import type { Client } from './index.js'
import type { MockOptions } from './server.js'

export { expect } from '@playwright/test'

export interface MockTestArgs {
  /** The mock in the session of this test. What pages and the fixture `request` send is in it as well. */
  mock: Client
}

export interface MockWorkerArgs {
  /** The mock in no session. */
  mockServer: Client
}

/** For the type argument of defineConfig. */
export interface MockWorkerOptions {
  /** Set in the configuration, under `use`. */
  mockOptions: MockOptions
}

/** Playwright's test with a mock. */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & MockTestArgs,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & MockWorkerArgs & MockWorkerOptions
>
