import { isServiceError, type KitContext } from '@svc/contract'
import type { AccountSequence } from '../account.ts'
import type { CosmosChain } from '../chain.ts'
import type { CosmosClient } from '../client.ts'
import type { Reach } from '../node-status.ts'
import { signatureFit } from '../signature-fit.ts'
import { isSame } from './deed.ts'
import type { Known } from './facts.ts'
import { placedAt } from './placement.ts'
import { coverageOf, heightBefore } from './reach.ts'
import { type Scanned, scanBlocks } from './scan.ts'
import { isRefused, notFoundIn, type Told, unseen } from './statements.ts'

/** Most blocks that one look goes through: some minutes of any chain of the family, in a few batches. */
const PIECE = 60n
/** Most blocks that several looks go through, one after the other: about a week. Who tells a sequence free so long ago is not believed. */
const MOST_BEHIND = 100_000n
/**
 * Most blocks before a state that has the sequence used, where the sequence was never seen free: about a day of the Hub, in 250 looks of some seconds each.
 * Whoever tracks what is older is told how far it was looked for.
 */
const MOST_BACK = 15_000n
/** Least number of blocks before the head that are looked through, where nothing says when the transaction was sent. */
const RECENT = 20n
/** Greatest difference between the clocks of the service and of the validators, and between a block's time and its later making, in milliseconds. */
const CLOCKS_MS = 60_000

/** Known facts of the chain before blocks are looked through. */
interface Situation {
  readonly reach: Reach
  /** Sequence of the signer and its height: in the state at this height, the transaction's sequence is already used. */
  readonly account: AccountSequence
}

/**
 * Searches blocks, a piece at a time, for a transaction whose sequence was used, and for the one that used it. The search begins at the state in which the sequence was
 * free, else at the time at which the transaction was first seen, and then goes to earlier blocks, since it may have been sent long before. Another transaction is proven
 * by its bytes, its signature and its result, or by all blocks since its sequence was free.
 *
 * @throws 502, 503, 504; 503 TRANSACTION_UNSEEN where blocks are not held, TRANSACTION_NOT_KEPT where they do not tell
 */
export async function searchBlocks(
  chain: CosmosChain,
  ctx: KitContext<CosmosClient>,
  facts: Known,
  { reach, account }: Situation,
): Promise<Told> {
  const { rivalAt, firstSeen } = facts
  if (rivalAt !== null && rivalAt <= account.height) {
    const place = await readPiece(chain, ctx, facts, { from: rivalAt, to: rivalAt, last: rivalAt })
    const { told: ending } = place ? await judged(chain, ctx, facts, account, place.seen) : NOTHING
    if (ending) return ending
  }

  // No block after a state that has it used can have used it. Of one that was seen free all blocks up to now are wanted, for the proof.
  const usedAt = facts.usedAt !== null && facts.usedAt < account.height ? facts.usedAt : account.height
  const last = facts.freeAt === null ? usedAt : account.height
  const after = await startOf(chain, ctx, facts, { reach, account })
  if (last - after > MOST_BEHIND) throw notFoundIn(after + 1n, last, 'and more blocks than are looked through')
  const from = after < 0n ? 1n : after + 1n
  if (facts.freeAt === null && from > last) return searchBefore(chain, ctx, facts, { account, usedAt })
  const piece = await readPiece(chain, ctx, facts, { from, to: smaller(from + PIECE - 1n, last), last })
  if (piece === null) throw unseen()
  // What lies before is gone: it may be in what there is, and that it is not there proves nothing.
  const freeAt = piece.from > from ? null : facts.freeAt
  const { told: verdict, likely } = await judged(chain, ctx, facts, account, piece.seen)
  if (verdict) return verdict
  const rival = rivalOf(facts.rival, likely)
  const before = facts.freeAt === null ? { usedAt, back: facts.back ?? piece.from } : {}
  const keep = { freeAt, scanned: piece.to, rival, rivalAt: null, ...before }
  if (piece.to >= last) {
    if (freeAt !== null) return { status: 'replaced', certainty: 'proven', replacedBy: rival === '' ? null : rival, keep }
    if (facts.freeAt !== null || (firstSeen !== null && reach.lowestTime > firstSeen)) throw unseen()
  }
  return { status: 'pending', unfinished: true, keep }
}

/** Looks for it in the blocks before those of the time at which it was first seen, a piece at a time. */
async function searchBefore(
  chain: CosmosChain,
  ctx: KitContext<CosmosClient>,
  facts: Known,
  { account, usedAt }: { readonly account: AccountSequence; readonly usedAt: bigint },
): Promise<Told> {
  const back = facts.back ?? usedAt + 1n
  const lowest = usedAt > MOST_BACK ? usedAt - MOST_BACK + 1n : 1n
  if (back <= lowest)
    throw notFoundIn(
      back,
      usedAt,
      lowest === 1n ? 'though these are all blocks' : 'and it may be in an earlier one, of which no more are looked through',
    )
  const to = back - 1n
  const from = to - PIECE + 1n > lowest ? to - PIECE + 1n : lowest
  const piece = await readPiece(chain, ctx, facts, { from, to, last: to })
  if (piece === null) throw unseen()
  const { told: verdict } = await judged(chain, ctx, facts, account, piece.seen)
  return verdict ?? { status: 'pending', unfinished: true, keep: { usedAt, back: piece.from } }
}

