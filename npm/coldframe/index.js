// Finds the program for this system, which is in a package of its own that npm installs as an optional dependency.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

export function binaryPath({ platform, arch, env } = process) {
  if (env.COLDFRAME_BINARY) {
    if (existsSync(env.COLDFRAME_BINARY)) return env.COLDFRAME_BINARY
    throw new Error(`COLDFRAME_BINARY: there is no file ${env.COLDFRAME_BINARY}`)
  }
  const name = `@coldframe/cli-${platform}-${arch}`
  try {
    return require.resolve(`${name}/bin/coldframe${platform === 'win32' ? '.exe' : ''}`)
  } catch {
    const { version, optionalDependencies: supported = {} } = JSON.parse(readFileSync(require.resolve('./package.json')))
    const or = 'or set COLDFRAME_BINARY to a program that you built (go build ./cmd/coldframe)'
    if (!supported[name]) {
      const others = Object.keys(supported).map((n) => n.slice('@coldframe/cli-'.length)).join(', ')
      throw new Error(`there is no package of the program for ${platform}-${arch}, only for ${others || 'none'}; ${or}`)
    }
    throw new Error(`the package ${name} is not installed. It has the program for this system, and is an optional ` +
      `dependency of coldframe:\n  - install with optional dependencies (without --omit=optional or --no-optional)\n` +
      `  - install on this system again where node_modules was copied from another one\n` +
      `  - add it by hand: npm install ${name}@${version}, or its tarball\n  - ${or}`)
  }
}
