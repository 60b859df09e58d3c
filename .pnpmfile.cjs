// What a package's manifest says differs for who installs it: `pnpm pack` and `pnpm publish` leave out the packages of this workspace that are published
// nowhere, which no registry could give him. @see https://pnpm.io/pnpmfile (hooks.beforePacking, read 2026-11-27)
const { existsSync, readdirSync, readFileSync } = require('node:fs')
const { join } = require('node:path')

/** Names of the workspace's private packages. Node 20 reads this too. */
const PRIVATE = readdirSync(join(__dirname, 'packages'))
  .map((name) => join(__dirname, 'packages', name, 'package.json'))
  .filter((path) => existsSync(path))
  .map((path) => JSON.parse(readFileSync(path, 'utf8')))
  .filter((manifest) => manifest.private)
  .map(({ name }) => name)

module.exports = {
  hooks: {
    beforePacking(manifest) {
      const { devDependencies = {} } = manifest
      const rest = Object.entries(devDependencies).filter(([name]) => !PRIVATE.includes(name))
      return { ...manifest, devDependencies: Object.fromEntries(rest) }
    },
  },
}
