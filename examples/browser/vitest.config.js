import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { include: ['*.test.js'], globalSetup: './setup.js' } })
