import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type Config, type ConfigInput, configProblems, type InstalledPlugin, operatorFolder, type Places, shortName } from '@svc/core'
import { Refusal } from '../cli/refusal.ts'
import { placesOf, version } from '../home.ts'
import { databaseQuestion, redisQuestion, type StateAddress } from './addresses.ts'
import { assertAbsent, writeNew } from './files.ts'
import { askNetworks } from './networks.ts'
import type { Questions } from './prompt.ts'
import { aliasesOf, type Choice, chooseProtocols } from './protocols.ts'
import { ENVIRONMENT, type PlacedSecrets, placeSecrets } from './secrets.ts'

/** Options of `svc init`, as they were given; each stands for a question that is then not asked. */
export interface InitOptions {
  readonly protocols?: readonly string[]
  readonly network?: readonly string[]
  readonly endpoint?: readonly string[]
  readonly set?: readonly string[]
  readonly account?: string
  readonly accountName?: string
  readonly database?: string
  readonly redis?: string
  readonly secrets?: string
  readonly secretsAt?: string
  readonly port?: number
  readonly metricsPort?: number
  readonly trustedProxies?: readonly string[]
  readonly publicUrl?: string
  readonly workers?: number
}

/** The config's file and its folder. */
interface Target {
  readonly file: string
  readonly folder: string
}

/**
 * Asks what to serve, and writes the config, the secrets that it names, and, where the folder has none, a package.json.
 *
 * @returns what was written and what comes next, for a person; no secret stands in it
 * @throws Refusal, SettingsError; then no config was written
 */
export async function init(target: Target, options: InitOptions, questions: Questions): Promise<string> {
  const places = placesOf(target.file)
  const choice = await chooseProtocols(places, questions, options.protocols)
  if (choice !== null && choice.absent.length > 0) throw await installFirst(target, choice, places)
  const chosen = choice?.chosen ?? []
  const plugins = await askPlugins(chosen, options, places, questions)
  const accounts = await askAccount(options, questions)
  const database = await questions.ask(databaseQuestion(process.env), options.database)
  const redis = await questions.ask(redisQuestion(process.env), options.redis)
  const secrets = await questions.ask(
    { text: 'Folder for the secrets, or environment', option: '--secrets <folder>', fallback: 'secrets', read: (text) => text },
    options.secrets,
  )
  questions.assertComplete()
  const config: ConfigInput = {
    listen: options.port === undefined ? {} : { host: '0.0.0.0', port: options.port },
    plugins,
    accounts,
    ...(options.workers === undefined ? {} : { workers: options.workers }),
    ...(options.publicUrl === undefined ? {} : { public_url: options.publicUrl }),
    ...(options.trustedProxies === undefined ? {} : { trusted_proxies: options.trustedProxies }),
    ...(options.metricsPort === undefined ? {} : { metrics: { port: options.metricsPort } }),
  }
  assertFits({ ...config, ...(database === null ? {} : { database_url: FILLER }), ...(redis === null ? {} : { redis_url: FILLER }) })
  const addresses = { database_url: database, redis_url: redis }
  const placed = await placeSecrets(
    { folder: target.folder, secrets: secrets ?? 'secrets', secretsAt: options.secretsAt },
    urlsWhere(addresses, ({ isSecret }) => isSecret),
  )
  const whole = { ...config, ...urlsWhere(addresses, ({ isSecret }) => !isSecret), ...placed.settings }
  if (!(await writeNew(target.file, `${JSON.stringify(whole, null, 2)}\n`))) assertAbsent(target.file)
  return summary(target, { config, placed, isEnvironment: secrets === ENVIRONMENT })
}

/** Stands for what is filled in at the start, where a config is checked before. */
const FILLER = 'https://filled-in.invalid'

/** @throws Refusal with everything that the service would refuse of a config, were its variables and files there */
function assertFits(config: ConfigInput): void {
  const text = JSON.stringify(config).replace(/\$\{(?:[^{}"]|\$\{[^{}"]*\})*\}/g, FILLER)
  const problems = configProblems(JSON.parse(text))
  if (problems.length > 0) throw new Refusal(problems.join('\n'))
}

function urlsWhere<K extends string>(
  addresses: Readonly<Record<K, StateAddress | null>>,
  fits: (address: StateAddress) => boolean,
): Partial<Record<K, string>> {
  const entries = Object.entries<StateAddress | null>(addresses)
  return Object.fromEntries(
    entries.flatMap(([name, address]) => (address !== null && fits(address) ? [[name, address.url]] : [])),
  ) as Partial<Record<K, string>>
}

