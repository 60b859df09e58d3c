import { generateKeyPairSync } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ConfigInput, ConfigSchema, configProblems, parseConfig } from '@svc/core'
import t from 'tap'
import example from '../config.example.ts'
import { findConfig, load } from '../src/cli/config.ts'
import { emptyFolder, folder, launch, svc } from './cli-process.ts'

const here = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const json = JSON.parse(await readFile(here('config.example.json'), 'utf8')) as ConfigInput
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const env = {
  MONAD_RPC_URL: 'https://rpc.example.org',
  MONAD_RPC_TOKEN: 'token',
  COINGECKO_API_KEY: 'demo',
  ETHEREUM_RPC_URL: 'https://rpc.example.org',
  SVC_SIGNING_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  SVC_RESPONSE_KEY: 's'.repeat(43),
  SVC_PEPPER: 'p'.repeat(32),
  SVC_DATABASE_PASSWORD: 'secret',
}

/** Names of all settings that a schema fixes, whatever their depth. */
function settingsOf(schema: object): string[] {
  const { properties = {}, patternProperties = {} } = schema as { properties?: object; patternProperties?: object }
  return [
    ...Object.entries(properties).flatMap(([name, child]) => [name, ...settingsOf(child)]),
    ...Object.values(patternProperties).flatMap((child) => settingsOf(child)),
  ]
}

t.test('both examples are valid and say the same', async (t) => {
  t.same(configProblems(example, env), [])
  t.same(configProblems(json, env), [])
  t.same(parseConfig(example, env), parseConfig(json, env))
})

t.test('the examples and the reference name every setting', async (t) => {
  const typescript = await readFile(here('config.example.ts'), 'utf8')
  const readme = await readFile(here('README.md'), 'utf8')
  const names = settingsOf(ConfigSchema)
  t.ok(names.includes('address_per_minute') && names.includes('default_network'))
  for (const name of names) {
    t.match(typescript, new RegExp(`\\b${name}:`), `${name} is in the example`)
    t.match(readme, new RegExp(`\`[\\w.<>]*\\b${name}\``), `${name} is in the reference`)
  }
})

t.test('a config anywhere finds @svc/core, and its plugins in the working folder', async (t) => {
  const cwd = await emptyFolder(t)
  const file = join(cwd, 'svc.config.ts')
  await writeFile(
    file,
    `import { defineConfig } from '@svc/core'\nexport default defineConfig({ plugins: {}, accounts: { a: { name: 'A' as string } } })\n`,
  )
  const { config, places } = await load(file)
  t.same(Object.keys(config.accounts), ['a'])
  t.same(places, [file, join(process.cwd(), 'package.json')])
  const own = join(cwd, 'own.config.ts')
  await writeFile(
    own,
    `import plugin from '@svc/plugin-evm-three'\nexport default { plugins: { own: { module: plugin, networks: {} } }, accounts: {} }\n`,
  )
  const checked = await svc(['check', '--config', own], { cwd: here('..') })
  t.match(checked.stderr, /plugins\.own\.networks is empty/, 'it was loaded')
  // In a process of its own, since one that has loaded the file keeps it.
  const alone = await launch(['check', '--config', own], { cwd }).ended
  t.match(alone.stderr, /own\.config\.ts could not be loaded: Cannot find package '@svc\/plugin-evm-three'/)
  await t.rejects(load(join(cwd, 'svc.config.toml')), { code: 'SETTINGS_INVALID', message: /There is no config file at/ })
})

t.test('the config that is named wins over the one in the folder', async (t) => {
  t.equal(findConfig({ config: '/etc/svc.config.json' }), '/etc/svc.config.json')
  const cwd = await folder(t)
  await writeFile(join(cwd, 'svc.config.json'), '{ "plugins": {}, "accounts": { "from-folder": { "name": "A" } } }')
  await writeFile(join(cwd, 'other.json'), '{ "plugins": {}, "accounts": { "from-other": { "name": "A" } } }')
  const refusal = (args: string[], more = {}) => svc(['keys', 'list', '--account', 'x', ...args], { cwd, env: more })
  const [folderOnly, option, variable] = await Promise.all([
    refusal([]),
    refusal(['--config', 'other.json']),
    refusal([], { SVC_CONFIG: 'other.json' }),
  ])
  t.match(folderOnly.stderr, /there are: from-folder\./)
  t.match(option.stderr, /there are: from-other\./)
  t.match(variable.stderr, /there are: from-other\./)
})
