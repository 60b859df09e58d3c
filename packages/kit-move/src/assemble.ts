import { Transaction } from '@mysten/sui/transactions'
import { toBase64 } from '@mysten/sui/utils'
import { type Assembled, formatAmount, type KitContext, unavailable } from '@svc/contract'
import type { Static } from 'typebox'
import { malformed } from './answer.ts'
import type { MoveClient } from './client.ts'
import { withoutProposers } from './expiration.ts'
import { simulationRefusal } from './refusal.ts'
import { DECIMALS } from './settings.ts'
import { termsOf } from './terms.ts'
import type { MoveWire } from './wire.ts'

/** A transaction in the family's own words. */
export interface MoveDraft {
  /** Who signs and pays, canonical. */
  readonly sender: string
  /** Puts inputs and commands into a transaction that has a sender and nothing else. */
  build(tx: Transaction): void
}

/**
 * Draft to unsigned transaction, in one call of the node: it resolves references, selects gas, runs the whole thing and says what it
 * costs. The expiration stays what the node leaves: none where coins pay, since their versions make it void, or the bounds that a gas
 * payment from the address balance needs.
 *
 * @throws 400 for what the chain would refuse; 503 FEE_ABOVE_CAP; 502, 503, 504
 */
export async function assembleMove(
  { client, network }: KitContext<MoveClient>,
  { sender, build }: MoveDraft,
  lifetime: Promise<void>,
): Promise<Assembled<Static<MoveWire['unsigned']>>> {
  const tx = new Transaction()
  tx.setSender(sender)
  build(tx)
  const resolved = tx.build({ client: client.sui }).catch((error: unknown) => {
    throw simulationRefusal(error, sender)
  })
  // Both are awaited whichever fails first; a node of another chain explains every other refusal.
  const [live, built] = await Promise.allSettled([lifetime, resolved])
  if (live.status === 'rejected') throw live.reason
  if (built.status === 'rejected') throw built.reason

  const unrestricted = withoutProposers(tx.getData())
  if (unrestricted) tx.setExpiration(unrestricted)
  const bytes = unrestricted ? await tx.build() : built.value
  const terms = termsOf(tx.getData())
  if (terms === null) throw malformed()
  if (terms.gasBudget > network.maxFee) {
    throw unavailable(
      'FEE_ABOVE_CAP',
      `The transaction needs a gas budget of ${formatAmount(terms.gasBudget, DECIMALS)} now, above the operator's cap of ${formatAmount(network.maxFee, DECIMALS)}; try again when fees have fallen.`,
      60,
    )
  }
  return { unsigned: { unsigned_tx_b64: toBase64(bytes) }, terms }
}
