import { defineConfig } from '@playwright/test'

export default defineConfig({
  testMatch: '*.spec.js',
  globalSetup: './setup.js',
  fullyParallel: true,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 20_000 }, // for machines that are busy
  use: {
    baseURL: process.env.APP_URL,
    mockOptions: { url: process.env.API_URL },
    launchOptions: { executablePath: process.env.CHROMIUM }, // default is Playwright's own browser
  },
})
