import type { GrpcTypes } from '@mysten/sui/grpc'
import type { Transaction } from '@mysten/sui/transactions'
import { normalizeSuiAddress } from '@mysten/sui/utils'
import { EndpointError, malformedAnswer, tokensText } from '@svc/contract'
import { badGateway } from './codes.ts'
import { isDigest } from './digest.ts'
import { isReservation, reservationOf } from './reservation.ts'
import type { ServiceInfo } from './service-info.ts'
import { DECIMALS } from './settings.ts'

type Data = ReturnType<Transaction['getData']>
type Payment = NonNullable<Data['gasData']['payment']>

/**
 * Amounts that a transaction's execution may take at most, generously: 50,000 units of computation, 1,000 for reading each gas coin, and 0.05 SUI of storage that does not
 * come back. Staking has been sent with a budget of 0.02 SUI for years.
 *
 * @see https://github.com/MystenLabs/sui/blob/main/crates/sui-protocol-config/src/lib.rs (gas_rounding_step 1,000; reading a coin of 40 bytes at 15 a byte, read 2026-11-22)
 * @see https://github.com/BitGo/BitGoJS/tree/master/modules/sdk-coin-sui (gas budget of its staking transactions, read 2026-11-22)
 */
const MOST_UNITS = 50_000n
/**
 * Units of computation that every transaction pays for, whatever it does: a budget below their price is refused by the chain. The smallest bucket of computation, and what the
 * chain's own library adds to each estimate.
 *
 * @see https://mystenlabs.github.io/sui/src/sui_types/gas_model/gas_v3.rs.html (min_transaction_cost, a flat fee of every transaction, read 2026-11-28)
 */
const LEAST_UNITS = 1_000n
const UNITS_OF_A_COIN = 1_000n
const MOST_STORAGE = 50_000_000n
/** Most coins that pay. @see https://github.com/MystenLabs/sui/blob/main/crates/sui-protocol-config/src/lib.rs (max_gas_payment_objects, read 2026-11-21) */
const MOST_COINS = 256
const MOST_U64 = (1n << 64n) - 1n

/** Facts by which the bounds are drawn: none of them comes from the answer that is judged. */
interface Frame {
  readonly sender: string
  /** Digest of the network's genesis checkpoint. */
  readonly chainIdentifier: string
  /** Facts that the node said of itself. */
  readonly live: ServiceInfo
  /** Gas price in MIST up to which one node alone is believed. */
  readonly mostPrice: bigint
}

/**
 * Requires that a node completed a transaction as a node of its chain would: with a possible gas price and budget, coins of the sender that the node itself ran the
 * transaction with, and an expiration in which the transaction can land.
 *
 * @param changed what the node says that the run changed
 * @throws EndpointError with GAS_PRICE_HIGH, where only the price is above its bound, or with UPSTREAM_ERROR
 */
export function requireBounds(data: Data, changed: readonly GrpcTypes.ChangedObject[], frame: Frame): void {
  const { price, budget, payment, owner } = data.gasData
  if (!price || !budget || !payment || normalizeSuiAddress(owner ?? frame.sender) !== frame.sender) throw malformedAnswer(data.gasData)
  // Every object that staking takes is changed by it.
  if (data.inputs.some(({ Object: object }) => object?.SharedObject?.mutable === false)) throw malformedAnswer(data.inputs)
  requireGas(BigInt(price), BigInt(budget), payment.length, frame.mostPrice)
  requirePayment(data, payment, frame)
  requireExpiration(data, frame)
  for (const reference of [...payment.filter((each) => !isReservation(each)), ...ownedInputs(data)])
    requireOwned(reference, changed, frame.sender)
}

const sui = (mist: bigint) => tokensText(mist, { decimals: DECIMALS, symbol: 'SUI' })

