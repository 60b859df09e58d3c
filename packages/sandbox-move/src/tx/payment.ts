import { inputError } from '../errors.ts'
import { accumulatorId, readReservation } from '../ids.ts'
import type { Node } from '../node.ts'
import type { MoveObject } from '../objects.ts'
import type { Reference, TransactionData } from './data.ts'

/** Payment for gas. */
export interface Payment {
  /** Place where the payment is gathered, and where what is left goes: the first coin, the owner's address balance, or a coin that is not there. */
  readonly place: 'coin' | 'address' | 'mock'
  readonly owner: string
  readonly coins: readonly MoveObject[]
  /** MIST taken from the address balance into the gas coin. */
  readonly reserved: bigint
  /** MIST of the gas coin before the budget is set aside. */
  readonly total: bigint
}

/** More than any transaction spends, for a simulation that asks what one would cost. */
const mockBalance = 10_000_000_000_000_000_000n

/** Makes the payment of a simulation that names no coin. */
export function mockPayment(owner: string): Payment {
  return { place: 'mock', owner, coins: [], reserved: 0n, total: mockBalance }
}

/** Reads the payment of a transaction, whose coins must have been checked. @throws GrpcError `INVALID_ARGUMENT` for a coin reservation that does not hold */
export function paymentOf(node: Node, { gasData }: TransactionData): Payment {
  const { owner, payment, budget } = gasData
  const [leading] = payment
  if (leading === undefined) return { place: 'address', owner, coins: [], reserved: 0n, total: BigInt(budget) }
  const coins: MoveObject[] = []
  let reserved = 0n
  for (const reference of payment) {
    const amount = reservedBy(node, reference, owner)
    if (amount === undefined) coins.push(node.state.objects.existing(reference.objectId))
    else reserved += amount
  }
  const first = readReservation(leading, node.chainIdentifier)
  const total = coins.reduce((sum, { content }) => sum + (content.kind === 'coin' ? content.balance : 0n), reserved)
  // Everything is gathered in the first: coins behind a reservation end in the address balance.
  return { place: first === undefined ? 'coin' : 'address', owner, coins, reserved, total }
}

/** Returns the MIST that a coin reservation stands for; undefined for a reference of an object. @throws GrpcError `INVALID_ARGUMENT` */
export function reservedBy(node: Node, reference: Reference, owner: string): bigint | undefined {
  const reservation = readReservation(reference, node.chainIdentifier)
  if (reservation === undefined) return undefined
  if (reservation.epoch !== node.epoch && reservation.epoch + 1n !== node.epoch) throw inputError('Transaction Expired')
  if (reservation.amount === 0n) throw inputError('Invalid withdraw reservation: Balance withdraw reservation amount must be non-zero')
  if (reservation.field !== accumulatorId(owner)) {
    throw inputError(`Invalid withdraw reservation: object ${reservation.field} is not the SUI balance of ${owner}`)
  }
  return reservation.amount
}
