import { expect, test } from '@coldframe/client/playwright'

// Both run at once, in two workers, against one mock; neither sees the other's notes.
for (const name of ['Ada', 'Grace']) {
  test(`${name} sees the notes of her session`, async ({ page, mock, mockServer }) => {
    await mock.putState({ notes: [{ id: 1, text: `first of ${name}` }] })
    await page.goto(`/?api=${mock.url}`)
    await page.getByLabel('Note').fill(`second of ${name}`)
    await page.getByRole('button').click()
    const both = [`first of ${name}`, `second of ${name}`]
    await expect(page.getByRole('listitem')).toHaveText(both)

    // Until the other worker's note is there too.
    const sessions = async () => new Set((await mockServer.requests({ operation: 'createNote' })).requests.map((r) => r.session)).size
    await expect.poll(sessions).toBe(2)
    await page.reload()
    await expect(page.getByRole('listitem')).toHaveText(both)
    await mock.verify({ operation: 'createNote', where: `request.body.text == "second of ${name}"`, count: 1 })
    await mock.verify({ operation: 'createNote', count: 1 })
  })
}

test('a note that is not accepted says why', async ({ page, mock, request }) => {
  await mock.putScenario('busy', 'rules: [{on: createNote, respond: {status: 503, body: {message: too many notes}}}]')
  await page.goto(`/?api=${mock.url}`)
  await page.getByLabel('Note').fill('one more')
  await page.getByRole('button').click()
  await expect(page.getByRole('alert')).toHaveText('too many notes')
  expect((await request.post(`${mock.url}/notes`, { data: { text: 'x' } })).status()).toBe(503) // in the same session
})
