// Builds the console: node build.mjs [FOLDER], by default ../dist.
import { build } from 'esbuild'
import openapi, { astToString } from 'openapi-typescript'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const out = process.argv[2] ?? join(here, '../dist')

// The types of the control API's requests and responses.
const document = new URL('../../../mock/internal/control/openapi.yaml', import.meta.url)
writeFileSync(join(here, 'src/control.d.ts'), astToString(await openapi(document)))

mkdirSync(out, { recursive: true })
await build({
  absWorkingDir: here, entryPoints: { app: 'src/app.tsx' }, outdir: out, bundle: true, minify: true, format: 'esm', target: 'es2022',
  jsx: 'automatic', jsxImportSource: 'preact', charset: 'utf8', legalComments: 'none', logLevel: 'warning',
})
for (const file of ['index.html', 'icon.svg']) copyFileSync(join(here, 'src', file), join(out, file))
