// Lets one of two endpoints that have to agree tell every lie that conformance knows, about every answer that each plugin of this repository reads. The tests tell a sample of them.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../registry.mjs'

/**
 * Runs the group `agreement` of conformance for one plugin after the other.
 *
 * @param said takes a line for each plugin: its name, and the seconds that it took
 * @throws when a lie got into bytes or balances, with the report of the test
 */
export function tellEveryLie(said) {
  const plugins = readdirSync(join(root, 'plugins')).map((name) => ({ name, file: `plugins/${name}/test/conformance.test.ts` }))
  const env = { ...process.env, SVC_LIES: 'all', SVC_GROUPS: 'agreement' }
  for (const { name, file } of plugins.filter((plugin) => existsSync(join(root, plugin.file)))) {
    const began = Date.now()
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/unit.mjs', file], { cwd: root, env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`with every lie told, ${name} ended with ${status}:\n${stdout}${stderr}`)
    said(`  ${name.padEnd(20)} ${String(Math.round((Date.now() - began) / 1000)).padStart(5)} s`)
  }
}
