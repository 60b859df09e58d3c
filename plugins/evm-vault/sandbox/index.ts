import { addressFromEnd, type EvmChain, type EvmScenario, evmEngine } from '@svc/sandbox-evm'
import { startSubgraph } from './subgraph.ts'
import type { Day, Price } from './subgraph-entities.ts'
import { operator, putVault, type World, worldOf } from './world.ts'

export * from './contracts.ts'
export * from './world.ts'

/** Seconds between oracle updates. @see https://github.com/stakewise/v3-core/blob/main/script/Network.sol (rewardsDelay, read 2026-11-21) */
export const updateSeconds = 43_200
const daySeconds = 86_400
const eth = 10n ** 18n
/** Stake of others. */
const othersStake = 20_000n * eth
/** Capacity of the vault. */
export const capacity = 20_000_000n * eth
/** Reward of the stake each year: 3 %. */
const yearlyReward = { part: 3n, of: 100n }
const updatesPerYear = 730n

/** The local chain makes a block for each transaction. */
const INCLUSION_MS = 500
/** Time, in milliseconds, for which the chain's events and the subgraph are waited for: both are local, and slow only where the machine stands still. */
const PATIENCE_MS = 60_000

/** Who staked before everybody else. It has no key. */
export const firstStaker = '0x00000000000000000000000000000000057A6E00'

/**
 * Ethereum with one vault: 20,000 ETH staked, validators, a day of rewards. An epoch is an oracle update, 12 hours: rewards of 3 % a year
 * arrive and are harvested, free ETH goes to validators, and what waited in the exit queue at the update before comes back from them.
 * There is a subgraph, too, in the endpoint group `subgraph`.
 */
function scenarioOn(chainId: 1 | 560_048): EvmScenario {
  return {
    engine: evmEngine,
    chain: `evm:${chainId}`,
    async install(chain) {
      const world = await putVault(chain, capacity)
      await chain.fund(firstStaker, 2n * othersStake)
      await world.act(firstStaker, 'deposit', [firstStaker, operator], othersStake)
      await world.control('keeper', 'collateralize', world.vault)
      const oracles = oraclesOf(world)
      for (let updates = 0; updates < 3; updates++) await oracles.nextUpdate()
      chain.onAdvance(async (step) => {
        for (let passed = 0; 'epochs' in step && passed < step.epochs; passed++) await oracles.nextUpdate()
        if ('seconds' in step) await oracles.catchUp()
        return { rewards_nonce: Number(await world.readShared<bigint>('keeper', 'rewardsNonce')) }
      })
      const subgraph = await startSubgraph(world, oracles)
      chain.onClose(() => subgraph.close())
      const patience = { exits_wait_ms: PATIENCE_MS, subgraph_wait_ms: PATIENCE_MS }
      return {
        settings: { vault: world.vault, first_block: 0, inclusion_ms: INCLUSION_MS, ...patience },
        endpoints: { subgraph: [subgraph.url] },
      }
    },
    /** The last two wallets have staked, and what the last one asked back can be claimed. */
    async stage(chain, wallets) {
      const world = worldOf(chain)
      const [sender, address, leaving] = [addressFromEnd(wallets, 3), addressFromEnd(wallets, 2), addressFromEnd(wallets, 1)]
      for (const staker of [address, leaving]) await world.act(staker, 'deposit', [staker, operator], 10n * eth)
      await world.act(leaving, 'enterExitQueue', [4n * eth, leaving])
      await chain.advance({ epochs: 3 })
      return {
        bodies: { stake: { address, amount: 2.5 }, unstake: { address, amount: 1 }, withdraw: { address: leaving } },
        parameters: { address: leaving },
        sent: { action: 'stake', body: { address: sender, amount: 2.5 } },
      }
    },
  }
}

/** Mainnet alone. */
export const scenario: EvmScenario = scenarioOn(1)
/** Ethereum mainnet and Hoodi, each with its genesis vault's address. */
export const scenarios: readonly EvmScenario[] = [scenario, scenarioOn(560_048)]

/** Plays the surroundings of a vault as time passes: the oracles' updates, with what validators and others do at each. */
function oraclesOf(world: World) {
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
    await recordPrice(chain)
  }

  async function recordPrice(chain: EvmChain): Promise<void> {
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
    /** An update at its time. */
    async nextUpdate() {
      await chain.moveTime(updateSeconds)
      await update(1n)
    },
    /** Makes the updates that became due while the clock was moved: two at most, since the second brings what the first asked validators for. */
    async catchUp() {
      const { timestamp } = await chain.latest()
      const due = BigInt(Math.floor((timestamp - updatedAt) / updateSeconds))
      if (due > 1n) await update(due - 1n)
      if (due > 0n) await update(1n)
    },
  }
}

async function queuedShares(world: World): Promise<bigint> {
  const [queued] = await world.read<readonly [queuedShares: bigint, ...others: bigint[]]>('getExitQueueData')
  return queued
}
