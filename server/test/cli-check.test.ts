import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@svc/testing/free-ports'
import t from 'tap'
import { check } from '../src/check.ts'
import { behindWarnings, clockWarning } from '../src/clock.ts'
import { config, emptyFolder, folder, launch, localChain, svc, writeConfig } from './cli-process.ts'

const chain = await localChain()
t.teardown(() => chain.close())
const closed = await freePort()

/** A block of now, by whose time the clock is judged. */
const mine = () => fetch(`${chain.controlUrl}/chains/evm/143/mine`, { method: 'POST', body: '{}' })

t.test('a config that is right is shown by account, chain and state, and nothing is made', async (t) => {
  const cwd = await folder(t)
  const accounts = {
    acme: { name: 'Acme', plugins: { '@svc/plugin-evm-three': { networks: { '143': { validator_id: 7 } } } } },
    zenith: { name: 'Zenith' },
    none: { name: 'None', plugins: {} },
  }
  await writeConfig(cwd, config([chain.rpcUrl], chain.settings, { accounts }))
  const before = await readdir(cwd)
  t.equal((await mine()).status, 200)
  const { code, stdout, stderr } = await svc(['check'], { cwd })
  t.equal(stderr, '')
  t.equal(code, 0)
  t.match(stdout, /^ {2}acme +evm-three\/native +143 +yes +validator_id=7 \(own\)$/m)
  t.match(stdout, /^ {2}zenith +evm-three\/native +143 +yes +validator_id=12$/m)
  t.match(stdout, /^ {2}none +nothing/m)
  t.match(stdout, new RegExp(`143 +1 \\(${new URL(chain.rpcUrl).host}\\) +ok +chain 143$`, 'm'))
  t.match(stdout, /database +ok +embedded, none yet/)
  t.match(stdout, /signing key +ok +none yet/)
  t.match(stdout, /response keys +ok +none yet; the first start makes .*response-key\.pem/)
  // The local chain's own gap: Monad's nodes have the method, the engine of the stand-in does not.
  t.match(
    stdout,
    /\n1 warning:\n +- .*evm-three.*lacks: state of the pool \(txpool_statusByHash: [^\n]*\n\nNothing that is needed is missing\.\n$/,
  )
  t.same(await readdir(cwd), before)
})

t.test('a clock that does not go with the chains is told with both times, and one that does is not', async (t) => {
  const cwd = await folder(t)
  const file = await writeConfig(cwd, config([chain.rpcUrl], chain.settings))
  const told = async (aheadMs: number) => {
    const { warnings, problems } = await check(file, () => new Date(Date.now() + aheadMs))
    t.same(problems, [], 'it is a warning')
    return warnings.filter((warning) => warning.startsWith('clock: '))
  }
  // A local chain makes a block when something is sent.
  await mine()
  t.same(await told(0), [])
  const [ahead = ''] = await told(720_000)
  t.match(
    ahead,
    /^clock: this machine says \S+Z, and the youngest block of any chain is of \S+Z, \d+ s before: this machine's clock is ahead, or/,
  )
  const [behind = ''] = await told(-3_600_000)
  t.match(behind, /^clock: this machine says \S+Z, and the youngest block of any chain is of \S+Z, \d+ s later: .* clock is behind/)
})

t.test('the youngest block of any chain is what a clock is compared with', async (t) => {
  const at = Date.parse('2026-11-28T12:00:00Z')
  const seen = (...ages: readonly number[]) => ages.map((seconds) => ({ at, head: at - seconds * 1000 }))
  for (const fine of [[], [0], [240], [-30], [600, 4], [86_400, 239]]) t.equal(clockWarning(seen(...fine)), null, fine.join())
  for (const [ages, words] of [
    [[241], / 241 s before: /],
    [[300, 301, 900], / is of 2026-11-28T11:55:00\.000Z, 300 s before: /],
    [[-31, 5], / is of 2026-11-28T12:00:31\.000Z, 31 s later: /],
  ] as const)
    t.match(clockWarning(seen(...ages)) ?? '', words)
})

t.test('a config that enables no protocol is not well: check and start say what to write', async (t) => {
  const cwd = await folder(t)
  const enable = (name: string) => new RegExp(`plugins: no protocol is enabled.*"plugins": \\{ "${name}": \\{ "networks": `)
  await writeConfig(cwd, { listen: { host: '127.0.0.1', port: 0 }, plugins: {}, accounts: { acme: { name: 'Acme' } } })
  const { code, stdout, stderr } = await svc(['check'], { cwd })
  t.equal(code, 1)
  t.match(stderr, /^1 problem:$/m)
  t.match(stderr, enable('@svc/plugin-evm-three'))
  t.match(stderr, `Installed in ${cwd}: @svc/plugin-evm-three.`)
  t.notMatch(stdout, 'All is well')
  const service = launch(['start'], { cwd })
  await service.said(/"level":40[^\n]*no protocol is enabled/)
  await service.said(/Server listening/)
  service.child.kill('SIGTERM')
  t.match(await service.ended, { code: 0, stderr: '' })

  const bare = await emptyFolder(t)
  await writeFile(join(bare, 'package.json'), '{}')
  await writeConfig(bare, { plugins: {}, accounts: {} })
  const without = await svc(['check'], { cwd: bare })
  t.match(without.stderr, enable('<package>'))
  t.match(without.stderr, `None is installed in ${bare}; run there: npm install <package>.`)
})

t.test('the price source is asked for the prices of all tokens, each endpoint by itself', async (t) => {
  const cwd = await folder(t)
  const checked = async (endpoints: readonly string[], over: object = {}) => {
    await writeConfig(cwd, config([chain.rpcUrl], { ...chain.settings, ...over }, { prices: { endpoints } }))
    return svc(['check'], { cwd })
  }
  const host = new URL(chain.pricesUrl).host
  const well = await checked([chain.pricesUrl])
  t.equal(well.code, 0, well.stderr)
  t.match(well.stdout, new RegExp(`^ {2}prices +- +1 \\(${host}\\) +ok +1 price$`, 'm'))
  const wrong = await checked([chain.pricesUrl, `http://user:hidden@127.0.0.1:${closed}`, chain.rpcUrl], { price_id: 'no-such-token' })
  t.equal(wrong.code, 1)
  t.match(wrong.stderr, /^3 problems:$/m)
  t.match(wrong.stderr, /prices: endpoint 1 \(.*\): it has no price of today for any of no-such-token, or answers in another form\./)
  t.match(wrong.stderr, /prices: endpoint 2 \(127\.0\.0\.1:\d+\): it does not answer \(network ECONNREFUSED\)/)
  t.match(wrong.stderr, /prices: endpoint 3 /)
  t.notMatch(wrong.stdout + wrong.stderr, 'hidden')
  t.equal((await checked([], {})).code, 1, 'a source without an endpoint is none')
})

t.test('everything that does not fit is listed, each with its place and what would be right', async (t) => {
  const cwd = await folder(t)
  const network = { name: 'local', endpoints: { rpc: ['ftp://user:hidden@example.org'] } }
  await writeConfig(cwd, {
    lissen: {},
    plugins: { '@svc/plugin-evm-three': { networks: { '143': network } } },
    accounts: { acme: { name: 1 } },
    peppers: ['hidden'],
    log_level: 'loud',
  })
  const { code, stderr } = await svc(['check'], { cwd })
  t.equal(code, 1)
  t.match(stderr, /^5 problems:$/m)
  t.match(stderr, /lissen: there is no such setting\. Known here: listen,/)
  t.match(stderr, /accounts\.acme\.name: must be string, but it is 1\./)
  t.match(stderr, /peppers\.0: must not have fewer than 32 characters\./)
  t.match(stderr, /log_level: /)
  t.match(stderr, /endpoints\.rpc\.0: /)
  t.notMatch(stderr, 'hidden')

  await writeConfig(cwd, { plugins: {}, accounts: {}, signing_key: `$${'{NO_SUCH_ONE}'}`, redis_url: `$${'{NO_SUCH_TWO}'}` })
  const unset = await svc(['check'], { cwd })
  t.match(unset.stderr, /^2 problems:$/m)
  t.match(unset.stderr, /signing_key needs the environment variable NO_SUCH_ONE, which is not set\./)

  const accounts = { acme: { name: 'Acme', plugins: { '@svc/plugin-nowhere': {}, '@svc/plugin-evm-three': { networks: { '1': {} } } } } }
  await writeConfig(cwd, config([chain.rpcUrl], chain.settings, { accounts }))
  const unknown = await svc(['check'], { cwd })
  t.match(unknown.stderr, /^2 problems:$/m)
  t.match(unknown.stderr, /"@svc\/plugin-nowhere" is not configured; known here: @svc\/plugin-evm-three\./)
  t.match(unknown.stderr, /networks\.1: "1" is not configured; known here: 143\./)
})

t.test('chains, plugins and state that are not as they should be are listed together', async (t) => {
  const cwd = await folder(t)
  await writeFile(join(cwd, 'key.pem'), 'not a key')
  const dead = `http://user:hidden@127.0.0.1:${closed}/hidden`
  const { plugins, accounts, ...rest } = config([chain.rpcUrl, dead], { ...chain.settings, validator_id: 4242 })
  await writeConfig(cwd, {
    ...rest,
    plugins: { ...plugins, '@svc/plugin-nowhere': { networks: { '1': { name: 'x', endpoints: { rpc: [dead] } } } } },
    accounts: {
      ...accounts,
      own: { name: 'Own', plugins: { '@svc/plugin-evm-three': { networks: { '143': { validator_id: 'twelve' } } } } },
    },
    signing_key: 'hidden',
    redis_url: `redis://127.0.0.1:${closed}`,
    database_url: `postgres://svc:hidden@127.0.0.1:${closed}/svc`,
  })
  const first = await svc(['check'], { cwd })
  t.equal(first.code, 1)
  t.match(first.stderr, /plugins\.@svc\/plugin-nowhere: the package is not installed in .*; run there: npm install @svc\/plugin-nowhere$/m)
  t.match(
    first.stderr,
    /accounts\.own\.plugins\.@svc\/plugin-evm-three\.networks\.143\.validator_id: must be integer, but it is "twelve"\./,
  )
  t.match(first.stderr, /database: PostgreSQL at 127\.0\.0\.1:\d+\/svc cannot be used: .*ECONNREFUSED/)
  t.match(first.stderr, /redis: Redis at 127\.0\.0\.1:\d+ does not answer: .*ECONNREFUSED/)
  t.match(first.stderr, /signing key: The signing key cannot be read/)
  t.match(first.stderr, /response keys: response_keys is missing: with a shared database every replica needs the same one\./)
  t.match(first.stderr, /peppers: peppers is missing: with a shared database every replica needs the same one\./)
  t.notMatch(first.stdout + first.stderr, 'hidden')

  await writeConfig(cwd, config([chain.rpcUrl, dead], { ...chain.settings, validator_id: 4242 }))
  const second = await svc(['check'], { cwd })
  t.equal(second.code, 1)
  t.match(second.stderr, /^2 problems:$/m)
  t.match(second.stderr, /networks\.143: endpoint 1 \(.*\): validator_id 4242 is not a registered validator of this chain\./)
  t.match(second.stderr, /networks\.143: endpoint 2 \(127\.0\.0\.1:\d+\): it does not answer \(network ECONNREFUSED\)/)
  t.notMatch(second.stdout + second.stderr, 'hidden')

  await writeConfig(cwd, config([chain.rpcUrl, chain.rpcUrl], { ...chain.settings, former_validators: [13, 4343] }))
  const third = await svc(['check'], { cwd })
  const doubts = [
    ...(third.stdout + third.stderr).matchAll(/networks\.143: former_validators names (\d+), and the chain knows no such validator/g),
  ]
  t.same(
    doubts.map(([, validator]) => validator),
    ['4343'],
    'once, whichever endpoints say it',
  )
  t.notMatch(third.stderr, /problem[^\n]*\n[^\n]*4343/, 'and it is no problem')
})

t.test('an endpoint that lies behind another one of its network is named, with by how much', async (t) => {
  const at = Date.UTC(2026, 10, 28)
  const told = (path: string, endpoint: string, seconds: number | null) => ({
    ...{ path, endpoint },
    sighting: seconds === null ? null : { at, head: at - seconds * 1_000 },
  })
  t.same(
    behindWarnings([told('a', 'one', 900), told('b', 'one', 3), told('a', 'three', null)]),
    [],
    'of another network, and one that told nothing',
  )
  t.same(behindWarnings([told('a', 'one', 61), told('a', 'two', 1)]), [], 'to the bound')
  t.same(behindWarnings([told('a', 'one', 905), told('a', 'two', 3)]), [
    'a: endpoint one is 902 s behind the best one of its network, and is asked after it.',
  ])
})
