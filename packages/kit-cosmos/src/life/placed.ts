import type { KitContext, Sighting } from '@svc/contract'
import type { CosmosChain } from '../chain.ts'
import type { CosmosClient } from '../client.ts'
import { readBegunUnbondings, readBlock, readBlockResult } from './block.ts'
import { type CosmosEvent, type CosmosReceipt, feeIn, passedChecks } from './events.ts'
import { failureOf } from './failure.ts'
import type { InBlock, Result } from './found.ts'
import type { Known } from './known.ts'

/** What a place in a block says of a transaction; the rest of a sighting is the look's to say. */
export type Placed = Pick<Sighting<CosmosReceipt>, 'status' | 'finality' | 'certainty' | 'block' | 'fee' | 'receipt' | 'error'>

/** A place in a block where the checks before the messages refused it: no fee was charged and no sequence used, so that it can come again. */
export interface Refused {
  readonly refused: NonNullable<Sighting['error']>
}

/**
 * What a transaction came to that is in a block. A block of the family is final when it is made.
 *
 * @throws 502, 503, 504
 */
export async function placedAt(
  { denom }: CosmosChain,
  { client, network }: KitContext<CosmosClient>,
  known: Known,
  { height, index, result: told, signers }: InBlock,
): Promise<Placed | Refused> {
  // Before anything else is asked: a refusal needs no more.
  if (told.events && !passedChecks(told.events)) return { refused: failureOf(told) }
  // Where results are told apart from the place, proposers leave out what the checks refuse: it is in no block.
  const fits = (result: Result) => result.code === told.code && isOf(known, result.events ?? [])
  const delegator = told.code === 0 && begins(told.events) ? (known.wallet ?? delegatorOf(told.events) ?? signers[0] ?? null) : null
  const [block, result, unbondings] = await Promise.all([
    readBlock(client, network.chainId, height),
    told.events ? told : readBlockResult(client, { height, index }, fits),
    delegator === null ? [] : readBegunUnbondings(client, delegator, height),
  ])
  const events = result?.events ?? null
  const failed = told.code !== 0
  return {
    status: failed ? 'failed' : 'final',
    finality: 'final',
    // Without its events a failure may have been one of the checks, after which it could come again.
    certainty: failed && events === null ? 'likely' : 'proven',
    block,
    fee: events && feeIn(events, denom),
    receipt: events && { height, events, unbondings },
    error: failed ? failureOf(told) : null,
  }
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
