// What a user of the packages writes, checked by tsc --noEmit.
import { binaryPath } from 'coldframe'
import { type Client, ControlError, coldframe, sessionHeader } from '@coldframe/client'
import { startMock } from '@coldframe/client/server'
import { type MockWorkerOptions, expect, test } from '@coldframe/client/playwright'
import { useMock } from '@coldframe/client/jest'
import { mockTest } from '@coldframe/client/vitest'
import { defineConfig } from '@playwright/test'

export default defineConfig<{}, MockWorkerOptions>({ use: { mockOptions: { document: 'plants.yaml', args: ['--seed', '7'] } } })

test('a page', async ({ page, mock, mockServer }) => {
  const session: Client = mock
  await session.putState({ plants: [{ id: 1, name: 'Rose' }] })
  await page.goto(mock.url)
  const { requests } = await mockServer.requests({ status: 200 })
  expect(requests[0].response.status satisfies number | undefined).toBe(200)
  // @ts-expect-error: there is no such filter
  await mockServer.requests({ colour: 'red' })
})

const vitest = mockTest(() => ({ url: 'http://127.0.0.1:4010' }))
vitest('a request', async ({ mock }) => {
  const answer: Response = await mock.fetch('/plants')
  answer.headers.get(sessionHeader)
})

export async function own(): Promise<number | string> {
  const server = await startMock({ binary: binaryPath(), args: [] })
  const mock = coldframe(server.url, { session: 'suite-1', token: 'x' })
  try {
    const matched: number = await mock.verify({ sequence: [{ operation: 'POST /plants' }] })
    const text: string = await mock.coverage('lcov')
    const { percent } = await mock.coverage()
    console.log(matched, text, percent.toFixed(1))
    // @ts-expect-error: a scenario has a name and a text
    await mock.putScenario('busy')
  } catch (error) {
    if (error instanceof ControlError) console.log(error.problem.misses?.[0].failed[0].condition)
  }
  return server.stop()
}

const used = useMock({ document: 'plants.yaml' })
used.mock.url satisfies string
