// A release of what is committed: in a clone, since it changes manifests, changelogs and tags, none of which may stay after a rehearsal.
import { join } from 'node:path'
import { pnpmCommand } from '../pnpm.mjs'
import { root } from '../registry.mjs'
import { runIn } from './command.mjs'

/**
 * Bumps, builds and publishes every public package, by the commands that CONTRIBUTING.md has for a release.
 *
 * @param folder for the clone, which is made
 * @param registry as `startRegistry` gives it
 * @param step is told each step
 * @returns name, version and dependencies of each published package, from the registry's side
 */
export async function releaseInto(folder, { publishEnv, url }, step) {
  const [pnpm, ...words] = pnpmCommand()
  const head = (await runIn(root, {}, 'git', 'rev-parse', 'HEAD')).trim()
  step(`cloning ${head.slice(0, 10)}: what is not committed is no part of it`)
  await runIn(root, {}, 'git', 'clone', '--quiet', '--no-tags', root, folder)
  await runIn(folder, {}, 'git', 'checkout', '--quiet', '--detach', head)
  await runIn(folder, {}, pnpm, ...words, 'install', '--frozen-lockfile', '--prefer-offline', '--loglevel=error')
  step('bumping versions and writing changelogs, by the changesets')
  await runIn(folder, {}, pnpm, ...words, 'exec', 'changeset', 'version')
  step('building')
  await runIn(folder, {}, process.execPath, 'scripts/build.mjs')
  step('publishing')
  await runIn(folder, publishEnv, pnpm, ...words, 'exec', 'changeset', 'publish', '--no-git-tag')
  return await releasedBy(folder, url)
}

/** What the registry has of the packages of a clone. @throws when it lacks one, or has another version of it */
async function releasedBy(folder, url) {
  const { published } = await import(join(folder, 'scripts/registry.mjs'))
  const releases = []
  for (const [name, { manifest }] of published()) {
    const answer = await fetch(new URL(name.replace('/', '%2f'), url))
    const latest = answer.ok ? (await answer.json())['dist-tags'].latest : `nothing (${answer.status})`
    if (latest !== manifest.version) throw new Error(`${name}: ${manifest.version} was to be published, and the registry has ${latest}`)
    releases.push({ name, version: latest, manifest })
  }
  return releases
}
