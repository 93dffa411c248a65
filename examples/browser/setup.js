// Starts one mock for all workers, and a server for the page, both on free ports.
import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
import { startMock } from '@coldframe/client/server'

export default async function setup() {
  const mock = await startMock({ document: 'notes.yaml' })
  const page = readFileSync('index.html')
  const app = createServer((request, response) => response.setHeader('Content-Type', 'text/html').end(page))
  await new Promise((resolve) => app.listen(0, '127.0.0.1', resolve))
  process.env.API_URL = mock.url // workers have it as well
  process.env.APP_URL = `http://127.0.0.1:${app.address().port}`
  return async () => {
    app.closeAllConnections()
    app.close()
    await mock.stop()
  }
}
