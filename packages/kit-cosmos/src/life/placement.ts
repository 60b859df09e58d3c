import { type KitContext, nodeBehind, type Sighting } from '@svc/contract'
import type { AccountSequence } from '../account.ts'
import type { CosmosChain } from '../chain.ts'
import type { CosmosClient } from '../client.ts'
import { readBegunUnbondings, readBlock, readBlockResult } from './block.ts'
import { type CosmosEvent, type CosmosReceipt, feeIn, passedChecks } from './events.ts'
import type { Known } from './facts.ts'
import { failureOf, refusalOf } from './failure.ts'
import type { InBlock, Result } from './transaction-lookup.ts'

/** Facts that a place in a block tells of a transaction; the look adds the rest of a sighting. */
export type Placed = Pick<Sighting<CosmosReceipt>, 'status' | 'finality' | 'certainty' | 'block' | 'fee' | 'receipt' | 'error'>

/** A place in a block where the checks before the messages refused it: no fee was charged and no sequence used, so that it can come again. */
export interface Refused {
  readonly refused: NonNullable<Sighting['error']>
}

/**
 * Finds out what became of a transaction that is in a block. A block of the family is final when it is made; but its proposer need not run the checks, so that a block can
 * contain a transaction that they refuse. Its events tell that, or, where the node keeps no results, the account's sequence.
 *
 * @param account its sequence, as of a state that may be older than the block; null where it is not known
 * @throws 502, 503, 504
 */
export async function placedAt(
  { denom }: CosmosChain,
  { client, network }: KitContext<CosmosClient>,
  facts: Known,
  account: AccountSequence | null,
  place: InBlock,
): Promise<Placed | Refused> {
  const { height, index, result: execution, signers } = place
  // Before anything else is asked: a refusal needs no more.
  if (execution.events && !passedChecks(execution.events)) return { refused: refusalOf(execution, height) }
  const fits = (result: Result) => result.code === execution.code && (isOf(facts, result.events ?? []) || isRefusal(result))
  const delegator =
    execution.code === 0 && begins(execution.events) ? (facts.wallet ?? delegatorOf(execution.events) ?? signers[0] ?? null) : null
  const [block, result, unbondings] = await Promise.all([
    readBlock(client, network.chainId, height),
    execution.events ? execution : readBlockResult(client, { height, index }, fits),
    delegator === null ? [] : readBegunUnbondings(client, delegator, height),
  ])
  const events = result?.events ?? null
  const failed = execution.code !== 0
  const passed = !failed || (events === null ? usedSequence(facts, account, place) : passedChecks(events))
  if (passed === false) return { refused: refusalOf(execution, height) }
  const charged = events && feeIn(events, denom, facts.wallet)
  // Without its events a failure may have been one of the checks, and the sequence have been used by another.
  const isCharged = !failed || events !== null || ranMessages(execution)
  return {
    status: failed ? 'failed' : 'final',
    finality: 'final',
    certainty: passed === null ? 'likely' : 'proven',
    block,
    // The bytes say what is charged, so that nobody is believed about it.
    fee: isCharged ? (facts.fee ?? charged) : null,
    receipt: events && { height, events, unbondings },
    error: failed ? failureOf(execution) : null,
  }
}

/**
 * Tells by its account's sequence whether a transaction that failed in a block can come again.
 *
 * @returns false where the sequence was not used up to a state at or after that block; null where nothing is known of it
 * @throws 503 where that state is older than the block
 */
function usedSequence({ sequence }: Known, account: AccountSequence | null, { height }: InBlock): boolean | null {
  if (sequence === null || account === null) return null
  if (account.sequence > sequence) return true
  if (account.height < height) throw nodeBehind({ state: account.height, block: height }).refusal
  return false
}

/** Tells whether a result is one of the checks, which leave no event behind when they refuse. */
function isRefusal({ code, events }: Result): boolean {
  return code !== 0 && events?.length === 0
}

/** Tells whether the chain's words say that messages were run, so that the checks were passed and the fee was charged. */
function ranMessages({ log }: Result): boolean {
  return log.includes('failed to execute message; message index:')
}

/** Tells whether a result that names no hash can be of this transaction: the result used the transaction's sequence. */
function isOf({ wallet, sequence }: Known, events: readonly CosmosEvent[]): boolean {
  if (!passedChecks(events)) return false
  if (wallet === null || sequence === null) return true
  const uses = events.flatMap(({ type, attributes }) => (type === 'tx' && attributes.acc_seq !== undefined ? [attributes.acc_seq] : []))
  return uses.includes(`${wallet}/${sequence}`)
}

/** Tells whether an exit may have begun: the events say so, or are not known. */
function begins(events: readonly CosmosEvent[] | null): boolean {
  return events === null || events.some(({ type }) => type === 'unbond')
}

function delegatorOf(events: readonly CosmosEvent[] | null): string | undefined {
  return events?.find(({ type, attributes }) => type === 'unbond' && attributes.delegator !== undefined)?.attributes.delegator
}
