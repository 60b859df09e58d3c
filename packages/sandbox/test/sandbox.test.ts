import { startSandbox } from '@svc/sandbox'
import { eventually } from '@svc/testing/eventually'
import t from 'tap'
import { type ToyChain, type ToyScenario, toyEngine, toyWallets } from './toy.ts'

const quiet = { controlPort: 0 }
const toy = toyEngine('toy')
const empty = { install: async () => ({ settings: {} }) }

t.test('scenarios of one chain share it, in order, and each has its own settings', async (t) => {
  const seen: ToyChain[] = []
  const scenario = (chain: 'toy:net-1' | 'toy:net-2', name: string): ToyScenario => ({
    engine: toy,
    chain,
    async install(chain) {
      seen.push(chain)
      return { settings: { name } }
    },
  })
  const sandbox = await startSandbox({
    ...quiet,
    scenarios: [scenario('toy:net-1', 'a'), scenario('toy:net-2', 'b'), scenario('toy:net-1', 'c')],
  })
  t.teardown(() => sandbox.close())
  t.same(sandbox.settings, [{ name: 'a' }, { name: 'b' }, { name: 'c' }])
  t.same(
    seen.map((chain) => chain.id),
    ['toy:net-1', 'toy:net-2', 'toy:net-1'],
  )
  t.equal(seen[0], seen[2])
  t.same(sandbox.chains, { 'toy:net-1': { rpcUrl: seen[0]!.rpcUrl }, 'toy:net-2': { rpcUrl: seen[1]!.rpcUrl } })

  const response = await fetch(`${sandbox.controlUrl}/chains/toy/net-2/fund`, {
    method: 'POST',
    body: JSON.stringify({ address: 'first@toy:net-2', amount: '0.01' }),
  })
  t.same(await response.json(), { address: 'first@toy:net-2', balance: '1000000.01' })
})

t.test(
  'families that the sandbox has never heard of run side by side, each with its own wallets, funded on each of its chains',
  async (t) => {
    const other = toyEngine('other', { wallets: async (chains) => chains.map(({ id }) => ({ name: `of ${id}` })) })
    const funded: Record<string, object> = {}
    const scenarios: ToyScenario[] = [
      { ...empty, engine: toy, chain: 'toy:net-1' },
      { ...empty, engine: toy, chain: 'toy:net-2' },
      { ...empty, engine: other, chain: 'other:net-1' },
    ]
    const sandbox = await startSandbox({
      ...quiet,
      stage: true,
      scenarios: scenarios.map((scenario) => ({
        ...scenario,
        async stage(chain: ToyChain, wallets: readonly object[]) {
          funded[chain.id] = { wallets, balances: Object.fromEntries(chain.balances) }
          return { bodies: {}, parameters: {}, sent: { action: chain.id, body: {} } }
        },
      })),
    })
    t.teardown(() => sandbox.close())
    t.equal(sandbox.wallets.toy, toyWallets)
    t.same(sandbox.wallets, { toy: toyWallets, other: [{ name: 'of other:net-1' }] })
    const million = 100_000_000n
    t.same(funded, {
      'toy:net-1': { wallets: toyWallets, balances: { 'first@toy:net-1': million, 'second@toy:net-1': million } },
      'toy:net-2': { wallets: toyWallets, balances: { 'first@toy:net-2': million, 'second@toy:net-2': million } },
      'other:net-1': { wallets: sandbox.wallets.other, balances: { 'of other:net-1@other:net-1': million } },
    })
    t.same(
      sandbox.stages.map((stage) => stage?.sent.action),
      ['toy:net-1', 'toy:net-2', 'other:net-1'],
    )
  },
)

t.test('engines are loaded one after the other, only those of the scenarios, and each before its chains start', async (t) => {
  const told: string[] = []
  let loading = 0
  const slow = (family: string) =>
    toyEngine(family, {
      async load() {
        t.equal(loading++, 0, `${family} is loaded alone`)
        await new Promise((resolve) => setImmediate(resolve))
        loading--
        told.push(`${family} loaded`)
      },
      async start(options) {
        told.push(`${family} started`)
        return toy.start(options)
      },
    })
  const [one, two] = [slow('toy'), slow('toy')]
  const sandbox = await startSandbox({
    ...quiet,
    scenarios: [
      { ...empty, engine: one, chain: 'toy:net-1' },
      { ...empty, engine: two, chain: 'toy:net-2' },
    ],
  })
  t.teardown(() => sandbox.close())
  t.same(told.sort(), ['toy loaded', 'toy loaded', 'toy started', 'toy started'])
})

t.test('a scenario names the endpoints that it started, and they end with the chain', async (t) => {
  const closed: string[] = []
  const scenario = (chain: 'toy:net-1' | 'toy:net-2', endpoints?: Record<string, string[]>): ToyScenario => ({
    engine: toy,
    chain,
    async install(started) {
      started.onClose(async () => void closed.push(chain))
      return { settings: {}, ...(endpoints ? { endpoints } : {}) }
    },
  })
  const endpoints = { index: ['http://127.0.0.1:1'] }
  const sandbox = await startSandbox({ ...quiet, scenarios: [scenario('toy:net-1', endpoints), scenario('toy:net-2')] })
  t.same(sandbox.endpoints, [endpoints, {}])
  t.same(closed, [])
  await sandbox.close()
  t.same(closed.sort(), ['toy:net-1', 'toy:net-2'])
})

