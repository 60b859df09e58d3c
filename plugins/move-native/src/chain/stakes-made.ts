import { normalizeStructTag } from '@mysten/sui/utils'
import { defineMemo, EndpointError, malformedAnswer, nodeBehind } from '@svc/contract'
import { unanswered } from '@svc/contract/rpc'
import { firstCheckpoint, readEventPage } from '@svc/kit-move'
import { badGateway } from '../codes.ts'
import { type Reading, type StakingContext, withNode } from '../network.ts'
import { readStaker } from './events.ts'

const STAKING = normalizeStructTag('0x3::validator::StakingRequestEvent')
/**
 * Whole epochs, of a day each, before the present one of which stakes are read. Digests are compared once a day: one such epoch covers that but for the
 * minutes by which a round is late, or an epoch shorter than a day; with two, a day may be left out.
 */
const EPOCHS = 2n
/** Pages that are read of one endpoint in one go, which has to be done in the time of a request; and how often that, which is half a million stakes. */
const PAGES = 5
const PIECES = 100
/** Checkpoints, some five a second, that an endpoint's list of events may lie behind it: about an hour. */
const MOST_LAG = 20_000n
/** Time for which a round's reading serves, in milliseconds: a round is of many lots, and takes minutes. */
const ROUND_MS = 900_000
/**
 * Time for which endpoints without lists are not asked again, in milliseconds: at first an hour, in which the host asks for digests again, since one that
 * has them may just have been left alone; then a week. Wallets that are told a digest in between are read whole once more than needed.
 */
const LACKING_FIRST_MS = 3_600_000
const LACKING_MS = 7 * 86_400_000

/** Digests of the transactions in which an address has staked of late, by its address. */
export type StakesMade = ReadonlyMap<string, ReadonlySet<string>>

/** Last round that was read. */
interface Round {
  readonly until: number
  readonly stakes: Promise<StakesMade | null>
}

const lastRound = defineMemo<Round>()
const lackingUntil = defineMemo<number>()

/**
 * Lists everybody who has staked since the epoch before the last one began, with any validator, and the transactions, by the chain's own events, which name the signer. It
 * is read once for all parts of a round.
 *
 * @returns null where no endpoint lists events
 * @throws 502, 503, 504
 */
export function stakesMade(ctx: StakingContext): Promise<StakesMade | null> {
  const now = ctx.now().getTime()
  if (!listsEvents(ctx)) return Promise.resolve(null)
  const last = lastRound.get(ctx)
  if (last && now < last.until) return last.stakes
  const round = { until: now + ROUND_MS, stakes: readAll(ctx) }
  lastRound.set(ctx, round)
  round.stakes.catch(() => {
    if (lastRound.get(ctx) === round) lastRound.set(ctx, { ...round, until: Number.NEGATIVE_INFINITY })
  })
  return round.stakes
}

/** Tells whether the endpoints are believed to list events, without asking any. */
export function listsEvents(ctx: StakingContext): boolean {
  return (lackingUntil.get(ctx) ?? Number.NEGATIVE_INFINITY) <= ctx.now().getTime()
}

async function readAll(ctx: StakingContext): Promise<StakesMade | null> {
  const stakes = new Map<string, Set<string>>()
  let from: bigint | null = null
  for (let pieces = 0; pieces < PIECES; pieces++) {
    const piece: Piece | null = await readPiece(ctx, from)
    if (piece === null) {
      lackingUntil.set(ctx, ctx.now().getTime() + (lackingUntil.get(ctx) === undefined ? LACKING_FIRST_MS : LACKING_MS))
      ctx.log.info({ network: ctx.network.chainId }, 'no endpoint lists events, so that watched wallets are read one by one')
      return null
    }
    for (const { staker, transaction } of piece.stakes) {
      const transactions = stakes.get(staker)
      if (transactions) transactions.add(transaction)
      else stakes.set(staker, new Set([transaction]))
    }
    lackingUntil.delete(ctx)
    if (piece.next === null) return stakes
    from = piece.next
  }
  throw badGateway('UPSTREAM_ERROR', "The chain's node does not come to the end of its events; try again.")
}

interface Piece {
  readonly stakes: readonly { readonly staker: string; readonly transaction: string }[]
  /** First checkpoint of the next one; null: there is none. */
  readonly next: bigint | null
}

/** @param from first checkpoint; null for that of the first epoch @returns null when every endpoint that was asked lists no events */
async function readPiece(ctx: StakingContext, from: bigint | null): Promise<Piece | null> {
  let calls = 0
  let lacking = 0
  try {
    return await withNode(ctx, async (reading) => {
      calls++
      const piece = await pieceOf(reading, from ?? (await beginningOf(reading)))
      if (piece !== null) return piece
      lacking++
      // It answers all else, and another endpoint may have the list.
      throw new EndpointError('no answer', unanswered().refusal, { partial: true })
    })
  } catch (error) {
    if (calls > 0 && lacking === calls) return null
    throw error
  }
}

async function pieceOf({ node }: Reading, from: bigint): Promise<Piece | null> {
  const stakes: { readonly checkpoint: bigint; readonly staker: string; readonly transaction: string }[] = []
  let after: Uint8Array | null = null
  let covered = from - 1n
  for (let pages = 0; pages < PAGES; pages++) {
    const page: Awaited<ReturnType<typeof readEventPage>> = await readEventPage(node, { type: STAKING, from, after })
    if (page === null) return null
    covered = page.covered ?? covered
    for (const { checkpoint, transaction, contents } of page.items)
      stakes.push({ checkpoint, transaction, staker: readStaker(contents) ?? malformed(contents) })
    if (page.next === null) {
      const { height } = await node.live
      if (height !== null && covered + MOST_LAG < height) throw nodeBehind({ covered, height })
      return { stakes: stakes, next: null }
    }
    after = page.next
  }
  // The next piece may be another endpoint's, for which a cursor means nothing: it begins with a checkpoint.
  if (covered < from) throw malformedAnswer(covered)
  return { stakes: stakes.filter(({ checkpoint }) => checkpoint <= covered), next: covered + 1n }
}

/** First checkpoint that is read: of an epoch that the node still knows, and of which it has the transactions. */
async function beginningOf({ node }: Reading): Promise<bigint> {
  const { epoch, lowest } = await node.live
  const startEpoch = epoch > EPOCHS ? epoch - EPOCHS : 0n
  const first = (await firstCheckpoint(node, startEpoch)) ?? (await firstCheckpoint(node, epoch)) ?? malformed(epoch)
  return lowest !== null && lowest > first ? lowest : first
}

function malformed(cause: unknown): never {
  throw malformedAnswer(cause)
}
