import type { Bounds, Status } from '@svc/contract'
import { isNotHeld } from '../plugins/life/confirm.ts'
import type { Look } from '../plugins/life/follow.ts'
import { isNotAsPromised } from '../plugins/life/promise.ts'
import type { EventType } from '../webhooks/event-types.ts'

/** For how long a block has to be missed, in milliseconds, until it counts as reorganised: one node that is behind is no reorganisation. */
const MISSED_MS = 5_000

/** Number of times that one transaction is reported as held by no node, also where nodes take it and drop it each minute. */
const DROPPED_MOST = 5

/** A state that a transaction reached. */
export interface Step {
  /** 1 for the first, and one more each time. */
  readonly step: number
  readonly status: Status
  readonly finality: Look['finality']
  /** Time of the step by the chain's clock where the chain tells it, else the time when the step was found. */
  readonly time: Date
  /** Time when the step was found, by the service's clock; undefined: it was saved by an earlier version, which did not keep it. */
  readonly found?: Date
  readonly block: { readonly height: string | null; readonly hash: string | null } | null
  /** Event that told of the step; null: none. */
  readonly event: EventType | null
}

/** Known facts of a transaction, as far as its next state depends on them. */
export interface Known {
  readonly status: Status
  readonly finality: Look['finality']
  readonly certainty: Look['certainty']
  /** The last look that counted. */
  readonly look: Look | null
  /** Number of steps so far. */
  readonly steps: number
  /** Time since which the transaction's block is missing; null: it is not. */
  readonly doubtedAt: Date | null
  readonly ended: boolean
  /** Number of times that the transaction was reported as held by no node. */
  readonly dropped: number
  /** True if an event has already told that one endpoint shows other effects than the transaction's bytes promise. */
  readonly differed: boolean
}

/** Changes of the known facts of a transaction that a look brings. */
export interface Advance extends Omit<Known, 'steps' | 'dropped' | 'differed'> {
  /** New ones, oldest first. */
  readonly steps: readonly Step[]
  /** Look for the caller's answer: the state that is kept, with the details that the look brought. */
  readonly shown: Look
}

/**
 * Works out the next state of a transaction from a look. A state only moves forward, except for a reorganisation; a transaction that has ended
 * stays ended. Nobody may sign anew on a replacement or an expiry that is only likely, so such a transaction is `pending`.
 */
export function advance(state: Known, look: Look, now: Date): Advance {
  const progress = placed(state, look, now)
  const event = progress.ended || !progress.look ? null : besides(state, progress.look)
  if (event === null || !progress.look) return progress
  return { ...progress, steps: [...progress.steps, stepOf(state.steps + progress.steps.length + 1, progress.look, event, now)] }
}

/** Names what is told of a state that can still change: that nobody holds it, each time anew; that its success is not what was promised, once. */
function besides(known: Known, look: Look): EventType | null {
  if (look.status === 'pending' && isNotHeld(look))
    return (known.look && isNotHeld(known.look)) || known.dropped >= DROPPED_MOST ? null : 'transaction.not_held'
  return isNotAsPromised(look) && !known.differed ? 'transaction.amounts_differ' : null
}

function placed(state: Known, look: Look, now: Date): Advance {
  const latest = isEnd(look) ? look : open(look)
  if (state.ended) return stay(state, state.look ?? latest, state.doubtedAt)
  if (state.look && rank(state) === IN_BLOCK) return fromBlock(state, state.look, latest, now)
  if (rank(latest) > rank(state)) return moved(latest, [stepOf(state.steps + 1, latest, toldOf(latest), now)])
  return stay(state, { ...latest, status: state.status, ...(latest.status === state.status ? {} : { certainty: 'likely' }) }, null)
}

/** Tells whether a state never changes again. */
export function isEnd({ status, finality, certainty }: Pick<Look, 'status' | 'finality' | 'certainty'>): boolean {
  if (certainty !== 'proven') return false
  return status === 'failed' ? finality === 'final' : status === 'final' || status === 'replaced' || status === 'expired'
}

