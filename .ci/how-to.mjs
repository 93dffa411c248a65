// Runs the JavaScript of the how-tos: the files that a page shows, in a project of their own. See .ci/how-to.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const { API_URL, CHROMIUM, MOCK_PORT, PAGE_PORT, WORK } = process.env
const products = await (await fetch(`${API_URL}/api/products`)).text()

// project writes the files of a page: blocks whose first line is a comment with a file's name.
function project(page, change = (text) => text) {
  const folder = join(WORK, page)
  const text = readFileSync(`docs/${page === 'auth' ? '' : 'how-to/'}${page}.md`, 'utf8')
  for (const [, body, name] of text.matchAll(/^```[a-z]+\n((?:\/\/|#|<!--) ([\w./-]+\.\w+)\b[^]*?)^```$/gm)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), change(body))
  }
  return folder
}
const load = (...path) => import(pathToFileURL(join(...path)).href)

// A real development server of Vite answers as the mock does, and pictures lead to the mock.
async function vite() {
  const folder = project('dev-server')
  process.chdir(folder)
  const server = await (await import(pathToFileURL(join(WORK, 'node_modules/vite/dist/node/index.js')).href))
    .createServer({ root: folder, logLevel: 'error', server: { port: 0, host: '127.0.0.1' } })
  await server.listen()
  const page = server.resolvedUrls.local[0].replace(/\/$/, '')
  const answer = await (await fetch(page + '/api/products')).text()
  assert.equal(answer, products)
  assert.ok(JSON.parse(answer).items[0].imageUrl.startsWith(API_URL))
  assert.equal((await fetch(page + '/api/products?__code=500')).status, 500)
  // The page's own module, as Vite serves it.
  const source = await (await fetch(page + '/src/products.js')).text()
  const module = await import('data:text/javascript,' + encodeURIComponent(source.replace('`/api', '`' + page + '/api')))
  assert.deepEqual(await module.products({ pageSize: 1 }), JSON.parse(products).items.slice(0, 1))
  await assert.rejects(module.products({ pageSize: 0 }), /pageSize/)
  await server.close()
}

// Next itself is not installed, as it is large: what its configuration rewrites a path to is asked for.
async function next() {
  const { default: config } = await load(WORK, 'dev-server', 'next.config.mjs')
  const [{ source, destination }] = await config.rewrites()
  const path = source.replace(':path*', 'products')
  assert.equal(path, '/api/products')
  assert.equal(await (await fetch(destination.replace(':path*', 'products'))).text(), products)
}

