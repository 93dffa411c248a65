import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { include: ['*.test.js'], globalSetup: './setup.js', testTimeout: 60_000, expect: { poll: { timeout: 20_000 } } } })
