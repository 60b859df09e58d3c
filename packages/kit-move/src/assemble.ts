import { Transaction } from '@mysten/sui/transactions'
import { toBase64 } from '@mysten/sui/utils'
import { type Assembly, isServiceError, type KitContext, malformedAnswer, requireFee } from '@svc/contract'
import type { Static } from 'typebox'
import { requireBounds } from './bounds.ts'
import type { MoveClient, MoveNode } from './client.ts'
import { expirationFor } from './expiration.ts'
import { simulationRefusal } from './refusal.ts'
import { identifierOf, MOST_GAS_PRICE, type MoveSettings } from './settings.ts'
import { termsOf } from './terms.ts'
import type { MoveWire } from './wire.ts'

/** A transaction before it is built. */
export interface MoveDraft {
  /** Address that signs and pays, in its canonical form. */
  readonly sender: string
  /** Puts inputs and commands into a transaction that has a sender and nothing else. */
  build(tx: Transaction): void
}

/**
 * Makes the unsigned transaction of a draft, in one call of the node: it resolves references, selects gas, runs the transaction and reports its cost. The library takes
 * references, gas and expiration from the answer, which are bounded here, and no effects. The transaction always names the chain, and the epochs in which it can land:
 * those of the node where the address balance pays for gas, else this one and the next. A gas price above `gas_price_maximum` counts only when no endpoint asks for less,
 * so that nobody is kept from leaving on a busy day; the fee is compared with `max_fee` whatever the price.
 *
 * @throws 400 for what the chain would refuse; 503 FEE_ABOVE_CAP; 502, 503, 504
 */
export async function assembleMove(
  { client, network }: KitContext<MoveClient, MoveSettings>,
  { sender, build }: MoveDraft,
  preflight: Promise<void>,
): Promise<Assembly<Static<MoveWire['unsigned']>>> {
  await preflight
  const drafted = () => {
    const tx = new Transaction()
    tx.setSender(sender)
    build(tx)
    return tx
  }
  // A draft that cannot be written is no endpoint's fault. Each endpoint completes one of its own.
  let first: Transaction | null = drafted()
  const completed = (mostPrice: number) => client.exchange((node) => complete(node, BigInt(mostPrice)))
  const { bytes, terms } = await completed(network.gas_price_maximum).catch((error: unknown) => {
    if (!isServiceError(error) || error.code !== 'GAS_PRICE_HIGH') throw error
    return completed(MOST_GAS_PRICE)
  })
  requireFee(terms.gasBudget, network)
  return { unsigned: { unsigned_tx_b64: toBase64(bytes) }, terms }

  async function complete(node: MoveNode, mostPrice: bigint) {
    const tx = first ?? drafted()
    first = null
    const built = await tx.build({ client: node.sui }).catch((error: unknown) => {
      throw simulationRefusal(error, sender)
    })
    const [chainIdentifier, live] = [identifierOf(network), await node.live]
    const expiration = expirationFor(tx.getData(), { epoch: live.epoch, chainIdentifier })
    if (expiration) tx.setExpiration(expiration)
    const data = tx.getData()
    requireBounds(data, node.seen.simulated?.transaction?.effects?.changedObjects ?? [], {
      ...{ sender, chainIdentifier, live, mostPrice },
    })
    const terms = termsOf(data)
    if (terms === null) throw malformedAnswer(data)
    return { terms, bytes: expiration ? await tx.build() : built }
  }
}
