import { startSandbox } from '@svc/sandbox'
import { type EvmChain, type EvmScenario, evmEngine, startEvmChain } from '@svc/sandbox-evm'
import { Interface, parseEther } from 'ethers'
import t, { type Test } from 'tap'
import { epochSeconds, redeemDelay, scenario, stakingAddress, totalAssets, vaultAbi, vaultAddress } from '../sandbox/index.ts'

const vault = new Interface(vaultAbi)

async function start(t: Test) {
  const chain = await startEvmChain({ chainId: 143 })
  t.teardown(() => chain.close())
  const { settings } = await scenario.install(chain)
  return { chain, settings }
}

/** What a share of 10^18 is worth, in wei. */
async function price(chain: EvmChain): Promise<bigint> {
  const data = await chain.call({ to: vaultAddress, data: vault.encodeFunctionData('convertToAssets', [parseEther('1')]) })
  return vault.decodeFunctionResult('convertToAssets', data)[0]
}

/** 900,000 MON to 12 billion of stake, less a commission and a fee of a tenth each, in parts of 10^12. */
const PER_EPOCH = 60_750_000n

function near(t: Test, found: bigint, expected: bigint): void {
  t.ok(found <= expected + 10n && found >= expected - 10n, `${found} is about ${expected}`)
}

t.test('a share is worth 1.1 MON, and more with every epoch that the chain is advanced', async (t) => {
  const { chain, settings } = await start(t)
  t.same(settings, { vault: vaultAddress, staking: stakingAddress, block_seconds: 0.3, reward_per_block: '18', gas_price_least: 0 })
  let expected = parseEther('1.1')
  near(t, await price(chain), expected)
  const before = await chain.latest()
  await chain.advance({ epochs: 2 })
  const after = await chain.latest()
  t.ok(after.timestamp - before.timestamp - 2 * epochSeconds < 600, 'alone on a chain it moves the clock')
  for (let epoch = 0; epoch < 2; epoch++) expected += (expected * PER_EPOCH) / 10n ** 12n
  near(t, await price(chain), expected)
})

t.test('advancing by seconds pays for the epochs that lie in them, and a moment for none', async (t) => {
  const { chain } = await start(t)
  const before = await price(chain)
  await chain.advance({ seconds: epochSeconds - 100 })
  await chain.tick()
  t.equal(await price(chain), before)
  await chain.advance({ seconds: 200 })
  near(t, await price(chain), before + (before * PER_EPOCH) / 10n ** 12n)
  await chain.advance({ seconds: 31_536_000 })
  const year = Number(await price(chain)) / Number(before)
  t.ok(Math.abs(year - (1 + 60.75e-6) ** 2103) < 1e-3, `a year makes ${year}`)
})

t.test('the delay of redemptions leaves the six hours to the epochs of the staking contract', async (t) => {
  // 2.1 epochs at most from the request to the release.
  t.ok(redeemDelay < 2.1 * epochSeconds, 'the vault may release what the staking contract still holds')
  t.ok(redeemDelay + 21_600 > 2.1 * epochSeconds, 'six hours later neither does')
})

/** Another scenario of the chain, with a staking contract of its own that moves the clock for an epoch. */
const native: EvmScenario = {
  engine: evmEngine,
  chain: 'evm:143',
  async install(chain) {
    // Answers epoch 7, outside the delay period, whatever is asked.
    await chain.setCode(stakingAddress, '0x6007600052600060205260406000f3')
    chain.onAdvance(async (step) => {
      if ('epochs' in step) await chain.moveTime(step.epochs * epochSeconds)
    })
    return { settings: {} }
  },
}

for (const [order, scenarios] of [
  ['after', [native, scenario]],
  ['before', [scenario, native]],
] as const)
  t.test(
    `installed ${order} a scenario with native staking it leaves the clock and the contract alone, and pays all the same`,
    async (t) => {
      let chain: EvmChain | undefined
      const watched = scenarios.map((each) => ({
        ...each,
        install: (on: EvmChain) => {
          chain = on
          return each.install(on)
        },
      }))
      const sandbox = await startSandbox({ scenarios: watched, controlPort: 0 })
      t.teardown(() => sandbox.close())
      t.equal(await chain!.rpc('eth_getCode', [stakingAddress, 'latest']), '0x6007600052600060205260406000f3')
      const before = await chain!.latest()
      const assets = await totalAssets(chain!)
      const answer = await fetch(`${sandbox.controlUrl}/chains/evm/143/advance`, { method: 'POST', body: '{ "epochs": 3 }' })
      t.equal(answer.status, 200, await answer.text())
      const moved = (await chain!.latest()).timestamp - before.timestamp - 3 * epochSeconds
      t.ok(moved >= 0 && moved < 600, `the clock moved once: ${moved}`)
      let expected = assets
      for (let epoch = 0; epoch < 3; epoch++) expected += (expected * PER_EPOCH) / 10n ** 12n
      near(t, await totalAssets(chain!), expected)
      // The drift of a few blocks is no epoch.
      await fetch(`${sandbox.controlUrl}/chains/evm/143/advance`, { method: 'POST', body: '{ "seconds": 60 }' })
      near(t, await totalAssets(chain!), expected)
    },
  )
