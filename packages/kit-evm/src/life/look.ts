import { formatAmount, type KitContext, nodeBehind, type Subject } from '@svc/contract'
import type { EvmClient } from '../client.ts'
import { unavailable } from '../codes.ts'
import type { EvmSettings } from '../settings.ts'
import { type EvmFacts, factsOf } from './bounds.ts'
import { type FirstSight, readFirst, sightOf, writeFirst } from './first-sight.ts'
import { placed } from './placement.ts'
import type { Block, Sent } from './receipt.ts'
import { type Rival, rivalOf } from './rival.ts'
import { NOWHERE, type State, type Surroundings, type Told } from './state.ts'
import { isInPool, readAbsence, readBlockAt, readSeen, type Seen } from './waves.ts'
import { isInVain, withWitness } from './witness.ts'

type Ctx = KitContext<EvmClient, EvmSettings>

/**
 * Finds the state of a transaction from one endpoint's answers, in two waves at most, and in one more where its block came between the answers of the first.
 *
 * @throws 502, 503, 504
 */
export async function lookEvm(ctx: Ctx, subject: Subject): Promise<Told> {
  const facts = subject.bounds && factsOf(subject.bounds)
  const sight = await readOneMoment(ctx, subject.txHash, facts)
  const { used, final, head, receipt, sent } = sight
  // Before the first final block nothing is final, and nothing is ever found to be impossible.
  if (final === null) {
    const verdict = receipt ? await placed(ctx, sight, receipt) : sent ? inPool(sent, head) : unseen(subject)
    return { validUntil: subject.bounds?.validUntil ?? null, lookedAt: head.number, keep: subject.keep ?? {}, ...verdict }
  }
  const snapshot = readFirst(subject.keep)
  const first = snapshot !== undefined ? snapshot : facts && used && used.latest <= facts.nonce ? sightOf(final) : null
  const surroundings: Surroundings = {
    validUntil: subject.bounds?.validUntil ?? null,
    lookedAt: head.number,
    keep: facts ? writeFirst(first) : {},
  }
  if (receipt) return { ...surroundings, ...(await placed(ctx, sight, receipt)) }
  if (sent) return { ...surroundings, ...inPool(sent, head), ...(await keeping(ctx, first, final)) }
  if (!facts || !used) return { ...surroundings, ...unseen(subject) }
  // By both counts, of one answer: the newest block has used all that a final one has.
  if (used.final <= facts.nonce || used.latest <= facts.nonce || head.number < final.number) {
    if (used.latest > facts.nonce) return { ...surroundings, ...waiting('likely') }
    const [inPool, keep] = await Promise.all([
      subject.accepted && ctx.network.txpool_status && isInPool(ctx, subject.txHash),
      keeping(ctx, first, final),
    ])
    if (inPool) return { ...surroundings, ...waiting('proven'), ...keep }
    // Where a node's pool is asked in a way that it may not know, its silence says nothing.
    const pooled = ctx.network.txpool_status ? null : false
    return { ...surroundings, ...unseen(subject), ...keep, ...(subject.accepted ? { held: pooled } : {}) }
  }
  if (first) return { ...surroundings, ...(await overtaken(ctx, subject, { final, head }, facts, first)) }
  const before = await anchor(ctx, subject, final)
  return { ...surroundings, ...(before ? { ...waiting('likely'), keep: writeFirst(before) } : unseenSince(subject)) }
}

/**
 * Reads a transaction, and reads it again where the answers are of two moments: a node answers the calls of a batch one after the other, and the transaction's block
 * may come between them. A second time in a row that is no accident of moments.
 *
 * @throws 503 UPSTREAM_BEHIND where it stays in a block and without a receipt
 */
async function readOneMoment(ctx: Ctx, txHash: string, facts: EvmFacts | null): Promise<Seen> {
  const first = await readSeen(ctx, txHash, facts)
  const sight = isOfOneMoment(first) ? first : await readSeen(ctx, txHash, facts)
  // In a block, and no receipt: the node is between two steps of its index.
  if (!sight.receipt && sight.sent && sight.sent.block !== null) throw nodeBehind('its index is behind its blocks').refusal
  return sight
}

/** Tells whether receipt and transaction name the same block, or neither names one. */
function isOfOneMoment({ receipt, sent }: Seen): boolean {
  return (receipt?.block ?? null) === (sent?.block ?? null) && !(receipt && !sent)
}

