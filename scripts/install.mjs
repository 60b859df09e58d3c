// Installs the packages as a stranger gets them: packed, by npm, into an empty folder outside of the workspace, without an override. First the
// server with one protocol, which is weighed; then all protocols, whose lock file npm has to take again; then everything else. Refuses a version that is under an advisory, and runs the command line
// that was installed. After `pnpm packages`, which builds.
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { inFolder, install, operatorFolder, pack, published, run, withDependencies } from './registry.mjs'

/** What an operator of one EVM protocol installs, and the most that it may weigh. */
const ONE = { names: ['@svc/server', '@svc/plugin-evm-three'], packages: 130, mebibytes: 130 }

/** What that installation may not hold: engines of local chains, and libraries of chains that it does not serve. */
const FOREIGN = /^(@svc\/(sandbox|conformance|kit-(?!evm$)|solana)|@foundry-rs\/|litesvm|solc$|@solana\/|@mysten\/|@cosmjs\/|cosmjs-types$)/

/** What no installation may hold, and why. */
const REFUSED = [
  { name: 'bigint-buffer', when: ({ own }) => own === 'bigint-buffer', why: 'CVE-2025-3194, in every release' },
  { name: 'uuid', when: ({ version }) => below(version, [11, 1, 1]), why: 'CVE-2026-41907, before 11.1.1' },
]

await inFolder('install', async (folder) => {
  const files = await pack([...published().keys()], join(folder, 'tarballs'))
  const operator = await operatorFolder(join(folder, 'operator'))
  const wanted = withDependencies(ONE.names)
  install(
    operator,
    wanted.map((name) => files.get(name)),
  )
  const one = await packagesIn(operator)
  console.log(weighed(one))
  const strangers = one.filter(({ name }) => FOREIGN.test(name))
  if (strangers.length > 0) throw new Error(`Not wanted by ${ONE.names.join(' and ')}: ${strangers.map(({ name }) => name).join(', ')}`)
  if (one.length > ONE.packages || mebibytes(one) > ONE.mebibytes)
    throw new Error(`More than ${ONE.packages} packages or ${ONE.mebibytes} MiB.`)
  refuseAdvisories(one)
  const help = run(operator, 'npx', '--no-install', 'svc', '--help')
  if (!/Usage: svc/.test(help)) throw new Error(`svc --help printed no usage:\n${help}`)

  const served = withDependencies([...files.keys()].filter((name) => /^@svc\/(server$|plugin-)/.test(name)))
  const beyond = (before) => [...files].filter(([name]) => !before.includes(name))
  install(
    operator,
    beyond(wanted).flatMap(([name, file]) => (served.includes(name) ? [file] : [])),
  )
  // As the next machine installs it: npm refuses a lock file that a bundled manifest contradicts.
  run(operator, 'npm', 'ci', '--dry-run', '--prefer-offline', '--loglevel=error')
  console.log(`npm ci takes the lock file of all ${served.length} packages that a service can be made of`)

  install(
    operator,
    beyond(served).map(([, file]) => file),
  )
  const all = await packagesIn(operator)
  refuseAdvisories(all)
  console.log(
    `\nall ${files.size} packages of this workspace: ${all.length} packages, ${mebibytes(all).toFixed(0)} MiB; none under an advisory`,
  )
})

/** Every package of an installation, bundled ones too, with the bytes that its own files take on the disk. */
async function packagesIn(operator) {
  const found = []
  await walk(join(operator, 'node_modules'), undefined)
  return found.sort((a, b) => b.bytes - a.bytes)

  async function walk(at, owner) {
    for (const entry of await readdir(at, { withFileTypes: true })) {
      const path = join(at, entry.name)
      const { blocks } = await lstat(path)
      if (owner) owner.bytes += blocks * 512
      if (!entry.isDirectory() || entry.name === '.bin') continue
      const name = /node_modules\/((?:@[^/]+\/)?[^/@.][^/]*)$/.exec(path)?.[1]
      await walk(path, name === undefined ? (/node_modules(\/@[^/]+)?$/.test(path) ? undefined : owner) : await begin(path, name))
    }
  }

  async function begin(path, name) {
    const manifest = JSON.parse(await readFile(join(path, 'package.json'), 'utf8').catch(() => '{}'))
    // Its own name is another one where an alias stands in for a package.
    const made = { name, own: manifest.name, at: relative(operator, path), version: manifest.version, bytes: 0 }
    found.push(made)
    return made
  }
}

function mebibytes(packages) {
  return packages.reduce((sum, { bytes }) => sum + bytes, 0) / 2 ** 20
}

function weighed(packages) {
  const line = (name, bytes) => `  ${name.padEnd(28)} ${(bytes / 2 ** 20).toFixed(1).padStart(6)} MiB`
  const biggest = packages.slice(0, 10)
  const rest = packages.slice(10)
  return [
    `${ONE.names.join(' and ')}: ${packages.length} packages (at most ${ONE.packages}), ${mebibytes(packages).toFixed(1)} MiB (at most ${ONE.mebibytes})`,
    ...biggest.map(({ name, bytes }) => line(name, bytes)),
    line(`the other ${rest.length}`, mebibytes(rest) * 2 ** 20),
  ].join('\n')
}

function refuseAdvisories(packages) {
  const found = packages.flatMap((each) =>
    REFUSED.filter(({ name, when }) => each.name === name && when(each)).map(({ why }) => `${each.at} ${each.version}: ${why}`),
  )
  if (found.length > 0) throw new Error(`Under an advisory:\n${found.join('\n')}`)
}

function below(version, bound) {
  const parts = String(version).split(/[.-]/).map(Number)
  const at = bound.findIndex((part, index) => parts[index] !== part)
  return at >= 0 && parts[at] < bound[at]
}