/** Each plugin with the options that are about it. @throws Refusal for an option about none of them */
async function askPlugins(
  chosen: readonly InstalledPlugin[],
  { network = [], endpoint = [], set = [] }: InitOptions,
  places: Places,
  questions: Questions,
): Promise<ConfigInput['plugins']> {
  const names = chosen.map(({ name }) => name)
  const isAbout = (name: string) => (each: string) => aliasesOf(name, names).some((alias) => each.startsWith(`${alias}/`))
  for (const [option, values] of Object.entries({ '--network': network, '--endpoint': endpoint, '--set': set }))
    for (const each of values)
      if (!names.some((name) => isAbout(name)(each)))
        throw new Refusal(
          `${option} ${each}: it has to begin with one of ${names.map((name) => `${aliasesOf(name, names).at(-1)}/`).join(', ')}.`,
        )
  const plugins: Record<string, ConfigInput['plugins'][string]> = {}
  // One after the other: two chain libraries loaded at once can trip over each other's modules.
  for (const installed of chosen) {
    const aliases = aliasesOf(installed.name, names)
    const alias = aliases.at(-1) ?? installed.name
    const own = (values: readonly string[]) =>
      values
        .filter(isAbout(installed.name))
        .map((each) => each.slice(1 + (aliases.find((name) => each.startsWith(`${name}/`)) ?? '').length))
    const answers = { installed, alias, networks: own(network), endpoints: own(endpoint), settings: own(set) }
    plugins[installed.name] = await askNetworks(answers, places, questions)
  }
  return plugins
}

async function askAccount({ account, accountName }: InitOptions, questions: Questions): Promise<Config['accounts']> {
  const id = await questions.ask(
    {
      text: '\nAccount of the first customer',
      option: '--account <id>',
      fallback: 'own',
      read(text) {
        if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(text))
          throw new Refusal("An account's id is 1 to 63 small letters, digits and hyphens, and begins with a letter or digit.")
        return text
      },
    },
    account,
  )
  const name = await questions.ask(
    { text: 'Its name', option: '--account-name <text>', fallback: id ?? 'own', read: (text) => text },
    accountName,
  )
  return { [id ?? 'own']: { name: name ?? 'own' } }
}

/** Writes the package.json of an empty folder, with what has to be installed before a plugin can say which settings it has. @returns what to do */
async function installFirst({ folder }: Target, { chosen, absent }: Choice, places: Places): Promise<Refusal> {
  const again = 'and then svc init again, with the same answers: only a plugin that is installed can say what it has to be told.'
  const own = operatorFolder(places)
  if (existsSync(join(own, 'package.json')))
    return new Refusal(`${listed(absent)} not installed in ${own}. Run there:\n  npm install ${absent.join(' ')}\n${again}`)
  const dependencies = {
    '@svc/server': `^${version()}`,
    // The lock file that npm writes keeps the version that was newest.
    ...Object.fromEntries([...chosen.map(({ name, manifest }) => [name, `^${manifest.version}`]), ...absent.map((name) => [name, '*'])]),
  }
  const manifest = { name: 'staking', private: true, type: 'module', dependencies }
  await writeNew(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  return new Refusal(`${join(folder, 'package.json')} is written, and no config yet. Run in ${folder}:\n  npm install\n${again}`)
}

function listed(names: readonly string[]): string {
  return names.length === 1 ? `${names[0]} is` : `${names.join(', ')} are`
}

interface Outcome {
  readonly config: ConfigInput
  readonly placed: PlacedSecrets
  readonly isEnvironment: boolean
}

function summary({ file, folder }: Target, { config, placed, isEnvironment }: Outcome): string {
  const [account = ''] = Object.keys(config.accounts)
  const at = (path: string) => relative(folder, path) || path
  const svc = isEnvironment ? '(set -a; . ./svc.env; npx svc' : 'npx svc'
  const end = isEnvironment ? ')' : ''
  const path = file === join(folder, 'svc.config.json') ? '' : ` --config ${at(file)}`
  return [
    `Written in ${folder}:`,
    `  ${at(file)}: ${Object.keys(config.plugins).map(shortName).join(', ')}; account ${account}`,
    ...placed.written.map((each) => `  ${at(each)}`),
    ...(placed.reused.length > 0 ? ['Used as they are:', ...placed.reused.map((each) => `  ${at(each)}`)] : []),
    'Back the secrets up with the database; nobody but their owner may read them. Next:',
    `  ${svc} check${path}${end}`,
    `  ${svc} tokens create --account ${account} --name admin${path}${end}`,
    `  ${svc} start${path}${end}`,
  ].join('\n')
}
