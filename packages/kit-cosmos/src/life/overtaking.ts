import type { KitContext } from '@svc/contract'
import type { AccountSequence } from '../account.ts'
import type { CosmosChain } from '../chain.ts'
import type { CosmosClient } from '../client.ts'
import type { Reach } from '../node-status.ts'
import { isSame } from './deed.ts'
import type { Known } from './facts.ts'
import { placedAt } from './placement.ts'
import { coverageOf } from './reach.ts'
import { provenUse } from './rival.ts'
import { nameRival, searchBlocks } from './search.ts'
import { indexless, isFound, isRefused, type NotKept, type Told, unseen } from './statements.ts'
import { type Found, findTransaction, findUses } from './transaction-lookup.ts'

/** Findings of the first wave. */
interface First {
  readonly reach: Reach
  readonly account: AccountSequence
  readonly found: Found | NotKept
}

/**
 * Finds out whether a transaction itself or another one used its sequence. Another transaction is proven by its own bytes, or by all the blocks in which ours could be.
 *
 * @throws 502, 503, 504; 503 TRANSACTION_UNSEEN, TRANSACTION_NOT_KEPT where that cannot be told
 */
export async function overtaken(chain: CosmosChain, ctx: KitContext<CosmosClient>, facts: Known, first: First): Promise<Told> {
  const { client } = ctx
  const { wallet, sequence } = facts
  if (wallet === null || sequence === null) throw new TypeError('only what has a sequence is overtaken in it')
  const { account } = first
  // A sequence never falls: one that was seen free at this height or above was no fact.
  const freeAt = facts.freeAt !== null && facts.freeAt < account.height ? facts.freeAt : null
  const needs = { head: larger(account.height, first.reach.head), from: freeAt === null ? 1n : freeAt + 1n }
  const [coverage, again, uses] = await Promise.all([
    freeAt !== null || chain.lookup === 'tx_status' ? coverageOf(client, needs) : null,
    isFound(first.found) ? indexless(findTransaction(chain, client, facts.hash)) : first.found,
    findUses(client, wallet, sequence),
  ])

  if (isFound(again) && again.at === 'block') {
    const placement = await placedAt(chain, ctx, facts, account, again)
    if (!isRefused(placement)) return placement
  }
  const own = uses.find(({ hash }) => hash === facts.hash)
  if (own) {
    const ownPlacement = await placedAt(chain, ctx, facts, account, own.place)
    return isRefused(ownPlacement) ? FAILED : ownPlacement
  }
  const rival = await provenUse(chain, ctx, { wallet, sequence }, uses)
  if (rival) return { status: 'replaced', certainty: 'proven', replacedBy: rival.hash, replacedBySame: isSame(facts.does, rival.tx) }
  // A node whose mempool still has it has not checked it again yet.
  if (isFound(again) && again.at === 'mempool') return { status: 'pending' }
  if (chain.lookup === 'tx_status') {
    if (!coverage?.whole || !isFound(again)) return nobodyKnows(facts)
    return { status: 'replaced', certainty: 'proven', ...(await nameRival(chain, ctx, { ...facts, freeAt }, account)) }
  }
  // An index that has neither of them, for a sequence that was never seen free: it says no more than that.
  if (freeAt === null && isFound(again)) return nobodyKnows(facts)
  return searchBlocks(chain, ctx, { ...facts, freeAt }, first)
}

/** The index knows that it used its sequence itself, and of its results the latest, which is not that one: it would be, had it succeeded. */
const FAILED: Told = {
  status: 'failed',
  finality: 'final',
  error: { code: 'FAILED', reason: 'It was executed and failed; the node keeps a later result of the same bytes, and not why it failed.' },
}

/** Answers that the state is unknown; for a transaction that we know was sent, the lookup could not be made. */
function nobodyKnows({ accepted }: Known): Told {
  if (accepted) throw unseen()
  return { status: 'unknown' }
}

function larger(a: bigint, b: bigint): bigint {
  if (a < b) return b
  return a
}
