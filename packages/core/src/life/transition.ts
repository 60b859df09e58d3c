import type { Bounds, Look, Status } from '@svc/contract'
import type { EventType } from '../webhooks/event-types.ts'

/** For how long a block has to be missed, in milliseconds, until it counts as reorganised: one node that is behind is no reorganisation. */
const MISSED_MS = 5_000

/** A state that a transaction came to. */
export interface Step {
  /** 1 for the first, and one more each time. */
  readonly step: number
  readonly status: Status
  readonly finality: Look['finality']
  /** By the chain where it tells one, else when it was found. */
  readonly time: Date
  readonly block: { readonly height: string | null; readonly hash: string | null } | null
  /** What was told of it; null: nothing. */
  readonly event: EventType | null
}

/** What is known of a transaction, as far as its next state depends on it. */
export interface Known {
  readonly status: Status
  readonly finality: Look['finality']
  readonly certainty: Look['certainty']
  /** The last look that counted. */
  readonly look: Look | null
  /** How many steps there were. */
  readonly steps: number
  /** Since when its block is missed. */
  readonly doubtedAt: Date | null
  readonly ended: boolean
}

/** What a look makes of it. */
export interface Advance extends Omit<Known, 'steps'> {
  /** New ones, oldest first. */
  readonly steps: readonly Step[]
  /** As the caller is told: the state that is kept, with what the look brought. */
  readonly shown: Look
}

/**
 * What becomes of a transaction by a look. A state moves forward alone, but for a reorganisation; one that has ended stays. On a replacement or an
 * expiry that is only likely nobody may sign anew, so it is `pending`.
 */
export function advance(known: Known, look: Look, now: Date): Advance {
  const seen = isEnd(look) ? look : open(look)
  if (known.ended) return stay(known, known.look ?? seen, known.doubtedAt)
  if (known.look && rank(known) === IN_BLOCK) return fromBlock(known, known.look, seen, now)
  if (rank(seen) > rank(known)) return moved(seen, [stepOf(known.steps + 1, seen, toldOf(seen), now)])
  return stay(known, { ...seen, status: known.status, ...(seen.status === known.status ? {} : { certainty: 'likely' }) }, null)
}

/** Whether a state never changes again. */
export function isEnd({ status, finality, certainty }: Pick<Look, 'status' | 'finality' | 'certainty'>): boolean {
  if (certainty !== 'proven') return false
  return status === 'failed' ? finality === 'final' : status === 'final' || status === 'replaced' || status === 'expired'
}

function fromBlock(known: Known, kept: Look, seen: Look, now: Date): Advance {
  const placed = seen.block !== null && rank(seen) >= IN_BLOCK
  if (placed && sameBlock(kept, seen)) {
    if (isEnd(seen)) return moved(seen, [stepOf(known.steps + 1, seen, toldOf(seen), now)])
    // Two nodes of which one says that it failed there: which one is right shows when it stays.
    if (seen.status !== known.status) return stay(known, { ...kept, keep: seen.keep, certainty: 'likely' }, null)
    return stay(known, seen, null)
  }
  // What ended is proven already; anything else has to be missed for a while, by a node that is not behind.
  if (!isEnd(seen)) {
    const missed = known.doubtedAt
    if (!placed && isBehind(seen, kept)) return stay(known, { ...kept, keep: seen.keep }, missed)
    if (missed === null || now.getTime() - missed.getTime() < MISSED_MS)
      return stay(known, { ...kept, keep: seen.keep, certainty: 'likely' }, missed ?? now)
  }
  const back: Look = placed || isEnd(seen) ? { ...open(seen), ...OUT_OF_BLOCK } : seen
  // Nobody was told that it was included where it failed there.
  const gone = stepOf(known.steps + 1, back, known.status === 'included' ? 'transaction.reorged' : null, now)
  if (rank(seen) < IN_BLOCK) return moved(seen, [gone])
  return moved(seen, [gone, stepOf(known.steps + 2, seen, toldOf(seen), now)])
}

const OUT_OF_BLOCK = { status: 'pending', finality: 'none', block: null } as const

/** The same as something that can still change. */
function open(look: Look): Look {
  const { status } = look
  if (status === 'replaced' || status === 'expired') return { ...look, status: 'pending', certainty: 'likely', replacedBy: null, ...NOT_IN }
  if (status === 'final') return { ...look, status: 'included', finality: 'included' }
  if (status === 'failed') return { ...look, finality: 'included' }
  return look
}

const NOT_IN = { finality: 'none', block: null } as const

function moved(seen: Look, steps: readonly Step[]): Advance {
  const { status, finality, certainty } = seen
  return { status, finality, certainty, look: seen, shown: seen, doubtedAt: null, ended: isEnd(seen), steps }
}

function stay({ status, finality, ended }: Known, look: Look, doubtedAt: Date | null): Advance {
  return { status, finality, certainty: look.certainty, look, shown: look, doubtedAt, ended, steps: [] }
}

const IN_BLOCK = 2

function rank(state: Pick<Look, 'status' | 'finality' | 'certainty'>): number {
  if (isEnd(state)) return IN_BLOCK + 1
  if (state.status === 'unknown') return 0
  return state.status === 'pending' ? 1 : IN_BLOCK
}

/** What is told of a state. A failure is told once it stays: on its strength somebody signs anew. */
function toldOf(seen: Look): EventType | null {
  const { status } = seen
  if (isEnd(seen)) return `transaction.${status as 'final' | 'failed' | 'replaced' | 'expired'}`
  return status === 'included' ? 'transaction.included' : null
}

function stepOf(step: number, { status, finality, block }: Look, event: EventType | null, now: Date): Step {
  return {
    step,
    status,
    finality,
    time: block?.time ?? now,
    block: block && { height: block.height === null ? null : block.height.toString(), hash: block.hash },
    event,
  }
}

function sameBlock({ block: one }: Look, { block: other }: Look): boolean {
  if (!one || !other) return false
  if (one.hash !== null && other.hash !== null) return one.hash === other.hash
  return one.height === other.height
}

/** Whether who answered has not come to the block that it misses, or cannot say how far it has come. */
function isBehind({ lookedAt }: Look, { block }: Look): boolean {
  return lookedAt === null || block === null || block.height === null || lookedAt < block.height
}

/** A transaction of which only the hash is known, or that no endpoint took, may not be there at all. */
export function mayNeverCome({ status, bounds, acceptedAt }: { status: Status; bounds: Bounds | null; acceptedAt: Date | null }): boolean {
  return status === 'unknown' && (bounds === null || acceptedAt === null)
}
