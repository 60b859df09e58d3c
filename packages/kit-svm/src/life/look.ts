import { type Facts, isServiceError, nodeBehind, type Sighting, type Status, type Subject } from '@svc/contract'
import { meaningOf, nameOf } from '../refusal.ts'
import { byHeight } from './by-height.ts'
import { byNonce } from './by-nonce.ts'
import { byNothing, type Ending, type Ends, type LifeContext } from './ending.ts'
import { type Execution, readExecution } from './execution.ts'
import { readFirstBlock, requireHistory } from './first-block.ts'
import { type Keep, readKeep, writeKeep } from './keep.ts'
import type { SvmReceipt } from './receipt.ts'
import { type Answered, type Known, readStatus } from './status.ts'

type Seen = Sighting<SvmReceipt>

/** Time for which an accepted transaction of which only the hash is known counts as on its way, in milliseconds: twice the life of a block hash. */
const ON_ITS_WAY_MS = 120_000
/** Slots until a confirmed block is rooted, with a margin. */
const ROOTED_AFTER = 64n

/**
 * Finds the state of a transaction. One wave reads its status, and what may have ended it; another one reads the record of a transaction in a block, or the proof that an
 * ended one is in none.
 *
 * @throws 502, 503, 504; 503 TRANSACTION_UNSEEN
 */
export async function look(ctx: LifeContext, subject: Subject): Promise<Seen> {
  const before = readKeep(subject.keep)
  const facts = subject.bounds?.facts ?? {}
  const ends = endsOf(facts)
  const { included } = before
  const [ending, answer] = await Promise.all([
    (ends ?? byNothing).observe(ctx, facts, before),
    readStatus(ctx.client, subject.txHash, {
      // A node knows the last minutes without a look into its ledger; what may be older is looked for there.
      history: before.since === undefined || included !== undefined,
      past: included === undefined ? undefined : included + ROOTED_AFTER,
    }),
  ])
  const { known: state } = answer
  if (state !== null && state.confirmation !== 'processed') return placed(ctx, subject, ending, state)
  if (state !== null) return unplaced('pending', 'proven', answer, ending)
  if (ends !== null && ending.over) return ended(ctx, subject, ends, ending)
  const sight = open(ctx, subject, answer, ending)
  // Of a hash alone nothing says since when it may be in a block: that this node does not show it counts from its first block on.
  return ends === null ? { ...sight, holdsFrom: await readFirstBlock(ctx.client) } : sight
}

/** Returns what ends a transaction, by what its bytes live by; null where they are not at hand. */
function endsOf({ blockhash, nonce_account }: Facts): Ends | null {
  if (nonce_account !== undefined) return byNonce
  return blockhash === undefined ? null : byHeight
}

/** In a block. What is said to be final and lies above the node's own final block is not yet. */
async function placed(ctx: LifeContext, { txHash }: Subject, ending: Ending, { slot, err, confirmation }: Known): Promise<Seen> {
  const finality = confirmation === 'finalized' && slot <= ending.finalized ? 'final' : 'included'
  const execution = await readExecution(ctx.client, txHash, finality === 'final' ? 'finalized' : 'confirmed', { failed: err !== null })
  if (execution === null) throw nodeBehind(txHash).refusal
  return sighting(execution, finality, ending, slot)
}

/** It cannot land any more by what one wave has shown: is it in no block, at a node that has them all? */
async function ended(ctx: LifeContext, subject: Subject, ends: Ends, ending: Ending): Promise<Seen> {
  const { client } = ctx
  const { txHash, bounds } = subject
  const [status, execution, history, proof] = await Promise.allSettled([
    readStatus(client, txHash, { history: true, past: ending.finalized }),
    readExecution(client, txHash, 'confirmed', null),
    requireHistory(client, ending.keep.since),
    ends.confirm(ctx, bounds?.facts ?? {}, ending, txHash),
  ])
  if (status.status === 'rejected') throw status.reason
  const answer = status.value
  const { known: state } = answer
  if (state !== null && state.confirmation !== 'processed') {
    if (execution.status === 'rejected') throw execution.reason
    if (execution.value === null) throw nodeBehind(txHash).refusal
    const isFinal = state.confirmation === 'finalized' && state.slot <= ending.finalized
    return sighting(execution.value, isFinal ? 'final' : 'included', ending, state.slot)
  }
  if (state !== null || (execution.status === 'fulfilled' && execution.value !== null)) return unplaced('pending', 'likely', answer, ending)
  if (history.status === 'rejected') {
    if (subject.accepted || !isUnseen(history.reason)) throw history.reason
    return unplaced('unknown', 'likely', answer, ending)
  }
  if (proof.status === 'rejected') throw proof.reason
  const { over, by } = proof.value
  if (!over) return open(ctx, subject, answer, ending)
  return { ...unplaced(ends.status, 'proven', answer, ending), replacedBy: by }
}

/** In no block that the node knows, and it may still get into one. */
function open({ now }: LifeContext, { accepted, bounds, firstSeen }: Subject, answer: Answered, ending: Ending): Seen {
  const young = bounds !== null || (firstSeen !== null && now().getTime() - firstSeen.getTime() < ON_ITS_WAY_MS)
  // A node of Solana has no pool, and shows no transaction before a leader has taken it.
  return accepted && young
    ? { ...unplaced('pending', 'likely', answer, ending), held: null }
    : unplaced('unknown', 'likely', answer, ending)
}

function unplaced(status: Status, certainty: Seen['certainty'], { at }: Answered, { keep, validUntil }: Ending): Seen {
  const { included: _included, ...memory } = keep
  return {
    status,
    finality: 'none',
    certainty,
    block: null,
    fee: null,
    receipt: null,
    error: null,
    replacedBy: null,
    validUntil,
    lookedAt: at,
    keep: writeKeep(memory),
  }
}

function sighting(execution: Execution, finality: 'included' | 'final', { keep, validUntil, finalized }: Ending, slot: bigint): Seen {
  const { receipt, time, verdict } = execution
  const failed = verdict.err !== null
  const memory: Keep = { ...keep, included: slot }
  return {
    status: failed ? 'failed' : finality,
    finality,
    certainty: 'proven',
    block: { height: execution.slot, hash: null, time },
    fee: receipt.fee,
    receipt,
    error: failed ? errorOf(execution) : null,
    replacedBy: null,
    validUntil,
    lookedAt: finalized > slot ? finalized : slot,
    keep: writeKeep(memory),
  }
}

/** Tells why a transaction failed, as a refusal of the same transaction says it. */
function errorOf({ verdict, receipt }: Execution): NonNullable<Seen['error']> {
  const { code, sentence } = meaningOf(
    verdict,
    receipt.instructions.map(({ program }) => program),
  )
  return { code: code ?? nameOf(verdict.err) ?? 'CHAIN_REFUSED', reason: sentence }
}

function isUnseen(reason: unknown): boolean {
  return isServiceError(reason) && reason.code === 'TRANSACTION_UNSEEN'
}