// The tests of the page run in two workers, with a mock, a page and ports of their own.
function playwright() {
  const folder = project('browser-tests', (text) => text.replaceAll('4010', MOCK_PORT).replaceAll('5173', PAGE_PORT)
    .replace("'coldframe openapi.yaml'", `'coldframe openapi.yaml --port ${MOCK_PORT}'`))
  cpSync('examples/garden-shop/openapi.yaml', join(folder, 'openapi.yaml'))
  const config = join(folder, 'playwright.config.js')
  const launch = `use: { launchOptions: { executablePath: '${CHROMIUM}', args: ['--no-sandbox'] },`
  writeFileSync(config, readFileSync(config, 'utf8').replace('use: {', launch))
  const { status, stdout, stderr } = spawnSync('npx', ['playwright', 'test', '--reporter', 'line'], { cwd: folder, encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
  assert.match(stdout, /3 passed/)
}

// Cypress is not installed, as its program is large: its configuration, its support file and the test run with
// stand-ins for Cypress's names, which send the requests to the mock.
async function cypress() {
  const folder = join(WORK, 'browser-tests'), at = (text) => text.replaceAll('http://localhost:' + MOCK_PORT, API_URL)
  const source = (name) => at(readFileSync(join(folder, name), 'utf8'))
  const code = source('cypress.config.js').replace(/^import .*$/m, 'const defineConfig = (c) => c')
  const { e2e } = (await import('data:text/javascript,' + encodeURIComponent(code))).default
  const before = [], tests = [], commands = {}, sent = [], cookies = {}
  globalThis.Cypress = { env: (name) => e2e.env[name], Commands: { add: (name, run) => { commands[name] = globalThis.cy[name] = run } } }
  const visit = async () => {
    const Cookie = Object.entries(cookies).map((pair) => pair.join('=')).join('; ')
    globalThis.shown = await (await fetch(`${e2e.env.mock}/api/products?sort=name`, { headers: { Cookie } })).json()
  }
  globalThis.cy = {
    request: (order) => sent.push(order), visit: () => sent.push(visit), contains: () => sent.push(() => assert.equal(shown.total, 0)),
    setCookie: (name, value) => { cookies[name] = value },
  }
  globalThis.beforeEach = (run) => before.push(run)
  globalThis.it = (name, run) => tests.push(run)
  for (const name of ['cypress/support/e2e.js', 'cypress/e2e/products.cy.js']) {
    await import('data:text/javascript,' + encodeURIComponent(source(name)))
  }
  const [test] = tests
  before.forEach((run) => run())
  test()
  commands.putScenario('slow', [{ on: 'listProducts', delay: 1 }])
  for (const order of sent) {
    if (typeof order === 'function') {
      await order()
      continue
    }
    const { method, url, headers, body } = order
    const type = { 'Content-Type': 'application/json', ...headers }
    const answer = await fetch(url, { method, headers: type, body: JSON.stringify(body) })
    assert.ok(answer.ok, `${method} ${url}: ${answer.status} ${await answer.text()}`)
  }
  assert.deepEqual(Object.keys(commands), ['putState', 'putScenario', 'verify'])
  assert.equal(sent.length, 6)
}

// openid-client and jose, used as in docs/auth.md, accept what the mock's issuer returns; so do other flows.
async function issuer() {
  const { startMock } = await load(WORK, 'node_modules/@coldframe/client/server.js')
  const { url, stop } = await startMock({ binary: join(WORK, 'bin/coldframe'), document: join(WORK, 'openapi.yaml'), args: ['--auth', 'issuer'] })
  const folder = project('auth', (text) => text.replaceAll('http://localhost:4010', url))
  const { config, login } = await load(folder, 'login.mjs')
  const { verify } = await load(folder, 'verify.mjs')
  const client = await load(WORK, 'node_modules/openid-client/build/index.js')
  const orders = async (token) => (await fetch(url + '/api/orders/7', { headers: { Authorization: `Bearer ${token}` } })).status

  const tokens = await login('ada.winter@example.com')
  const { sub, aud, email } = tokens.claims()
  assert.deepEqual([sub, aud, email], ['ada.winter@example.com', 'app', 'ada.winter@example.com'])
  assert.equal((await verify(tokens.access_token)).client_id, 'app')
  await assert.rejects(verify(tokens.id_token), /"typ"/)
  assert.equal((await client.fetchUserInfo(config, tokens.access_token, sub)).name, 'Ada Winter')
  assert.equal(await orders(tokens.access_token), 200)

  const fresh = await client.refreshTokenGrant(config, tokens.refresh_token)
  assert.notEqual(fresh.refresh_token, tokens.refresh_token)
  assert.equal((await client.tokenIntrospection(config, fresh.refresh_token)).active, true)
  await assert.rejects(client.refreshTokenGrant(config, tokens.refresh_token), { error: 'invalid_grant' })
  assert.equal(await orders(fresh.access_token), 401)

  const own = await client.clientCredentialsGrant(config, { scope: 'read', resource: 'https://api.example.com' })
  await assert.rejects(verify(own.access_token), /"aud"/)
  const revoked = await login('eve')
  await client.tokenRevocation(config, revoked.refresh_token)
  assert.equal((await client.tokenIntrospection(config, revoked.access_token)).active, false)

  const device = await client.initiateDeviceAuthorization(config, { scope: 'openid' })
  const person = (body) => fetch(device.verification_uri, { method: 'POST', body: new URLSearchParams({ user_code: device.user_code, ...body }) })
  await person({ user: 'eve' })
  const admitted = await client.pollDeviceAuthorizationGrant(config, { ...device, interval: 0.01 })
  assert.equal(admitted.claims().sub, 'eve')

  const bye = 'http://localhost:3000/bye'
  const out = await fetch(client.buildEndSessionUrl(config, { id_token_hint: admitted.id_token, post_logout_redirect_uri: bye }), { redirect: 'manual' })
  assert.equal(out.headers.get('Location'), bye)
  assert.equal(await orders(admitted.access_token), 401)
  await stop()
}

const root = process.cwd()
for (const run of [vite, next, playwright, cypress, issuer]) {
  const begin = Date.now()
  process.chdir(root)
  await run()
  console.log(`${run.name} (${Date.now() - begin} ms)`)
}