function fromBlock(state: Known, previous: Look, latest: Look, now: Date): Advance {
  const isPlaced = latest.block !== null && rank(latest) >= IN_BLOCK
  if (isPlaced && sameBlock(previous, latest)) {
    if (isEnd(latest)) return moved(latest, [stepOf(state.steps + 1, latest, toldOf(latest), now)])
    // Two nodes of which one says that it failed there: which one is right shows when it stays.
    if (latest.status !== state.status) return stay(state, { ...previous, keep: latest.keep, certainty: 'likely' }, null)
    return stay(state, latest, null)
  }
  // What ended is proven already; anything else has to be missed for a while, by a node that is not behind.
  if (!isEnd(latest)) {
    const missed = state.doubtedAt
    if (!isPlaced && isBehind(latest, previous)) return stay(state, { ...previous, keep: latest.keep }, missed)
    if (missed === null || now.getTime() - missed.getTime() < MISSED_MS)
      return stay(state, { ...previous, keep: latest.keep, certainty: 'likely' }, missed ?? now)
  }
  const back: Look = isPlaced || isEnd(latest) ? { ...open(latest), ...OUT_OF_BLOCK } : latest
  // Nobody was told that it was included where it failed there.
  const gone = stepOf(state.steps + 1, back, state.status === 'included' ? 'transaction.reorged' : null, now)
  if (rank(latest) < IN_BLOCK) return moved(latest, [gone])
  return moved(latest, [gone, stepOf(state.steps + 2, latest, toldOf(latest), now)])
}

const OUT_OF_BLOCK = { status: 'pending', finality: 'none', block: null } as const

/** Returns a look as one at something that can still change. */
function open(look: Look): Look {
  const { status } = look
  if (status === 'replaced' || status === 'expired') return { ...look, status: 'pending', certainty: 'likely', replacedBy: null, ...NOT_IN }
  if (status === 'final') return { ...look, status: 'included', finality: 'included' }
  if (status === 'failed') return { ...look, finality: 'included' }
  return look
}

const NOT_IN = { finality: 'none', block: null } as const

function moved(latest: Look, steps: readonly Step[]): Advance {
  const { status, finality, certainty } = latest
  return { status, finality, certainty, look: latest, shown: latest, doubtedAt: null, ended: isEnd(latest), steps }
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

/** Returns the event that tells of a state. A failure is told once it is final: on its strength somebody signs anew. */
function toldOf(latest: Look): EventType | null {
  const { status } = latest
  if (isEnd(latest)) return `transaction.${status as 'final' | 'failed' | 'replaced' | 'expired'}`
  return status === 'included' ? 'transaction.included' : null
}

function stepOf(step: number, { status, finality, block }: Look, event: EventType | null, now: Date): Step {
  return {
    step,
    status,
    finality,
    time: block?.time ?? now,
    found: now,
    block: block && { height: block.height === null ? null : block.height.toString(), hash: block.hash },
    event,
  }
}

function sameBlock({ block: one }: Look, { block: other }: Look): boolean {
  if (!one || !other) return false
  if (one.hash !== null && other.hash !== null) return one.hash === other.hash
  return one.height === other.height
}

/** Tells whether the node that answered has not come to the block that the look misses, or cannot say how far it has come. */
function isBehind({ lookedAt }: Look, { block }: Look): boolean {
  return lookedAt === null || block === null || block.height === null || lookedAt < block.height
}

/** Tells whether a transaction may not exist at all: only its hash is known, or no endpoint took it. */
export function mayNeverCome({ status, bounds, acceptedAt }: { status: Status; bounds: Bounds | null; acceptedAt: Date | null }): boolean {
  return status === 'unknown' && (bounds === null || acceptedAt === null)
}
