import { describe, expect } from 'vitest'
import { mockTest } from '@coldframe/client/vitest'

const shared = mockTest(() => ({ url: process.env.API_URL })) // the mock of setup.js
const texts = async (mock) => (await (await mock.fetch('/notes')).json()).map((note) => note.text)

describe.concurrent('tests that run at once have sessions of their own', () => {
  for (const name of ['Ada', 'Grace']) {
    shared(name, async ({ mock, mockServer }) => {
      await mock.putState({ notes: [] })
      const body = JSON.stringify({ text: `of ${name}` })
      await mock.fetch('/notes', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
      await expect.poll(async () => (await mockServer.requests({ operation: 'createNote' })).matched).toBe(2)
      expect(await texts(mock)).toEqual([`of ${name}`])
    })
  }
})

const own = mockTest({ document: 'notes.yaml', args: ['--data', 'seed.yaml'] })

own('a mock that is started for the worker', async ({ mock }) => {
  expect(await texts(mock)).toEqual(['from seed.yaml'])
  expect(mock.url).not.toBe(process.env.API_URL)
})
