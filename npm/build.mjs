#!/usr/bin/env node
// Builds the npm packages: coldframe, one package of the program for each system, @coldframe/client.
//
//   npm/build.mjs OUT [PLATFORM...]    tarballs and SHA256SUMS in the folder OUT; default all platforms, host this one
//
// The version is $VERSION, else the tag of the commit (v1.2.3), else 0.0.0-dev. Nothing is published. It needs go and npm.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

// Node's name for the system and processor → Go's.
const platforms = {
  'linux-x64': 'linux/amd64', 'linux-arm64': 'linux/arm64', 'darwin-x64': 'darwin/amd64', 'darwin-arm64': 'darwin/arm64',
  'win32-x64': 'windows/amd64', 'win32-arm64': 'windows/arm64',
}
const root = fileURLToPath(new URL('..', import.meta.url))
const run = (program, args, options) => execFileSync(program, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], ...options })
const readJSON = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'))

function versionOf() {
  if (process.env.VERSION) return process.env.VERSION.replace(/^v/, '')
  const tag = run('git', ['tag', '--points-at', 'HEAD', 'v*']).trim().split('\n').pop()
  return tag ? tag.slice(1) : '0.0.0-dev'
}

const [out, ...named] = process.argv.slice(2)
const chosen = named.length ? named.map((name) => (name === 'host' ? `${process.platform}-${process.arch}` : name)) : Object.keys(platforms)
const unknown = chosen.filter((name) => !platforms[name])
if (!out || unknown.length) {
  console.error(`usage: npm/build.mjs OUT [${Object.keys(platforms).join('|')}|host...]`)
  process.exit(2)
}
const version = versionOf()
if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version)) {
  console.error(`npm/build.mjs: ${version} is no version such as 1.2.3`)
  process.exit(2)
}
const work = mkdtempSync(join(tmpdir(), 'coldframe-npm-'))
const sums = []

// pack makes a tarball of a folder and notes its checksum.
function pack(folder, manifest) {
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2) + '\n')
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  const [{ filename }] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', resolve(out), folder]))
  const sum = createHash('sha256').update(readFileSync(join(out, filename))).digest('hex')
  sums.push(`${sum}  ${filename}\n`)
  console.log(filename)
}

// addCommonJS writes a module of a folder, and its types, for require as well: index.js as index.cjs.
function addCommonJS(folder, module) {
  const exported = []
  const text = readFileSync(join(folder, `${module}.js`), 'utf8')
    .replace(/^(import \{ createRequire \}|const require = ).*\n/gm, '')
    .replace(/^import \{(.+)\} from '(.+)'$/gm, (_, names, from) => `const {${names}} = require('${from.replace(/\.js$/, '.cjs')}')`)
    .replace(/await import\(('.+?')\)/g, 'require($1)')
    .replace(/^export ((?:async )?(?:function|class|const) (\w+))/gm, (_, declaration, name) => (exported.push(name), declaration))
  if (/^(import|export) |import\.meta/m.test(text)) throw new Error(`${module}.js: this build knows no CommonJS for it`)
  writeFileSync(join(folder, `${module}.cjs`), `'use strict'\n${text}\nmodule.exports = { ${exported.join(', ')} }\n`)
  const types = readFileSync(join(folder, `${module}.d.ts`), 'utf8')
  writeFileSync(join(folder, `${module}.d.cts`), types.replace(/'(\.\/\w+)\.js'/g, "'$1.cjs'"))
}

try {
  mkdirSync(out, { recursive: true })
  const { license, repository } = readJSON('npm/coldframe/package.json')
  for (const name of chosen) {
    const [GOOS, GOARCH] = platforms[name].split('/')
    const folder = join(work, name), file = GOOS === 'windows' ? 'coldframe.exe' : 'coldframe'
    mkdirSync(join(folder, 'bin'), { recursive: true })
    run('go', ['build', '-trimpath', '-ldflags', `-s -w -X main.version=${version}`, '-o', join(folder, 'bin', file), './cmd/coldframe'],
      { env: { ...process.env, GOOS, GOARCH, CGO_ENABLED: '0' } })
    const [os, cpu] = name.split('-')
    writeFileSync(join(folder, 'README.md'), `# @coldframe/cli-${name}\n\nThe program of the package \`coldframe\` for ${name}. Install that.\n`)
    pack(folder, {
      name: `@coldframe/cli-${name}`, version, description: `The coldframe program for ${name}`,
      license, repository, os: [os], cpu: [cpu], preferUnplugged: true, files: ['bin'],
    })
  }
  for (const source of ['coldframe', 'client']) {
    const folder = join(work, source)
    cpSync(join(root, 'npm', source), folder, { recursive: true })
    const manifest = { ...readJSON(`npm/${source}/package.json`), version }
    const entries = Object.values(manifest.exports).flatMap((entry) => entry.require?.default ?? [])
    entries.forEach((file) => addCommonJS(folder, /^\.\/(\w+)\.cjs$/.exec(file)[1]))
    if (source === 'coldframe') {
      manifest.optionalDependencies = Object.fromEntries(Object.keys(platforms).map((name) => [`@coldframe/cli-${name}`, version]))
    } else {
      manifest.peerDependencies = { ...manifest.peerDependencies, coldframe: version }
    }
    pack(folder, manifest)
  }
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''))
} finally {
  rmSync(work, { recursive: true })
}