function requireGas(price: bigint, budget: bigint, coins: number, mostPrice: bigint): void {
  const most = price * (MOST_UNITS + UNITS_OF_A_COIN * BigInt(coins)) + MOST_STORAGE
  if (price < 1n || budget < price * LEAST_UNITS) throw malformedAnswer({ price, budget })
  if (budget > most)
    throw beyond('UPSTREAM_ERROR', `a gas budget of ${sui(budget)}, above ${sui(most)}, the most that staking can need; try again`)
  if (price > mostPrice)
    throw beyond('GAS_PRICE_HIGH', `a gas price of ${price} MIST, above ${mostPrice}, which one endpoint alone is not believed`)
}

function requirePayment({ commands, inputs }: Data, payment: Payment, { sender, chainIdentifier, live }: Frame): void {
  if (payment.length > MOST_COINS) throw malformedAnswer(payment.length)
  // Only coins can be split.
  if (payment.length === 0 && JSON.stringify(commands).includes('"GasCoin"')) throw malformedAnswer(payment)
  const ids = [...payment.map(({ objectId }) => objectId), ...inputs.flatMap(({ Object: object }) => idsOf(object))].map((id) =>
    normalizeSuiAddress(id),
  )
  if (new Set(ids).size < ids.length) throw malformedAnswer(ids)
  payment.forEach((reference, index) => {
    const version = BigInt(reference.version)
    if (!isDigest(reference.digest) || version < 0n || version > MOST_U64) throw malformedAnswer(reference)
    if (!isReservation(reference)) return
    const reserved = reservationOf(reference, sender, chainIdentifier)
    if (index > 0 || reserved === null || reserved.amount < 1n || !near(reserved.epoch, live.epoch)) throw malformedAnswer(reference)
  })
}

function requireExpiration({ expiration }: Data, { chainIdentifier, live }: Frame): void {
  if (expiration?.$kind !== 'ValidDuring') throw malformedAnswer(expiration)
  const { minEpoch, maxEpoch, minTimestamp, maxTimestamp, chain } = expiration.ValidDuring
  if (chain !== chainIdentifier || minEpoch == null || maxEpoch == null || minTimestamp != null || maxTimestamp != null)
    throw malformedAnswer(expiration)
  const [first, last] = [BigInt(minEpoch), BigInt(maxEpoch)]
  // It can land now, and no later than in the epoch after.
  if (!near(first, live.epoch) || last < live.epoch || last < first || last > first + 1n) throw malformedAnswer(expiration)
}

/** Tells whether an epoch is the node's or the one after, since an epoch may begin between two answers of a node. */
function near(epoch: bigint, nodeEpoch: bigint): boolean {
  return epoch === nodeEpoch || epoch === nodeEpoch + 1n
}

interface Reference {
  readonly objectId: string
  readonly version: string | number
  readonly digest: string
}

function ownedInputs({ inputs }: Data): Reference[] {
  return inputs.flatMap(({ Object: object }) => (object?.$kind === 'ImmOrOwnedObject' ? [object.ImmOrOwnedObject] : []))
}

function idsOf(object: Data['inputs'][number]['Object']): string[] {
  if (object?.$kind === 'ImmOrOwnedObject') return [object.ImmOrOwnedObject.objectId]
  return object?.$kind === 'SharedObject' ? [object.SharedObject.objectId] : []
}

/** Requires that the run took an object from the sender, in just this state: what a node writes into a transaction is what it ran. */
function requireOwned(reference: Reference, changed: readonly GrpcTypes.ChangedObject[], sender: string): void {
  const id = normalizeSuiAddress(reference.objectId)
  const change = changed.find(({ objectId }) => objectId !== undefined && normalizeSuiAddress(objectId) === id)
  const same =
    change?.inputVersion === BigInt(reference.version) &&
    change.inputDigest === reference.digest &&
    change.inputOwner?.address !== undefined &&
    normalizeSuiAddress(change.inputOwner.address) === sender
  if (!same) throw malformedAnswer({ reference, found: change })
}

function beyond(code: 'GAS_PRICE_HIGH' | 'UPSTREAM_ERROR', what: string): EndpointError {
  return new EndpointError('malformed', badGateway(code, `The chain's node tells ${what}.`))
}
