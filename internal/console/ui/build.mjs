// Builds the console: node build.mjs [FOLDER], by default ../dist.
import { build } from 'esbuild'
import openapi, { astToString } from 'openapi-typescript'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const out = process.argv[2] ?? join(here, '../dist')

// The types of the control API's requests and responses, and of the JSON report.
const types = async (name, document) => writeFileSync(join(here, 'src', name + '.d.ts'), astToString(await openapi(document)))
await types('control', new URL('../../../mock/internal/control/openapi.yaml', import.meta.url))
const schema = readFileSync(new URL('../../report/report.schema.json', import.meta.url), 'utf8').replaceAll('#/$defs/', '#/components/schemas/')
const { $defs, $schema, $id, ...Report } = JSON.parse(schema)
await types('report', { openapi: '3.1.0', info: { title: 'report', version: '1' }, paths: {}, components: { schemas: { Report, ...$defs } } })

rmSync(out, { recursive: true, force: true }) // chunks have the hash of their content in their names
mkdirSync(out, { recursive: true })
await build({
  absWorkingDir: here, entryPoints: { app: 'src/app.tsx', test: 'src/test.tsx', style: 'src/style.css' }, outdir: out, bundle: true, splitting: true,
  minify: true, format: 'esm', target: 'es2022', jsx: 'automatic', jsxImportSource: 'preact', charset: 'utf8', legalComments: 'none', logLevel: 'warning',
})
for (const file of ['index.html', 'test.html', 'icon.svg']) copyFileSync(join(here, 'src', file), join(out, file))
