import { type EvmChain, fundedWallets, type Scenario, startSandbox } from '@svc/sandbox'
import t from 'tap'

const quiet = { controlPort: 0 }

t.test('scenarios of one chain share it, in order, and each has its own settings', async (t) => {
  const seen: EvmChain[] = []
  const scenario = (chain: 'evm:143' | 'evm:1', name: string): Scenario => ({
    chain,
    async install(chain) {
      seen.push(chain)
      return { settings: { name } }
    },
  })
  const sandbox = await startSandbox({ ...quiet, scenarios: [scenario('evm:143', 'a'), scenario('evm:1', 'b'), scenario('evm:143', 'c')] })
  t.teardown(() => sandbox.close())
  t.same(sandbox.settings, [{ name: 'a' }, { name: 'b' }, { name: 'c' }])
  t.same(
    seen.map((chain) => chain.id),
    ['evm:143', 'evm:1', 'evm:143'],
  )
  t.equal(seen[0], seen[2])
  t.same(sandbox.chains, { 'evm:143': { rpcUrl: seen[0]!.rpcUrl }, 'evm:1': { rpcUrl: seen[1]!.rpcUrl } })
  t.equal(sandbox.wallets.evm, fundedWallets)
  for (const chain of [seen[0]!, seen[1]!]) {
    for (const { address } of fundedWallets) t.equal(await chain.balance(address), 10n ** 24n)
  }

  const response = await fetch(`${sandbox.controlUrl}/chains/evm/1/fund`, {
    method: 'POST',
    body: JSON.stringify({ address: fundedWallets[0]!.address, amount: '0.000000000000000001' }),
  })
  t.same(await response.json(), { address: fundedWallets[0]!.address, balance: '1000000.000000000000000001' })
})

t.test('a scenario names the endpoints that it started, and they end with the chain', async (t) => {
  const closed: string[] = []
  const scenario = (chain: 'evm:143' | 'evm:1', endpoints?: Record<string, string[]>): Scenario => ({
    chain,
    async install(started) {
      started.onClose(async () => void closed.push(chain))
      return { settings: {}, ...(endpoints ? { endpoints } : {}) }
    },
  })
  const endpoints = { index: ['http://127.0.0.1:1'] }
  const sandbox = await startSandbox({ ...quiet, scenarios: [scenario('evm:143', endpoints), scenario('evm:1')] })
  t.same(sandbox.endpoints, [endpoints, {}])
  t.same(closed, [])
  await sandbox.close()
  t.same(closed.sort(), ['evm:1', 'evm:143'])
})

t.test('a scenario that fails closes what was started', async (t) => {
  let chain: EvmChain | undefined
  const failing: Scenario = {
    chain: 'evm:143',
    async install(given) {
      chain = given
      throw new TypeError('contract does not fit')
    },
  }
  await t.rejects(startSandbox({ ...quiet, scenarios: [failing] }), { message: 'contract does not fit' })
  t.throws(() => process.kill(chain!.engine.pid, 0), { code: 'ESRCH' })
})

t.test('a chain that cannot be started closes the others', async (t) => {
  const lines: string[] = []
  const scenario = (chain: string): Scenario => ({ chain: chain as 'evm:1', install: async () => ({ settings: {} }) })
  const scenarios = [scenario('evm:143'), scenario('sea:7')]
  await t.rejects(startSandbox({ ...quiet, scenarios, log: (line) => lines.push(line) }), {
    code: 'NOT_SUPPORTED',
    message: /no local chain for sea:7/,
  })
  t.match(lines, [/^evm:143 listens on /, 'evm:143 is closed'])
})
