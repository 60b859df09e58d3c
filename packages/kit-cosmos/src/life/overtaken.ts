import { EndpointError, isServiceError, type KitContext, nodeBehind } from '@svc/contract'
import type { AccountSequence } from '../account.ts'
import type { CosmosChain } from '../chain.ts'
import type { CosmosClient } from '../client.ts'
import { type Reach, readReach } from '../node-status.ts'
import { type Found, findTransaction, findUses } from './found.ts'
import type { Known } from './known.ts'
import { placedAt } from './placed.ts'
import { provenUse } from './rival.ts'
import { scanBlocks } from './scan.ts'
import { indexless, isFound, isRefused, type NotKept, type Told, unseen } from './told.ts'

/** What the first wave has found. */
interface First {
  readonly reach: Reach
  readonly account: AccountSequence
  readonly found: Found | NotKept
}

/** Most blocks that one look goes through: some minutes of any chain of the family, in a few batches. */
const MOST_SCANNED = 60n
/** Most blocks that several looks go through, one after the other. */
const MOST_BEHIND = 600n
/** How far back is looked at least for one whose sequence was never seen free. */
const RECENT = 20n
/** Least time between two blocks, in milliseconds. @see https://docs.cometbft.com/v0.38/core/configuration (timeout_commit, read 2026-11-24) */
const QUICKEST_MS = 1_000

/**
 * What became of a transaction whose sequence was used: by itself, or by another. That it was another is proven by that one's own bytes, or by all
 * the blocks in which ours could be.
 *
 * @throws 502, 503, 504; 503 TRANSACTION_UNSEEN, TRANSACTION_NOT_KEPT where that cannot be told
 */
export async function overtaken(chain: CosmosChain, ctx: KitContext<CosmosClient>, known: Known, first: First): Promise<Told> {
  const { client } = ctx
  const { wallet, sequence } = known
  if (wallet === null || sequence === null) throw new TypeError('only what has a sequence is overtaken in it')
  const { account } = first
  // A sequence never falls: one that was seen free at this height or above was no fact.
  const freeAt = known.freeAt !== null && known.freeAt < account.height ? known.freeAt : null
  const needs = { head: larger(account.height, first.reach.head), from: freeAt === null ? 1n : freeAt + 1n }
  const isCovered = freeAt !== null || chain.lookup === 'tx_status'
  const [reach, again, uses] = await Promise.all([
    covering(client, needs, isCovered),
    isFound(first.found) ? indexless(findTransaction(chain, client, known.hash)) : first.found,
    findUses(client, wallet, sequence),
  ])

  if (isFound(again) && again.at === 'block') {
    const placed = await placedAt(chain, ctx, known, account, again)
    if (!isRefused(placed)) return placed
  }
  const own = uses.find(({ hash }) => hash === known.hash)
  if (own) {
    const placed = await placedAt(chain, ctx, known, account, own.place)
    return isRefused(placed) ? FAILED : placed
  }
  const rival = await provenUse(chain, ctx, { wallet, sequence }, uses)
  if (rival) return { status: 'replaced', certainty: 'proven', replacedBy: rival.hash }
  // A node whose mempool still has it has not checked it again yet.
  if (isFound(again) && again.at === 'mempool') return { status: 'pending' }
  if (chain.lookup === 'tx_status') {
    if (reach === null || !isFound(again)) return nobodyKnows(known)
    return { status: 'replaced', certainty: 'proven' }
  }
  return inBlocks(chain, ctx, { ...known, freeAt }, first, again)
}

/** The index knows that it used its sequence itself, and of its results the latest, which is not that one: it would be, had it succeeded. */
const FAILED: Told = {
  status: 'failed',
  finality: 'final',
  error: { code: 'FAILED', reason: 'It was executed and failed; the node keeps a later result of the same bytes, and not why it failed.' },
}

/** Looks through the blocks since the sequence was last free. */
async function inBlocks(
  chain: CosmosChain,
  ctx: KitContext<CosmosClient>,
  known: Known,
  { account, found, reach }: First,
  again: Found | NotKept,
): Promise<Told> {
  const { freeAt, scanned } = known
  const giveUp = (): Told => {
    if (!isFound(found)) throw found.refusal
    return nobodyKnows(known)
  }
  if (freeAt === null && isFound(again)) return giveUp()
  const first = freeAt ?? account.height - blocksSince(known, reach)
  const start = scanned !== null && scanned > first ? scanned : first
  if (account.height - start > MOST_BEHIND) return giveUp()
  const from = start < 0n ? 1n : start + 1n
  const end = from + MOST_SCANNED - 1n
  const to = end < account.height ? end : account.height
  const seen = await scanBlocks(ctx.client, chain, ctx.network.chainId, known, { from, to })
  if (seen === null) return giveUp()
  if (seen.found) {
    const placed = await placedAt(chain, ctx, known, account, seen.found)
    if (!isRefused(placed)) return placed
  }
  const rival = rivalOf(known.rival, seen.rivals)
  if (to < account.height) return { status: 'pending', keep: { freeAt, scanned: to, rival } }
  if (freeAt === null) return giveUp()
  return { status: 'replaced', certainty: 'proven', replacedBy: rival === '' ? null : rival, keep: { freeAt, scanned: to, rival } }
}

/** Counts the blocks in which a transaction can be whose sequence was never seen free: those since the service saw it first, at most. */
function blocksSince({ firstSeen }: Known, { headTime }: Reach): bigint {
  if (firstSeen === null) return RECENT
  const age = Math.max(0, headTime.getTime() - firstSeen.getTime())
  return RECENT + BigInt(Math.ceil(age / QUICKEST_MS))
}

/** The one other transaction of the sequence that all looks have found; null where none did, empty where there are several, of which one was refused. */
function rivalOf(before: string | null, found: readonly string[]): string | null {
  const [one, ...others] = [...new Set([...(before === null ? [] : [before]), ...found])]
  return others.length > 0 ? '' : (one ?? null)
}

/** Of one that we know was sent, that is a lookup that could not be made. */
function nobodyKnows({ accepted }: Known): Told {
  if (accepted) throw unseen()
  return { status: 'unknown' }
}

/**
 * How far the node reaches that answers the wave: its head is past what was seen before, or another one is to answer.
 *
 * @param isNeeded whether an endpoint is to be found that holds all blocks from there on
 * @returns null where none does
 */
async function covering(
  { rpc }: CosmosClient,
  { head, from }: { readonly head: bigint; readonly from: bigint },
  isNeeded: boolean,
): Promise<Reach | null> {
  try {
    return await rpc.call('status', [], (result) => {
      const reach = readReach(result)
      if (reach.head < head) throw nodeBehind({ head: reach.head, needed: head })
      if (isNeeded && reach.lowest > from) throw new EndpointError('no answer', unseen())
      return reach
    })
  } catch (error) {
    if (isServiceError(error) && error.code === 'TRANSACTION_UNSEEN') return null
    throw error
  }
}

function larger(a: bigint, b: bigint): bigint {
  if (a < b) return b
  return a
}
