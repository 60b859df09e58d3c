import { dirname, resolve } from 'node:path'
import { CONTRACT } from '@svc/contract/host'
import { type Config, configProblems, installedPlugins, parseConfig, readUpgrade, type Upgrade } from '@svc/core'
import { read } from './cli/config.ts'
import { table } from './cli/output.ts'
import { placesOf, version } from './home.ts'

/** What stands between a version that is installed and its first start. */
interface UpgradeCheck {
  readonly version: string
  /** One sentence each; with any of them it does not start. */
  readonly problems: readonly string[]
  /** Null where the database could not be looked at. */
  readonly upgrade: Upgrade | null
  /** Plugins with the contract that they speak. */
  readonly plugins: readonly { readonly name: string; readonly version: string; readonly contract: unknown }[]
}

/** Checks a config, the plugins next to it and its database against this version. Asks no endpoint, and changes nothing. */
export async function upgradeCheck(file: string): Promise<UpgradeCheck> {
  const input = await read(file)
  const problems = [...configProblems(input)]
  const plugins = (await installedPlugins(placesOf(file))).map(({ name, manifest }) => ({
    name,
    version: manifest.version,
    contract: manifest.svc?.contract,
  }))
  for (const { name, contract } of plugins)
    if (contract !== CONTRACT)
      problems.push(
        `plugins.${name}: it speaks contract ${String(contract)}, and this version ${CONTRACT}; install the version of it that does.`,
      )
  const upgrade = problems.length === 0 ? await databaseOf(parseConfig(input), file, problems) : null
  return { version: version(), problems, upgrade, plugins }
}

async function databaseOf(config: Config, file: string, problems: string[]): Promise<Upgrade | null> {
  try {
    return await readUpgrade({ databaseUrl: config.database_url, dataDir: resolve(dirname(file), config.data_dir) })
  } catch (error) {
    problems.push(`The database cannot be looked at: ${error instanceof Error ? error.message : String(error)}`)
    return null
  }
}

/** Writes the result of the upgrade check for a person. */
export function upgradeText({ version, upgrade, plugins }: UpgradeCheck): string {
  const parts = [`Version ${version}`]
  if (plugins.length > 0)
    parts.push(
      table(
        ['PLUGIN', 'VERSION', 'CONTRACT'],
        plugins.map((plugin) => [plugin.name, plugin.version, String(plugin.contract)]),
      ),
    )
  if (upgrade) parts.push(databaseText(upgrade))
  return parts.join('\n\n')
}

function databaseText({ dialect, isEmpty, pending, seconds }: Upgrade): string {
  if (isEmpty) return 'The database is empty; the first start prepares it at once.'
  if (pending.length === 0) return 'The layout of the database is that of this version; the start changes nothing.'
  const rows = pending.map(({ tag, isExpansion, rows }) => [
    tag,
    isExpansion ? 'expansion: older versions work on it' : 'contraction: only the version before works on it',
    rows.toLocaleString('en'),
  ])
  const meanwhile =
    dialect === 'postgres'
      ? 'Replicas of the version before go on meanwhile.'
      : 'Nothing is served meanwhile: restart the service, which a reload would refuse.'
  return `${table(['CHANGE', 'KIND', 'ROWS TO INDEX'], rows)}\n\nThe first start takes about ${Math.max(1, Math.ceil(seconds))} s longer. ${meanwhile} Make a backup before.`
}
