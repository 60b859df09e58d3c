import { scenario as vault } from '@svc/plugin-evm-vault/sandbox'
import { scenario as hub } from '@svc/plugin-hub-one/sandbox'
import { scenario as celestia } from '@svc/plugin-hub-two/sandbox'
import { scenarios as suis } from '@svc/plugin-move-native/sandbox'
import { scenario as solana } from '@svc/plugin-svm-native/sandbox'
import { startSandbox } from '@svc/sandbox'
import { eventually } from '@svc/testing/eventually'
import { freePort } from '@svc/testing/free-ports'
import t, { type Test } from 'tap'
import { config, folder, launch, svc, writeConfig } from './cli-process.ts'
import { evmLacks } from './support/evm-lacks.ts'
import { startLacking } from './support/lacking.ts'
import { moveLacks } from './support/move-lacks.ts'
import { cosmosLacks } from './support/node-lacks.ts'
import { svmLacks } from './support/svm-lacks.ts'

const [sui] = suis
if (!sui) throw new Error('the plugin of Sui has no scenario')
const scenarios = { 'hub-one': hub, 'hub-two': celestia, 'evm-vault': vault, 'svm-native': solana, 'move-native': sui }
const names = Object.keys(scenarios) as (keyof typeof scenarios)[]
const sandbox = await startSandbox({ scenarios: Object.values(scenarios), controlPort: 0 })
t.teardown(() => sandbox.close())
const rpcOf = (name: keyof typeof scenarios) => sandbox.chains[scenarios[name].chain]?.rpcUrl ?? ''

/** A folder with one plugin whose network has the endpoints given. */
async function withEndpoints(
  t: Test,
  endpoints: Partial<Record<keyof typeof scenarios, readonly string[]>>,
  over: object = {},
): Promise<string> {
  const used = names.filter((name) => endpoints[name])
  const cwd = await folder(
    t,
    used.map((name) => `@svc/plugin-${name}`),
  )
  const plugins = used.map((name) => [
    `@svc/plugin-${name}`,
    {
      networks: {
        [scenarios[name].chain.replace(/^\w+:/, '')]: {
          name: 'local',
          endpoints: { rpc: endpoints[name] },
          ...sandbox.settings[names.indexOf(name)],
        },
      },
    },
  ])
  await writeConfig(cwd, config([], {}, { plugins: Object.fromEntries(plugins), ...over }))
  return cwd
}

t.test('of every node that lacks something, check names it, what does not work, and the setting of the node', async (t) => {
  const lacks = [...cosmosLacks, ...evmLacks, ...svmLacks, ...moveLacks]
  t.equal(new Set(lacks.map(({ plugin }) => scenarios[plugin].chain.split(':')[0])).size, 4, 'of four families')
  // One at a time: a single process is all of them.
  for (const lack of lacks) {
    const url = await startLacking(t, rpcOf(lack.plugin), lack, lack.plugin === 'svm-native' ? 1 : 0)
    const { host } = new URL(url)
    const { code, stdout, stderr } = await svc(['check'], { cwd: await withEndpoints(t, { [lack.plugin]: [url] }) })
    const needed = stderr.split('\n').filter((line) => line.includes(host))
    const lessening = stdout
      .slice(stdout.indexOf('warning'))
      .split('\n')
      .filter((line) => line.startsWith('  - ') && line.includes(host))
    const found = [...needed, ...lessening].find((line) => line.includes(`lacks: ${lack.requirement} (`)) ?? ''
    t.match(found, lack.setting, `${lack.plugin}: ${lack.requirement}`)
    t.match(found, `Without it: ${lack.without}`)
    t.equal(needed.includes(found), lack.needed, `${lack.requirement} is ${lack.needed ? 'a problem' : 'a warning'}`)
    t.equal(
      needed.length + lessening.length,
      1 + (lack.also ?? 0),
      `nothing else is said to be missing there: ${[...needed, ...lessening].join()}`,
    )
    t.equal(code, needed.length > 0 ? 1 : 0, `${lack.requirement}: the exit code`)
  }
  const { stdout } = await svc(['check'], { cwd: await withEndpoints(t, Object.fromEntries(names.map((name) => [name, [rpcOf(name)]]))) })
  for (const name of names)
    t.match(stdout, new RegExp(`${new URL(rpcOf(name)).host}\\) +(all|1\\d of) \\d+`), `${name}: the chain itself was asked`)
})

