// The package coldframe as a user has it: installed from its tarballs in the folder $PACKAGES, without a network.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

const packages = process.env.PACKAGES
assert.ok(packages, 'PACKAGES says where the tarballs are')
const platform = `${process.platform}-${process.arch}`
const tarball = (start) => join(packages, readdirSync(packages).find((file) => start.test(file)))
const launcher = tarball(/^coldframe-\d/), program = tarball(new RegExp(`^coldframe-cli-${platform}-`))
const version = /coldframe-(\d.*)\.tgz$/.exec(launcher)[1]
const env = { ...process.env, npm_config_offline: 'true', npm_config_update_notifier: 'false' }
delete env.COLDFRAME_BINARY
const folders = [], groups = []

function install(...tarballs) {
  const cwd = mkdtempSync(join(tmpdir(), 'coldframe-launcher-'))
  folders.push(cwd)
  writeFileSync(join(cwd, 'package.json'), '{"private": true}')
  const { status, stderr } = spawnSync('npm', ['install', '--no-audit', '--no-fund', ...tarballs], { cwd, env, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  writeFileSync(join(cwd, 'openapi.yaml'), `openapi: 3.1.0
info: {title: Two words, version: "1"}
paths: {/words: {get: {responses: {"200": {description: ok, content: {application/json: {schema: {const: [a, b]}}}}}}}}
`)
  return cwd
}

let installed
before(() => { installed = install(launcher, program) })
after(() => {
  for (const { pid } of groups) try { process.kill(-pid, 'SIGKILL') } catch {} // a test that failed leaves programs
  folders.forEach((folder) => rmSync(folder, { recursive: true }))
})

function started(command, args, options) {
  const child = spawn(command, args, { env, ...options, detached: true })
  groups.push(child)
  return child
}

const npx = (args, options) => spawnSync('npx', args, { cwd: installed, env, encoding: 'utf8', ...options })
const bin = (cwd) => join(cwd, 'node_modules', '.bin', 'coldframe')

test('npx coldframe version is that of the package', () => {
  const { status, stdout } = npx(['coldframe', 'version'])
  assert.equal(status, 0)
  assert.match(stdout, new RegExp(`^coldframe ${version.replaceAll('.', '\\.')} go`))
  const { optionalDependencies } = JSON.parse(readFileSync(join(installed, 'node_modules/coldframe/package.json')))
  assert.equal(optionalDependencies[`@coldframe/cli-${platform}`], version)
  assert.equal(Object.keys(optionalDependencies).length, 6)
})

// A terminal signals the whole process group, and npm and the launcher pass the signal on.
const commands = [['npx', 'coldframe'], ['node_modules/.bin/coldframe']]
for (const [command, ...args] of commands) {
  test(`${[command, ...args].join(' ')} openapi.yaml serves it, and ends in good order when its group is signalled`, async () => {
    const used = `${args.length}.txt`
    const server = started(command, [...args, 'openapi.yaml', '--port', '0', '--coverage', used], { cwd: installed })
    const closed = new Promise((resolve) => server.on('close', (code, signal) => resolve(code ?? signal))) // the program's streams too
    let said = ''
    const url = await new Promise((resolve, reject) => {
      for (const stream of [server.stdout, server.stderr]) stream.setEncoding('utf8').on('data', (text) => {
        said += text
        const base = /^base URL: (.*)\n/m.exec(said)
        if (base) resolve(base[1])
      })
      closed.then((code) => reject(new Error(`it ended with ${code}\n${said}`)))
    })
    assert.deepEqual(await (await fetch(`${url}/words`)).json(), ['a', 'b'])
    process.kill(-server.pid, 'SIGINT')
    assert.equal(await closed, command === 'npx' ? 'SIGINT' : 0, said)
    assert.match(readFileSync(join(installed, used), 'utf8'), /100\.0 %/)
  })
}

test('streams and exit codes are those of the program', () => {
  const run = (args, input = '') => spawnSync(bin(installed), args, { cwd: installed, env, input, encoding: 'utf8' })
  assert.equal(run(['lint', '-'], 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\npaths: {}\n').status, 0)
  const broken = run(['lint', '-'], 'openapi: 3.1.0\npaths: {}\n')
  assert.equal(broken.status, 1)
  assert.match(broken.stdout, /info/)
  const usage = run(['lint', '--no-such-flag'])
  assert.equal(usage.status, 2)
  assert.match(usage.stderr, /no-such-flag/)
})

test('signals reach the program, and its end by one is the launcher\'s', async () => {
  const script = join(installed, 'program')
  writeFileSync(script, '#!/bin/sh\ntrap "exit 42" TERM\necho ready\n[ "$1" = kill ] && kill -KILL $$\nwhile :; do sleep 0.05; done\n')
  chmodSync(script, 0o755)
  // A launcher that is slow to go on once it has started the program: the signal is there before.
  const slow = join(installed, 'slow.mjs')
  writeFileSync(slow, `import children from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
const { spawn } = children
children.spawn = (...args) => {
  const child = spawn(...args)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  return child
}
syncBuiltinESMExports()
`)
  const launched = (...args) => started(bin(installed), args, { env: { ...env, COLDFRAME_BINARY: script, NODE_OPTIONS: `--import ${slow}` } })
  const end = (child) => new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)))
  const child = launched(), ended = end(child)
  await new Promise((resolve) => child.stdout.once('data', resolve))
  child.kill('SIGTERM')
  assert.equal(await ended, 42)
  assert.equal(await end(launched('kill')), 'SIGKILL')
})

test('without the package of this system it says what to do', () => {
  const cwd = install(launcher)
  const run = (extra) => spawnSync(bin(cwd), ['version'], { env: { ...env, ...extra }, encoding: 'utf8' })
  const without = run({})
  assert.equal(without.status, 2)
  assert.match(without.stderr, new RegExp(`^coldframe: the package @coldframe/cli-${platform} is not installed[^]*--omit=optional[^]*` +
    `npm install @coldframe/cli-${platform}@${version.replaceAll('.', '\\.')}[^]*COLDFRAME_BINARY`))
  const binary = join(installed, `node_modules/@coldframe/cli-${platform}/bin/coldframe`)
  assert.equal(run({ COLDFRAME_BINARY: binary }).status, 0)
  const wrong = run({ COLDFRAME_BINARY: '/no/such/file' })
  assert.equal(wrong.status, 2)
  assert.match(wrong.stderr, /^coldframe: COLDFRAME_BINARY: there is no file \/no\/such\/file$/m)
})

test('a system without a package is named, with those that have one', async () => {
  const { binaryPath } = await import(join(installed, 'node_modules/coldframe/index.js'))
  assert.throws(() => binaryPath({ platform: 'sunos', arch: 'x64', env: {} }),
    /no package of the program for sunos-x64, only for linux-x64, .*win32-arm64; or set COLDFRAME_BINARY/)
  assert.match(binaryPath(), new RegExp(`cli-${platform}/bin/coldframe$`))
})
