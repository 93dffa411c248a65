import type { Client } from './index.js'

export interface ServerOptions {
  /** A file, a folder or a URL; default is what the program takes: ./openapi.yaml, else the Plant Store. */
  document?: string
  /** Further arguments of `coldframe mock`, such as ["--data", "seed.yaml"]. The port is a free one. */
  args?: string[]
  /** The program; default is that of the package coldframe, or COLDFRAME_BINARY. */
  binary?: string
  cwd?: string
  /** Variables beside those of this process. */
  env?: Record<string, string>
  /** Of `--control-token`, where args have it. */
  token?: string
  /** Milliseconds that the start may take; default 30,000. */
  timeout?: number
}

export interface Server {
  /** Such as http://127.0.0.1:40123. */
  readonly url: string
  /** In no session; `client.in(name)` is. */
  readonly client: Client
  readonly pid: number
  /** The last 64 KiB of what the mock printed. */
  log(): string
  /** Ends the mock and returns its exit code, 1 if `--min-coverage` is not reached. */
  stop(): Promise<number | string>
}

/** Starts a mock and waits until it listens. It ends with this process at the latest. */
export function startMock(options?: ServerOptions): Promise<Server>

/** Where tests find their mock: at url, where one runs already, else one is started. */
export interface MockOptions extends ServerOptions {
  url?: string
  /** Where the control API of the mock at url answers, with `--control-port`. */
  controlURL?: string
}

/** A client of the mock that runs at options.url, else of one that is started; stop ends only that. */
export function openMock(options?: MockOptions): Promise<{ client: Client; stop(): Promise<void> }>
