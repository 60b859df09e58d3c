import { defineMemo } from '@svc/contract'
import { type Harvest, rootOf } from '../chain/harvest.ts'
import type { VaultContext } from '../network.ts'
import { type AnswerInTime, answerInTime, wasSlow } from './deadline.ts'
import { querySubgraph } from './query.ts'
import { type Entity, entityOf, integerOf } from './values.ts'

const QUERY = 'query Harvest($vault: ID!) { vault(id: $vault) { rewardsRoot proofReward proofUnlockedMevReward proof } }'
const lastHarvest = defineMemo<Harvest>()
const runningQuestion = defineMemo<Promise<Harvest | null>>()
/** Longest proof: a tree of as many vaults as there are words of four bytes. */
const MAX_PROOF = 32

/** Returns the remembered values of an earlier report. They stay true: a root never gets other contents, and the chain says whether it is still the Keeper's. */
export function rememberedHarvest(ctx: VaultContext): Harvest | null {
  return lastHarvest.get(ctx) ?? null
}

/** Remembers harvest values for later calls. */
export function rememberHarvest(ctx: VaultContext, harvest: Harvest): void {
  lastHarvest.set(ctx, harvest)
}

/**
 * Asks the subgraph for the values of the latest report, which are accepted only when their own proof confirms them. While the subgraph is slow, one question at a time is
 * under way; otherwise each request asks for itself, since the answer to an earlier question may not contain a later report.
 *
 * @returns what waits for the answer; null without one
 */
export function askHarvest(ctx: VaultContext): AnswerInTime<Harvest> {
  const running = wasSlow(ctx) ? runningQuestion.get(ctx) : undefined
  const question = running ?? readHarvest(ctx).finally(() => runningQuestion.delete(ctx))
  runningQuestion.set(ctx, question)
  return answerInTime(ctx, question)
}

async function readHarvest(ctx: VaultContext): Promise<Harvest | null> {
  const { vault, chainId: network } = ctx.network
  try {
    return await querySubgraph(ctx, QUERY, { vault: vault.toLowerCase() }, (data) => {
      // A vault that it does not know, and one before its first report.
      if (data.vault === null || entityOf(data.vault).rewardsRoot === null) return null
      const harvest = harvestOf(entityOf(data.vault))
      if (rootOf(vault, harvest) === harvest.rewardsRoot) return harvest
      throw new TypeError('values to harvest with that are not confirmed by their own proof')
    })
  } catch (error) {
    ctx.log.warn({ err: error, network }, 'the subgraph gives no values to harvest with')
    return null
  }
}

/** @throws TypeError when the values have another form, or do not fit what the vault takes: int160, uint160, a proof that a tree can have */
function harvestOf({ rewardsRoot, proofReward, proofUnlockedMevReward, proof }: Entity): Harvest {
  const isHash = (value: unknown): value is string => typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)
  const [reward, unlockedMevReward] = [integerOf(proofReward), integerOf(proofUnlockedMevReward)]
  if (BigInt.asIntN(160, reward) !== reward || BigInt.asUintN(160, unlockedMevReward) !== unlockedMevReward)
    throw new TypeError('a reward out of range')
  if (!isHash(rewardsRoot) || !Array.isArray(proof) || proof.length > MAX_PROOF || !proof.every(isHash))
    throw new TypeError('a proof of another form')
  return { rewardsRoot: rewardsRoot.toLowerCase(), reward, unlockedMevReward, proof: proof.map((each) => each.toLowerCase()) }
}
