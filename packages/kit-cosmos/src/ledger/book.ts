import {
  type Amounts,
  type Book,
  type BookReading,
  bucketName,
  type Earning,
  type Earnings,
  type Flows,
  type Mark,
} from '@svc/contract/book'
import type { CosmosChain } from '../chain.ts'
import { readBlock } from '../life/block.ts'
import { type StakingContext, validatorsOf } from '../staking/network.ts'
import { denomsToFacts, stateOf } from './facts.ts'
import { claimedDenoms, completions, type Ends, flowsOfTransactions, losses, lostWith } from './flows.ts'
import { earningsOf, FOREIGN, keepDenoms } from './foreign.ts'
import { stakingReading } from './reading.ts'
import { wasSlashed } from './slashes.ts'
import { ownTransactions } from './transactions.ts'

/**
 * Makes the book of delegations with the operator's validator and former ones, on a chain whose transactions each use a sequence of their signer. Flows are the events of
 * the wallet's own transactions, one transaction for each sequence. The chain keeps no record of the rewards paid to a delegator. When every sequence is accounted for, and
 * nobody is allowed to act for the wallet, it is proven that nothing was claimed unseen; the remainder is then the reward, in each denomination by itself.
 */
export function stakingBook(chain: CosmosChain): Book<StakingContext> {
  return {
    buckets: [
      {
        name: 'delegated',
        asset: 'native',
        kind: 'principal',
        movedBy: ['deposit', 'exit_requested', 'exit_cancelled', 'redelegation', 'slash'],
        // An amount becomes shares, and these an amount again, both cut. @see staking/moved.ts
        rounding: 1n,
      },
      { name: 'exit', asset: 'native', kind: 'principal', movedBy: ['exit_requested', 'exit_cancelled', 'withdrawal'] },
      { name: 'rewards', asset: 'native', kind: 'accrual', movedBy: ['claim'] },
      { name: FOREIGN, asset: null, kind: 'accrual', movedBy: ['claim'] },
    ],
    reading: (ctx, address, before) =>
      stakingReading(ctx, chain.denom, address, before === undefined ? [] : (stateOf(before.keep, ctx.network.validator).denoms ?? [])),
    holds,
    flows: (ctx, address, from, to) => flows(ctx, chain, address, from, to),
    earned: async (_ctx, _address, _from, _to, { trail }) => trail as Earnings,
  }
}

/** Tells whether a node still has the block of a mark. A node that no longer has the block says nothing against it. */
async function holds({ client, network }: StakingContext, { height, hash }: Mark): Promise<boolean> {
  if (height === null) return true
  const block = await readBlock(client, network.chainId, height)
  return block.hash === null || block.hash === hash
}

/** Tells whether each of these validators was slashed in an interval. */
async function slashedAll(ctx: StakingContext, validators: readonly string[], after: bigint, until: bigint): Promise<boolean> {
  return (await Promise.all(validators.map((each) => wasSlashed(ctx, each, after, until)))).every((each) => each)
}

async function flows(ctx: StakingContext, chain: CosmosChain, wallet: string, from: BookReading, to: BookReading): Promise<Flows> {
  const [before, after] = [stateOf(from.keep, ctx.network.validator), stateOf(to.keep, ctx.network.validator)]
  const [start, end] = [from.mark.height ?? 0n, to.mark.height ?? 0n]
  const ends: Ends = { before, after, opening: from.amounts, closing: to.amounts, until: to.mark.time }
  const losers = lostWith(ends)
  const isLosing = losers.length > 0
  const [transactions, slashed] = await Promise.all([
    ownTransactions(ctx, chain, wallet, { from: before.sequence, to: after.sequence, after: start, until: end }),
    isLosing ? slashedAll(ctx, losers, start, end) : false,
  ])
  const isNew = before.denoms === null
  const atEnds = [from.amounts, to.amounts].flatMap(foreignKeys)
  if (typeof transactions === 'string') {
    const unknown: Earning = { unknown: transactions === 'no_index' ? 'no_index' : 'claims_not_known' }
    const trail: Earnings = { earnings: earningsOf(unknown, atEnds, { isNew, isPartial: after.isPartial }) }
    return { flows: [], missing: transactions, trail }
  }
  const own = { wallet, validators: validatorsOf(ctx.network), denom: chain.denom }
  const { denoms, isPartial } = keepDenoms(after.denoms ?? [], claimedDenoms(transactions, own))
  const party = { ...own, denoms }
  const moved = flowsOfTransactions(transactions, party, ends)
  const paid = completions(transactions, party, ends, moved)
  const known = [...moved, ...paid]
  const isProven = !before.isGranted && !after.isGranted && transactions.every(({ delegatesPower }) => !delegatesPower)
  const proof: Earning = isProven ? { proven: true } : { unknown: 'claims_not_known' }
  const keys = [...atEnds, ...moved.flatMap((flow) => (bucketName(flow.from) === FOREIGN ? [flow.from] : []))]
  const trail: Earnings = {
    earnings: earningsOf(proof, keys, { isNew, isPartial: isPartial || before.isPartial || after.isPartial }),
    keep: denomsToFacts(denoms),
  }
  // How much of an exit was slashed before it was paid no record says.
  const isUnclear = isLosing && (!slashed || paid.length > 0)
  return { flows: isLosing && slashed ? [...known, ...losses(ends, known)] : known, missing: isUnclear ? 'flow_missing' : null, trail }
}

/** Lists the keys of rewards in other denominations than the chain's own. */
function foreignKeys(amounts: Amounts): readonly string[] {
  return Object.keys(amounts).filter((key) => bucketName(key) === FOREIGN)
}