/**
 * A block of before it was sent, for one that was accepted and has been overtaken before the first look: its nonce was free when a node took it.
 *
 * @returns null where the endpoint has none
 */
async function anchor(ctx: Ctx, { accepted, firstSeen }: Subject, final: Block): Promise<FirstSight | null> {
  if (!accepted || firstSeen === null) return null
  const back = BigInt(ctx.network.index_depth) / 2n
  const height = final.number > back ? final.number - back : 0n
  const block = await readBlockAt(ctx, height)
  const before = block !== null && (height === 0n || Number(block.time) * 1000 < firstSeen.getTime())
  return before ? sightOf(block) : null
}

/** Returns what is kept of the first sight, with a witness as soon as one is found. */
async function keeping(ctx: Ctx, first: FirstSight | null, { number }: Block): Promise<Pick<Told, 'keep'> | null> {
  return first && { keep: writeFirst(await withWitness(ctx, first, number)) }
}

/**
 * Looks at a transaction that was not found although a final block has used its nonce. That another took its place is told only of one whose nonce was free when
 * it was seen first, and by a node that has looked transactions up since then.
 */
async function overtaken(
  ctx: Ctx,
  subject: Subject,
  { final, head }: { readonly final: Block; readonly head: Block },
  facts: EvmFacts,
  first: FirstSight,
): Promise<State & Partial<Pick<Told, 'keep'>>> {
  const { witness } = first
  const depth = ctx.network.index_depth
  if (first.height > final.number || head.number - first.height > BigInt(depth)) return unseenSince(subject)
  if (witness === null) {
    const sight = await withWitness(ctx, first, final.number)
    return isInVain(first, sight, head.number, depth) ? unseenSince(subject) : { ...waiting('likely'), keep: writeFirst(sight) }
  }
  const { absent, remembers, caughtUp } = await readAbsence(ctx, subject.txHash, facts, { ...first, witness }, final)
  if (!remembers) return unseenSince(subject)
  if (!absent || !caughtUp) return waiting('likely')
  const rival = rivalIn(subject.keep) ?? (await rivalOf(ctx, facts, first.height, final.number))
  // It is in a block itself, which the node has not found by its hash.
  if (rival?.hash === subject.txHash) return waiting('likely')
  const verdict = { ...NOWHERE, status: 'replaced', certainty: 'proven' } as const
  if (rival === null) return verdict
  const { hash, same } = rival
  const keep = { ...writeFirst(first), rival: hash, ...(same === null ? {} : { rival_same: String(same) }) }
  return { ...verdict, replacedBy: hash, replacedBySame: same, keep }
}

/** Returns the rival that an earlier look has found and proven. */
function rivalIn(keep: Subject['keep']): Rival | null {
  const { rival: hash, rival_same: same } = keep ?? {}
  return hash === undefined ? null : { hash, same: same === undefined ? null : same === 'true' }
}

/** Makes the state of a transaction that can still land. */
function waiting(certainty: State['certainty']): State {
  return { ...NOWHERE, status: 'pending', certainty }
}

/**
 * Makes the state of a transaction in a pool. Where its price is below what the newest block takes, the state says so: until that falls, the transaction lands in none.
 */
function inPool({ price }: Sent, { baseFee }: Block): State {
  const state = waiting('proven')
  if (price === null || baseFee === null || price >= baseFee) return state
  const reason = `It pays at most ${gwei(price)} gwei for a unit of gas, and a block takes no less than ${gwei(baseFee)} at present. It waits until that falls, or until another transaction of the same nonce takes its place.`
  return { ...state, error: { code: 'FEE_TOO_LOW', reason } }
}

const gwei = (wei: bigint) => formatAmount(wei, 9)

/** Makes the state of a transaction that no node has: one that was accepted can still land, since nothing on this chain ends it but its nonce. */
function unseen({ accepted }: Subject): State {
  return { ...NOWHERE, status: accepted ? 'pending' : 'unknown', certainty: 'likely' }
}

/** Makes the state of a transaction that a node could not have known. @throws 503 TRANSACTION_UNSEEN for one that was sent */
function unseenSince(subject: Subject): State {
  if (!subject.accepted) return unseen(subject)
  throw unavailable(
    'TRANSACTION_UNSEEN',
    "The chain's nodes do not show that they still look up transactions of the time in which it was sent, so that they cannot say what became of it. Ask a node with a full index.",
    60,
  )
}