/** Blocks that were looked through. */
interface Piece {
  readonly from: bigint
  readonly to: bigint
  readonly seen: Scanned
}

/**
 * Looks through some blocks; where the first of them are gone, through the first that are held.
 *
 * @param last height up to which they may begin later, and end
 * @returns null where none of them is held
 */
async function readPiece(
  chain: CosmosChain,
  ctx: KitContext<CosmosClient>,
  facts: Known,
  { from, to, last }: { readonly from: bigint; readonly to: bigint; readonly last: bigint },
): Promise<Piece | null> {
  const scan = async (first: bigint, until: bigint) =>
    Promise.all([
      coverageOf(ctx.client, { head: until, from: first }),
      scanBlocks(ctx.client, chain, ctx.network.chainId, facts, { from: first, to: until }),
    ])
  const [coverage, seen] = await scan(from, to)
  if (seen) return { from, to, seen }
  const { whole, lowest } = coverage
  if (whole || lowest <= from || lowest > last) return null
  const until = smaller(lowest + PIECE - 1n, last)
  const [, rest] = await scan(lowest, until)
  return rest && { from: lowest, to: until, seen: rest }
}

/**
 * Finds the transaction that took a sequence, where it is already proven that another one did, and no index tells which: the one that the account has signed, in the blocks
 * since the sequence was free, if those are few.
 *
 * @returns its hash, and whether it does the same; nulls where it is not found, or there are several
 */
export async function nameRival(
  chain: CosmosChain,
  ctx: KitContext<CosmosClient>,
  facts: Known,
  { height }: Pick<AccountSequence, 'height'>,
): Promise<Pick<Told, 'replacedBy' | 'replacedBySame'>> {
  const { freeAt } = facts
  if (freeAt === null || height - freeAt > PIECE) return NAMELESS
  try {
    const findings = await scanBlocks(ctx.client, chain, ctx.network.chainId, facts, { from: freeAt + 1n, to: height })
    const fits = await Promise.all(
      (findings?.rivals ?? []).map(async ({ hash, tx, passed }) =>
        passed !== false && (await signatureFit(chain, ctx, tx)) === 'fits' ? [{ hash, tx }] : [],
      ),
    )
    const [rival, ...others] = new Map(fits.flat().map((each) => [each.hash, each])).values()
    if (rival === undefined || others.length > 0) return NAMELESS
    return { replacedBy: rival.hash, replacedBySame: isSame(facts.does, rival.tx) }
  } catch (error) {
    // A name is not worth the state.
    if (isServiceError(error)) return NAMELESS
    throw error
  }
}

const NAMELESS = { replacedBy: null, replacedBySame: null } as const

/** Verdict of blocks on a transaction. */
interface Judged {
  /** Place of the transaction, or the rival that used its sequence by the rival's own bytes; null where the blocks tell neither. */
  readonly told: Told | null
  /** Hashes of others that may have used its sequence, and are not proven. */
  readonly likely: readonly string[]
}

const NOTHING: Judged = { told: null, likely: [] }

async function judged(
  chain: CosmosChain,
  ctx: KitContext<CosmosClient>,
  facts: Known,
  account: AccountSequence,
  { found: place, rivals }: Scanned,
): Promise<Judged> {
  const placement = place && (await placedAt(chain, ctx, facts, account, place))
  // Whoever confirms it looks into that block first.
  if (placement && !isRefused(placement)) return { told: { ...placement, keep: { rivalAt: place?.height ?? null } }, likely: [] }
  const likely: string[] = []
  for (const { hash, tx, height, passed } of rivals) {
    const fit = passed === false ? 'wrong' : await signatureFit(chain, ctx, tx)
    if (passed && fit === 'fits')
      return {
        told: {
          status: 'replaced',
          certainty: 'proven',
          replacedBy: hash,
          replacedBySame: isSame(facts.does, tx),
          keep: { rivalAt: height },
        },
        likely: [],
      }
    if (fit !== 'wrong') likely.push(hash)
  }
  return { told: null, likely }
}

/** Finds the height after which a transaction is searched for. */
async function startOf(
  { inclusionMs }: CosmosChain,
  { client, network }: KitContext<CosmosClient>,
  { freeAt, scanned, firstSeen }: Known,
  { reach, account }: Situation,
): Promise<bigint> {
  if (scanned !== null && (freeAt === null || scanned > freeAt)) return scanned
  if (freeAt !== null) return freeAt
  const recent = account.height - RECENT
  if (firstSeen === null) return recent
  const time = new Date(firstSeen.getTime() - CLOCKS_MS)
  return smaller(recent, (await heightBefore(client, network.chainId, reach, time, inclusionMs)) - 1n)
}

/** Returns the one other transaction of the sequence that all looks have found; null where none did, empty where there are several, of which one was refused. */
function rivalOf(before: string | null, hashes: readonly string[]): string | null {
  const [one, ...others] = [...new Set([...(before === null ? [] : [before]), ...hashes])]
  return others.length > 0 ? '' : (one ?? null)
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
