import type { EvmChain, Scenario } from '@svc/sandbox'
import type { Day, Price } from './index-chain.ts'
import { startSubgraph } from './subgraph.ts'
import { operator, putVault, type World } from './world.ts'

export * from './contracts.ts'
export * from './world.ts'

/** Seconds between oracle updates. @see https://github.com/stakewise/v3-core/blob/main/script/Network.sol (rewardsDelay, read 2026-11-21) */
export const updateSeconds = 43_200
const daySeconds = 86_400
const eth = 10n ** 18n
/** What others have staked. */
const othersStake = 20_000n * eth
/** What the vault takes. */
export const capacity = 20_000_000n * eth
/** Of the stake, each year: 3 %. */
const yearlyReward = { part: 3n, of: 100n }
const updatesPerYear = 730n

/** Who staked before everybody else. It has no key. */
export const firstStaker = '0x00000000000000000000000000000000057A6E00'

/**
 * Ethereum with one vault: 20,000 ETH staked, validators, a day of rewards. An epoch is an oracle update, 12 hours: rewards of 3 % a year
 * arrive and are harvested, free ETH goes to validators, and what waited in the exit queue at the update before comes back from them.
 * Beside the chain there is a subgraph, in the endpoint group `subgraph`.
 */
function scenarioOn(chainId: 1 | 560_048): Scenario {
  return {
    chain: `evm:${chainId}`,
    async install(chain) {
      const world = await putVault(chain, capacity)
      await chain.fund(firstStaker, 2n * othersStake)
      await world.act(firstStaker, 'deposit', [firstStaker, operator], othersStake)
      await world.control('keeper', 'collateralize', world.vault)
      const life = lifeOf(world)
      for (let updates = 0; updates < 3; updates++) await life.pass()
      chain.onAdvance(async (step) => {
        for (let passed = 0; 'epochs' in step && passed < step.epochs; passed++) await life.pass()
        if ('seconds' in step) await life.catchUp()
        return { rewards_nonce: Number(await world.readShared<bigint>('keeper', 'rewardsNonce')) }
      })
      const subgraph = await startSubgraph(world, life)
      chain.onClose(() => subgraph.close())
      return { settings: { vault: world.vault, first_block: 0 }, endpoints: { subgraph: [subgraph.url] } }
    },
  }
}

/** Ethereum mainnet and Hoodi, each with its genesis vault's address. */
export const scenarios: readonly Scenario[] = [scenarioOn(1), scenarioOn(560_048)]
/** Mainnet alone. */
export const scenario: Scenario = scenarios[0]!

/** What happens around a vault as time passes. */
function lifeOf(world: World) {
  const { chain, vault } = world
  const prices: Price[] = []
  const days: Day[] = []
  let reward = 0n
  let leaving = 0n
  let updatedAt = 0

  /** An oracle update now, for so many periods. */
  async function update(periods: bigint): Promise<void> {
    // More than what waits is worth today, so that it suffices at the new price; the rest goes back.
    if (leaving > 0n) await chain.fund(vault, leaving + leaving / 10n)
    reward += ((await world.read<bigint>('totalAssets')) * yearlyReward.part * periods) / (yearlyReward.of * updatesPerYear)
    await world.publish(reward)
    await world.harvest()
    await world.control('vault', 'sweep')
    leaving = await world.read<bigint>('convertToAssets', [await queuedShares(world)])
    await note(chain)
  }

  async function note(chain: EvmChain): Promise<void> {
    const { block, timestamp } = await chain.latest()
    updatedAt = timestamp
    prices.push({ timestamp, price: await world.read<bigint>('convertToAssets', [eth]) })
    const midnight = timestamp - (timestamp % daySeconds)
    // A day ends with its last update; the blocks between that and midnight change no price.
    if (days.at(-1)?.timestamp === midnight) days.pop()
    days.push({ timestamp: midnight, block })
  }

  return {
    prices,
    days,
    expectedAt: () => updatedAt + 2 * updateSeconds,
    async pass() {
      await chain.moveTime(updateSeconds)
      await update(1n)
    },
    /** What became due while the clock was moved: two updates at most, since the second brings what the first asked validators for. */
    async catchUp() {
      const { timestamp } = await chain.latest()
      const due = BigInt(Math.floor((timestamp - updatedAt) / updateSeconds))
      if (due > 1n) await update(due - 1n)
      if (due > 0n) await update(1n)
    },
  }
}

async function queuedShares(world: World): Promise<bigint> {
  const [queued] = await world.read<readonly bigint[]>('getExitQueueData')
  return queued!
}
