// The Playwright fixture where each worker starts its mock. examples/browser tests it with pages.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'

test('the session is sent beside fields of the configuration, deleted in the end, and its requests are in the report of a failure', () => {
  const run = spawnSync('npx', ['playwright', 'test'], { cwd: fileURLToPath(new URL('fixture', import.meta.url)), encoding: 'utf8' })
  assert.equal(run.status, 1, run.stderr)
  const [one, two] = JSON.parse(run.stdout).suites[0].specs.map((spec) => spec.tests[0].results[0])
  assert.equal(one.status, 'passed', JSON.stringify(one.errors))
  assert.deepEqual(one.attachments, [])
  assert.match(two.errors[0].message, /ControlError: .*1.*5/)
  const { body } = two.attachments.find(({ name }) => name === 'requests to the mock')
  const [{ request, response }] = JSON.parse(Buffer.from(body, 'base64'))
  assert.deepEqual([request.body.name, response.status], ['Rose', 200])
})
