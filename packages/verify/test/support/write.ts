import { keccak256 } from '../../src/bytes/keccak.ts'
import type { EvmCraft, EvmPayload } from '../../src/evm/index.ts'
import { bytes, hex } from './vectors.ts'

/** What an RLP writer takes: 0x hex, or a list. */
export type Item = string | readonly Item[]

/** Nine fields by name; integers as they are, data and address as 0x hex. */
export interface Fields {
  readonly nonce: bigint
  readonly gasPrice: bigint
  readonly gasLimit: bigint
  readonly to: string
  readonly value: bigint
  readonly data: string
  readonly chainId: bigint
}

/** Canonical RLP; the package itself has a reader only. */
export function writeRlp(item: Item): Uint8Array {
  if (typeof item !== 'string') {
    const content = Buffer.concat(item.map(writeRlp))
    return Uint8Array.from(Buffer.concat([prefix(0xc0, content.length), content]))
  }
  const content = bytes(item)
  if (content.length === 1 && content[0]! < 0x80) return content
  return Uint8Array.from(Buffer.concat([prefix(0x80, content.length), content]))
}

function prefix(base: number, length: number): Buffer {
  if (length <= 55) return Buffer.from([base + length])
  const digits = length.toString(16)
  const size = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
  return Buffer.concat([Buffer.from([base + 55 + size.length]), size])
}

export function fieldsOf({ payload }: EvmCraft): Fields {
  return {
    nonce: BigInt(payload.nonce),
    gasPrice: BigInt(payload.gasPrice),
    gasLimit: BigInt(payload.gasLimit),
    to: payload.to,
    value: BigInt(payload.value),
    data: payload.data,
    chainId: BigInt(payload.chainId),
  }
}

/** A craft response whose three representations agree, as a service with bad intentions could write it. */
export function craftOf(fields: Fields): EvmCraft {
  const serialized = writeRlp([
    integer(fields.nonce),
    integer(fields.gasPrice),
    integer(fields.gasLimit),
    fields.to,
    integer(fields.value),
    fields.data,
    integer(fields.chainId),
    '0x',
    '0x',
  ])
  return { serialized_tx_hex: hex(serialized), unsigned_tx_hash_hex: hex(keccak256(serialized)), payload: payloadOf(fields) }
}

function payloadOf(fields: Fields): EvmPayload {
  const quantity = (value: bigint) => `0x${value.toString(16)}`
  return {
    type: '0x0',
    nonce: quantity(fields.nonce),
    gasLimit: quantity(fields.gasLimit),
    to: fields.to,
    value: quantity(fields.value),
    data: fields.data,
    gasPrice: quantity(fields.gasPrice),
    chainId: quantity(fields.chainId),
  }
}

function integer(value: bigint): string {
  const digits = value === 0n ? '' : value.toString(16)
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`
}
