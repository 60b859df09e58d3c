import { startSandbox } from '@svc/sandbox'
import { type EvmChain, type EvmScenario, evmEngine, evmWallets } from '@svc/sandbox-evm'
import t from 'tap'

t.test('scenarios run on an EVM chain, with funded wallets, and the control port acts on it', async (t) => {
  let chain: EvmChain | undefined
  const scenario: EvmScenario = {
    engine: evmEngine,
    chain: 'evm:143',
    async install(started) {
      chain = started
      return { settings: {} }
    },
  }
  const sandbox = await startSandbox({ scenarios: [scenario], controlPort: 0 })
  t.teardown(() => sandbox.close())
  t.same(sandbox.chains, { 'evm:143': { rpcUrl: chain!.rpcUrl } })
  t.same(sandbox.wallets, { evm: evmWallets })
  for (const { address } of evmWallets) t.equal(await chain!.balance(address), 10n ** 24n)

  const { address } = evmWallets[0]!
  const response = await fetch(`${sandbox.controlUrl}/chains/evm/143/fund`, {
    method: 'POST',
    body: JSON.stringify({ address, amount: '0.000000000000000001' }),
  })
  t.same(await response.json(), { address, balance: '1000000.000000000000000001' })
})

t.test('a scenario that fails ends the engine', async (t) => {
  let chain: EvmChain | undefined
  const failing: EvmScenario = {
    engine: evmEngine,
    chain: 'evm:143',
    async install(given) {
      chain = given
      throw new TypeError('contract does not fit')
    },
  }
  await t.rejects(startSandbox({ scenarios: [failing], controlPort: 0 }), { message: 'contract does not fit' })
  t.throws(() => process.kill(chain!.engine.pid, 0), { code: 'ESRCH' })
})

t.test('an id that is no number is refused', async (t) => {
  for (const chainId of ['monad', '0x8f', '0', '1.5'])
    await t.rejects(evmEngine.start({ chainId, log: () => {} }), { code: 'INVALID_INPUT', message: /it must be a decimal number/ })
})