t.test('a scenario that fails closes what was started', async (t) => {
  let chain: ToyChain | undefined
  const failing: ToyScenario = {
    engine: toy,
    chain: 'toy:net-1',
    async install(given) {
      chain = given
      throw new TypeError('contract does not fit')
    },
  }
  await t.rejects(startSandbox({ ...quiet, scenarios: [failing] }), { message: 'contract does not fit' })
  t.equal(chain!.closed, true)
})

t.test('a chain that cannot be started closes the others', async (t) => {
  const lines: string[] = []
  const scenario = (chain: ToyScenario['chain']): ToyScenario => ({ ...empty, engine: toy, chain })
  for (const [chain, message] of [
    ['toy:net 2', /chainId is "net 2": it must be letters, digits and hyphens/],
    ['sea:7', /chain sea:7 is not of its engine’s family: its id must be toy: and the chain id/],
    ['toy:', /chain toy: is not of its engine’s family/],
  ] as const) {
    lines.length = 0
    const scenarios = [scenario('toy:net-1'), scenario(chain)]
    await t.rejects(startSandbox({ ...quiet, scenarios, log: (line) => lines.push(line) }), { code: 'INVALID_INPUT', message })
    t.match(lines, [/^toy:net-1 listens on /, 'toy:net-1 is closed'])
  }
})

t.test('a sandbox is acted on without its port, and its custodian signs as the family does', async (t) => {
  const seen: Uint8Array[] = []
  const engine = toyEngine('toy', {
    async sign({ name }, payload) {
      seen.push(payload)
      return { algorithm: 'ed25519', signature: `by ${name}`, publicKey: '00', prepare: {} }
    },
  })
  const scenarios: ToyScenario[] = [
    { ...empty, engine, chain: 'toy:net-1' },
    { ...empty, engine: toyEngine('mute'), chain: 'mute:net-1' },
  ]
  const sandbox = await startSandbox({ ...quiet, scenarios })
  t.teardown(() => sandbox.close())
  t.same(await sandbox.operate('toy:net-1', 'advance', { epochs: 2 }), { block: 3 })
  const [state] = await sandbox.states()
  t.match(state, { chain: 'toy:net-1', block: 3, time: null, epoch: null, fault: null, operations: { advance: { epochs: 1 } } })
  t.notOk('mine' in (state?.operations ?? {}), 'what a chain does not do is not offered')
  await t.rejects(sandbox.operate('toy:net-2', 'advance', {}), { code: 'NOT_FOUND', message: /there are: toy:net-1, mute:net-1/ })
  await t.rejects(sandbox.operate('toy:net-1', 'toString', {}), { code: 'NOT_FOUND' })
  await t.rejects(sandbox.operate('toy:net-1', 'advance', []), { code: 'INVALID_INPUT', message: /takes an object/ })

  t.same(sandbox.custodian.wallets[1], {
    family: 'toy',
    label: 'Wallet 2',
    addresses: { 'toy:net-1': 'second@toy:net-1' },
    publicKey: null,
  })
  const { sign } = sandbox.custodian
  t.match(await sign('toy', 'second@toy:net-1', Uint8Array.of(1)), { signature: 'by second' })
  t.same(seen, [Uint8Array.of(1)])
  await t.rejects(sign('mute', 'first@mute:net-1', Uint8Array.of(1)), { code: 'NOT_SUPPORTED' })
  await t.rejects(sign('toy', 'third@toy:net-1', Uint8Array.of(1)), { code: 'NOT_FOUND' })
  for (const size of [0, 1233]) await t.rejects(sign('toy', 'first@toy:net-1', new Uint8Array(size)), { code: 'INVALID_INPUT' })
  t.equal(seen.length, 1, 'and nothing of that was signed')
})

t.test('a scenario brings the price of a coin that the sandbox does not know, and changes none that it does', async (t) => {
  const scenario = (prices: Record<string, string>): ToyScenario => ({ ...empty, engine: toy, chain: 'toy:net-1', prices })
  const sandbox = await startSandbox({
    ...quiet,
    scenarios: [scenario({ toys: '0.5', monad: '99' }), scenario({ toys: '7' }), { ...empty, engine: toy, chain: 'toy:net-1' }],
  })
  t.teardown(() => sandbox.close())
  const response = await fetch(`${sandbox.pricesUrl}/simple/price?ids=toys,monad,nothing&vs_currencies=usd`)
  t.same(await response.json(), { toys: { usd: 0.5 }, monad: { usd: 0.0345 } })
  const before = process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length
  await t.rejects(startSandbox({ ...quiet, scenarios: [scenario({ toys: 'many' })] }), { code: 'INVALID_INPUT' }, 'a price that is none')
  // A server that has closed is forgotten by the event loop a little later.
  const listening = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length
  t.equal(await eventually('nothing is left listening', listening, (number) => number <= before), before, 'and nothing is left listening')
})
