import { createHash } from 'node:crypto'
import { bcs } from '@mysten/sui/bcs'
import { deriveDynamicFieldID, fromBase58, toBase58 } from '@mysten/sui/utils'
import { present } from '@svc/sandbox'
import { accumulatorRoot, balanceType, frameworkPackage, fungibleDataKeyType } from './constants.ts'

/** 32 bytes that follow from a text. Not the chain's own derivation: no client computes ids and digests of objects again. */
function madeBytes(...parts: readonly (string | bigint | number | Uint8Array)[]): Uint8Array {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part instanceof Uint8Array ? part : `${part}|`)
  return new Uint8Array(hash.digest())
}

/** Makes the id of an object, always the same for the same parts. */
export function madeId(...parts: readonly (string | bigint | number)[]): string {
  return `0x${Buffer.from(madeBytes(...parts)).toString('hex')}`
}

/** Makes a digest in base58, always the same for the same parts. */
export function madeDigest(...parts: readonly (string | bigint | number | Uint8Array)[]): string {
  return toBase58(madeBytes(...parts))
}

const u64Bytes = (value: bigint) => bcs.u64().serialize(value).toBytes()
const rateIds = new Map<string, string>()

/** Derives the id of the field of a pool's `exchange_rates` table for an epoch. */
export function rateId(table: string, epoch: bigint): string {
  const key = `${table}/${epoch}`
  const id = rateIds.get(key) ?? deriveDynamicFieldID(table, 'u64', u64Bytes(epoch))
  rateIds.set(key, id)
  return id
}

/** Derives the id of the field of a pool's `extra_fields` bag that contains its fungible stake; an empty struct is one zero byte as a key. */
export function fungibleDataId(bag: string): string {
  return deriveDynamicFieldID(bag, fungibleDataKeyType, new Uint8Array([0]))
}

/** Derives the id of the field that contains an address's balance of SUI. */
export function accumulatorId(address: string): string {
  const key = bcs.Address.serialize(address).toBytes()
  return deriveDynamicFieldID(accumulatorRoot, `${frameworkPackage}::accumulator::Key<${balanceType}>`, key)
}

/** Twenty bytes that end the digest of a coin reservation. @see MystenLabs/sui sui-types/src/coin_reservation.rs (read 2026-11-21) */
const reservationMark = 0xac

/** A reference that stands for an amount of an address balance among coins. */
interface Reservation {
  readonly objectId: string
  readonly version: string
  readonly digest: string
}

/** Writes a coin reservation: the field's id under a mask of the chain's id, version 0, amount and epoch in the digest. */
export function writeReservation(parts: { address: string; amount: bigint; epoch: bigint; chainIdentifier: string }): Reservation {
  const digest = new Uint8Array(32).fill(reservationMark)
  const view = new DataView(digest.buffer)
  view.setBigUint64(0, parts.amount, true)
  view.setUint32(8, Number(parts.epoch), true)
  return { objectId: masked(accumulatorId(parts.address), parts.chainIdentifier), version: '0', digest: toBase58(digest) }
}

/** Reads a coin reservation; undefined for an ordinary reference. */
export function readReservation(
  reference: Reservation,
  chainIdentifier: string,
): { field: string; amount: bigint; epoch: bigint } | undefined {
  const digest = fromBase58(reference.digest)
  if (digest.length !== 32 || digest.subarray(12).some((byte) => byte !== reservationMark)) return undefined
  const view = new DataView(digest.buffer, digest.byteOffset)
  return {
    field: masked(reference.objectId, chainIdentifier),
    amount: view.getBigUint64(0, true),
    epoch: BigInt(view.getUint32(8, true)),
  }
}

function masked(id: string, chainIdentifier: string): string {
  const mask = fromBase58(chainIdentifier)
  const bytes = Buffer.from(id.slice(2), 'hex')
  return `0x${Buffer.from(bytes.map((byte, index) => byte ^ present(mask[index], `a byte ${index} of the mask`))).toString('hex')}`
}
