import { bcs } from '@mysten/sui/bcs'
import { deriveDynamicFieldID, fromBase58 } from '@mysten/sui/utils'

/** A part of an address balance that is listed among the coins which pay for the gas, as a coin that never had a version. */
interface Reservation {
  /** Amount in MIST. */
  readonly amount: bigint
  readonly epoch: bigint
}

interface Reference {
  readonly objectId: string
  readonly version: string | number
  readonly digest: string
}

/** Bytes that end the digest of one, after the amount (8) and the epoch (4). @see https://github.com/MystenLabs/sui/blob/main/crates/sui-types/src/coin_reservation.rs (read 2026-11-21) */
const MARK = 0xac
const MARKED_FROM = 12
/** Object under which balances of addresses are kept, and what they are kept by. @see https://docs.sui.io/guides/developer/address-balances (read 2026-11-21) */
const ACCUMULATORS = '0xacc'
const KEY = '0x2::accumulator::Key<0x2::balance::Balance<0x2::sui::SUI>>'

/** Tells whether a reference in the place of a coin takes its amount from the owner's address balance: it has version 0, which no object has. */
export function isReservation({ version }: Reference): boolean {
  return BigInt(version) === 0n
}

/** Reads the amount that a reference reserves of an address's balance on a chain; null when it reserves nothing of that address. */
export function reservationOf({ objectId, digest }: Reference, address: string, chainIdentifier: string): Reservation | null {
  const bytes = fromBase58(digest)
  if (bytes.length !== 32 || bytes.subarray(MARKED_FROM).some((byte) => byte !== MARK)) return null
  const mask = fromBase58(chainIdentifier)
  const field = deriveDynamicFieldID(ACCUMULATORS, KEY, bcs.Address.serialize(address).toBytes())
  const masked = Buffer.from(field.slice(2), 'hex').map((byte, index) => byte ^ (mask[index] ?? 0))
  if (Buffer.from(masked).toString('hex') !== objectId.replace(/^0x/, '').padStart(64, '0').toLowerCase()) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return { amount: view.getBigUint64(0, true), epoch: BigInt(view.getUint32(8, true)) }
}
