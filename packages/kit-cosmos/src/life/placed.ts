import { type KitContext, nodeBehind, type Sighting } from '@svc/contract'
import type { AccountSequence } from '../account.ts'
import type { CosmosChain } from '../chain.ts'
import type { CosmosClient } from '../client.ts'
import { readBegunUnbondings, readBlock, readBlockResult } from './block.ts'
import { type CosmosEvent, type CosmosReceipt, feeIn, passedChecks } from './events.ts'
import { failureOf, refusalOf } from './failure.ts'
import type { InBlock, Result } from './found.ts'
import type { Known } from './known.ts'

/** What a place in a block says of a transaction; the rest of a sighting is the look's to say. */
export type Placed = Pick<Sighting<CosmosReceipt>, 'status' | 'finality' | 'certainty' | 'block' | 'fee' | 'receipt' | 'error'>

/** A place in a block where the checks before the messages refused it: no fee was charged and no sequence used, so that it can come again. */
export interface Refused {
  readonly refused: NonNullable<Sighting['error']>
}

/**
 * Tells what a transaction came to that is in a block. A block of the family is final when it is made; but its proposer need not run the checks, so
 * that a block can hold a transaction which they refuse. Its events tell that, or the account's sequence, where the node keeps no results.
 *
 * @param account its sequence, as of a state that may be older than the block; null where it is not known
 * @throws 502, 503, 504
 */
export async function placedAt(
  { denom }: CosmosChain,
  { client, network }: KitContext<CosmosClient>,
  known: Known,
  account: AccountSequence | null,
  place: InBlock,
): Promise<Placed | Refused> {
  const { height, index, result: told, signers } = place
  // Before anything else is asked: a refusal needs no more.
  if (told.events && !passedChecks(told.events)) return { refused: refusalOf(told, height) }
  const fits = (result: Result) => result.code === told.code && (isOf(known, result.events ?? []) || isRefusal(result))
  const delegator = told.code === 0 && begins(told.events) ? (known.wallet ?? delegatorOf(told.events) ?? signers[0] ?? null) : null
  const [block, result, unbondings] = await Promise.all([
    readBlock(client, network.chainId, height),
    told.events ? told : readBlockResult(client, { height, index }, fits),
    delegator === null ? [] : readBegunUnbondings(client, delegator, height),
  ])
  const events = result?.events ?? null
  const failed = told.code !== 0
  const passed = !failed || (events === null ? usedSequence(known, account, place) : passedChecks(events))
  if (passed === false) return { refused: refusalOf(told, height) }
  const charged = events && feeIn(events, denom)
  // Without its events a failure may have been one of the checks, and the sequence have been used by another.
  const isCharged = !failed || events !== null || ranMessages(told)
  return {
    status: failed ? 'failed' : 'final',
    finality: 'final',
    certainty: passed === null ? 'likely' : 'proven',
    block,
    // The bytes say what is charged, so that nobody is believed about it.
    fee: isCharged ? (known.fee ?? charged) : null,
    receipt: events && { height, events, unbondings },
    error: failed ? failureOf(told) : null,
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

/** A result of the checks, which leave no event behind when they refuse. */
function isRefusal({ code, events }: Result): boolean {
  return code !== 0 && events?.length === 0
}

/** Whether the chain's words say that messages were run, so that the checks were passed and the fee was charged. */
function ranMessages({ log }: Result): boolean {
  return log.includes('failed to execute message; message index:')
}

/** Whether a result that names no hash can be of this transaction: it used its sequence. */
function isOf({ wallet, sequence }: Known, events: readonly CosmosEvent[]): boolean {
  if (!passedChecks(events)) return false
  if (wallet === null || sequence === null) return true
  const uses = events.flatMap(({ type, attributes }) => (type === 'tx' && attributes.acc_seq !== undefined ? [attributes.acc_seq] : []))
  return uses.length === 0 || uses.includes(`${wallet}/${sequence}`)
}

/** Whether an exit may have begun: told, or not known. */
function begins(events: readonly CosmosEvent[] | null): boolean {
  return events === null || events.some(({ type }) => type === 'unbond')
}

function delegatorOf(events: readonly CosmosEvent[] | null): string | undefined {
  return events?.find(({ type, attributes }) => type === 'unbond' && attributes.delegator !== undefined)?.attributes.delegator
}
