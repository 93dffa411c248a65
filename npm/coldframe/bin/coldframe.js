#!/usr/bin/env node
// Runs the program as if it had been called itself: same arguments, streams, signals and exit code.
import { spawn } from 'node:child_process'
import { binaryPath } from '../index.js'

function run(binary) {
  // Before the program starts: a signal sent as soon as it writes finds them, and waits until it has been started.
  let program
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => program.kill(signal)) // twice where the terminal signalled the program too: it takes that as one
  }
  program = spawn(binary, process.argv.slice(2), { stdio: 'inherit' })
  program.on('error', (error) => fail(`${binary} does not start: ${error.message}`))
  program.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
    setInterval(() => {}, 1000) // until the signal is there
  })
}

function fail(message) {
  console.error(`coldframe: ${message}`)
  process.exit(2)
}

let binary
try {
  binary = binaryPath()
} catch (error) {
  fail(error.message)
}
run(binary)
