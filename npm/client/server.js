// Starts a mock as a process of its own, on a port that is free.
import { spawn } from 'node:child_process'
import { Client } from './index.js'

const kept = 64 << 10 // characters of the log

async function programOf(options) {
  if (options.binary) return options.binary
  let launcher
  try {
    launcher = await import('coldframe')
  } catch {
    if (process.env.COLDFRAME_BINARY) return process.env.COLDFRAME_BINARY
    throw new Error('there is no coldframe to start: install the package coldframe, or name a program with the option ' +
      'binary or the variable COLDFRAME_BINARY')
  }
  return launcher.binaryPath()
}

export async function startMock(options = {}) {
  const { document, args = [], cwd, env, timeout = 30_000 } = options
  const program = await programOf(options)
  const command = ['mock', ...(document === undefined ? [] : [document]), '--port', '0', ...args]
  const child = spawn(program, command, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)))
  const endWithUs = () => child.kill()
  process.on('exit', endWithUs)
  child.on('close', () => process.off('exit', endWithUs))

  // It has started when the lines on its URLs are there, and the one behind them.
  await new Promise((resolve, reject) => {
    const fail = (message) => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      reject(new Error(`${[program, ...command].join(' ')}: ${message}${log && `\n${log}`}`))
    }
    const timer = setTimeout(() => fail(`it has not started after ${timeout} ms`), timeout)
    const read = (text) => {
      log = (log + text).slice(-kept)
      if (/^base URLs?: .*\n(control API: .*\n)*(?!control API: ).+\n/m.test(log)) {
        clearTimeout(timer)
        resolve()
      }
    }
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', read)
    child.on('error', (error) => fail(`it cannot be run: ${error.message}`))
    ended.then((code) => fail(`it ended with ${code}`))
  })
  const found = (pattern) => pattern.exec(log)?.[1]
  const url = new URL(found(/^base URLs?: (\S+?),?(?: |$)/m)).origin
  const client = new Client(url, {
    controlURL: found(/^control API: (http\S+)\/__coldframe\/$/m),
    token: options.token ?? found(/^control API: needs Authorization: Bearer (\S+)$/m),
  })
  return {
    url,
    client,
    pid: child.pid,
    log: () => log,
    async stop() {
      child.kill()
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
      const code = await ended
      clearTimeout(timer)
      return code
    },
  }
}

// A mock that runs already at options.url, else one that is started.
export async function openMock({ url, ...options } = {}) {
  if (url !== undefined) return { client: new Client(url, options), stop: async () => {} }
  const server = await startMock(options)
  return {
    client: server.client,
    async stop() {
      const code = await server.stop()
      if (code !== 0) throw new Error(`the mock ended with ${code}\n${server.log()}`)
    },
  }
}
