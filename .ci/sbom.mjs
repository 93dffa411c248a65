// Writes the software bill of materials of a Go program, CycloneDX 1.6 in JSON, from what the linker put into it.
//
//   node .ci/sbom.mjs PROGRAM FILE VERSION
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

const [program, file, version] = process.argv.slice(2)
const { GoVersion, Main, Deps, Settings } = JSON.parse(execFileSync('go', ['version', '-m', '-json', program]))
const setting = (key) => Settings.find((s) => s.Key === key)?.Value
const component = (type, path, version) =>
  ({ type, 'bom-ref': `pkg:golang/${path}@${version}`, name: path, version, purl: `pkg:golang/${path}@${version}` })
const main = {
  ...component('application', Main.Path, version),
  hashes: [{ alg: 'SHA-256', content: createHash('sha256').update(readFileSync(program)).digest('hex') }],
}
const modules = Deps.map(({ Replace, ...own }) => {
  const { Path, Version, Sum } = Replace ?? own
  return { ...component('library', Path, Version), properties: [{ name: 'go:sum', value: Sum }] }
})
const standard = component('library', 'std', GoVersion.replace(/^go/, ''))
writeFileSync(file, JSON.stringify({
  bomFormat: 'CycloneDX', specVersion: '1.6', version: 1,
  metadata: {
    ...(setting('vcs.time') && { timestamp: setting('vcs.time') }),
    component: main,
    properties: [{ name: 'go:target', value: `${setting('GOOS')}/${setting('GOARCH')}` }],
  },
  components: [standard, ...modules],
  dependencies: [{ ref: main['bom-ref'], dependsOn: [standard, ...modules].map((c) => c['bom-ref']) }],
}, null, 2) + '\n')