t.test('what lessens alone leaves check at 0; what is needed has to be at one endpoint for the service to start', async (t) => {
  const lackOf = (requirement: string) => {
    const found = cosmosLacks.find((lack) => lack.plugin === 'hub-one' && lack.requirement === requirement)
    return startLacking(t, rpcOf('hub-one'), found ?? {})
  }
  const [noResults, noSimulation] = await Promise.all([lackOf('results of blocks'), lackOf('simulation of transactions')])
  const cwd = await withEndpoints(t, { 'hub-one': [noResults] })
  const lessened = await svc(['check'], { cwd })
  t.equal(lessened.code, 0, lessened.stderr)
  t.match(lessened.stdout, /Nothing that is needed is missing\.\n$/)
  const { warnings } = JSON.parse((await svc(['check', '--json'], { cwd })).stdout)
  // The last block of this chain was made when it began: on a busy machine that is long ago, which is told of the clock.
  t.match(
    warnings.filter((each: string) => !each.startsWith('clock: ')),
    [/lacks: results of blocks/],
  )

  const refused = await svc(['start'], { cwd: await withEndpoints(t, { 'hub-one': [noSimulation] }) })
  t.equal(refused.code, 1)
  t.match(refused.stderr, /lacks: simulation of transactions .*`\[grpc\]` of app\.toml.*No endpoint of this network has it\./)

  const beside = await svc(['check'], { cwd: await withEndpoints(t, { 'hub-one': [noSimulation, noResults] }) })
  t.equal(beside.code, 0, beside.stderr)
  t.match(beside.stdout, /lacks: simulation of transactions .*, as long as no other endpoint of this network that has it answers\./)

  const service = launch(['start'], { cwd: await withEndpoints(t, { 'hub-one': [noSimulation, noResults] }) })
  await service.said(/"level":40[^\n]*lacks: simulation of transactions/)
  await service.said(/"level":40[^\n]*lacks: results of blocks/)
  service.child.kill('SIGTERM')
  t.equal((await service.ended).code, 0)
})

t.test('an endpoint that tells its chain and then nothing more is out of reach, and not wrong', async (t) => {
  const silent = await startLacking(t, rpcOf('hub-one'), { silent: ({ method }) => method !== 'status' })
  const cwd = await withEndpoints(t, { 'hub-one': [silent] }, { upstream: { timeout_ms: 300, deadline_ms: 300 } })
  // The bound is of the first answer too, which on a machine that stands still comes too late: then it is checked once more.
  const { code, stdout, stderr } = await eventually(
    'a first answer in time',
    () => svc(['check'], { cwd }),
    (ran) => /it serves chain/.test(ran.stdout),
    12_000,
  )
  t.equal(code, 1)
  t.match(stdout, /NO ANSWER +it serves chain cosmoshub-4, but told no more \((timeout|no answer in time)\)/)
  t.notMatch(stdout, /WRONG|MISSING/)
  t.match(stderr, /it did not say whether it has: simulation of transactions/)
})

t.test('endpoints that are slow, dead or silent keep no service from starting, in words that say so', async (t) => {
  const url = rpcOf('evm-vault')
  // Each answers within the bound of a call; the questions of a check, one after the other, take longer than the bound of all.
  const bound = 2_000
  const slow = await startLacking(t, url, { late: 0.6 * bound })
  const blackHole = await startLacking(t, url, { silent: () => true })
  const dead = `http://127.0.0.1:${await freePort()}`
  const upstream = { timeout_ms: bound, deadline_ms: bound }
  for (const endpoints of [
    [url, slow, dead, blackHole],
    [slow, dead],
  ]) {
    const cwd = await withEndpoints(t, { 'evm-vault': endpoints }, { upstream })
    const service = launch(['start'], { cwd })
    for (const [index, endpoint] of endpoints.entries()) {
      if (endpoint === url) continue
      const name = `${index + 1} \\(${new URL(endpoint).host}\\)`
      const [line] = await service.said(new RegExp(`"level":40[^\\n]*"endpoint":"${name}"[^\\n]*an endpoint could not be checked: [^\\n]*`))
      t.match(line, endpoint === dead ? /\((network ECONNREFUSED|no answer in time|timeout)\)/ : /\((no answer in time|timeout)\)/)
      t.notMatch(line, /closed|wrong/)
    }
    service.child.kill('SIGTERM')
    t.equal((await service.ended).code, 0)
  }
})
