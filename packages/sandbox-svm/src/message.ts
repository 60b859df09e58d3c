import { present } from '@svc/sandbox'
import { compact, concat, Reader } from './bytes.ts'
import { toBase58 } from './litesvm.ts'

/** A compiled instruction: indexes into the keys of its message. */
interface Instruction {
  readonly program: number
  readonly accounts: readonly number[]
  readonly data: Uint8Array
}

/** A message as it stands in a transaction. */
export interface Message {
  readonly version: 'legacy' | 0
  readonly signers: number
  readonly readonlySigners: number
  readonly readonlyOthers: number
  readonly keys: readonly string[]
  /** Blockhash or nonce value. */
  readonly lifetime: string
  readonly instructions: readonly Instruction[]
  /** True if the message names accounts by lookup tables. */
  readonly lookups: boolean
  readonly bytes: Uint8Array
  /** Offset of the lifetime in `bytes`. */
  readonly lifetimeAt: number
}

export interface WireTransaction {
  readonly signatures: readonly Uint8Array[]
  readonly message: Message
  /** True if nothing stands behind the transaction: a node reads the transaction in front, and who makes a block does not take it. */
  readonly isWhole: boolean
}

/** Most bytes of a transaction: the IPv6 minimum MTU less headers. @see solana-packet, PACKET_DATA_SIZE */
export const maxTransaction = 1232

/** Reads a transaction with its signatures from its bytes. @throws RangeError when the bytes are no transaction */
export function readTransaction(bytes: Uint8Array): WireTransaction {
  const reader = new Reader(bytes)
  const signatures = Array.from({ length: reader.compact() }, () => reader.take(64).slice())
  const message = readMessage(bytes.slice(reader.at))
  return { signatures, message, isWhole: message.bytes.length === reader.left }
}

/** Reads the message at the beginning of bytes, as a node does, which ignores the bytes after it. @throws RangeError when they are no message */
export function readMessage(bytes: Uint8Array): Message {
  const reader = new Reader(bytes)
  const first = reader.u8()
  if (first > 0x80) throw new RangeError(`version ${first & 0x7f} of a message is not known`)
  const version = first === 0x80 ? 0 : 'legacy'
  const signers = version === 0 ? reader.u8() : first
  const readonlySigners = reader.u8()
  const readonlyOthers = reader.u8()
  const keys = Array.from({ length: reader.compact() }, () => toBase58(reader.take(32)))
  const lifetimeAt = reader.at
  const lifetime = toBase58(reader.take(32))
  const instructions = Array.from({ length: reader.compact() }, () => ({
    program: reader.u8(),
    accounts: [...reader.take(reader.compact())],
    data: reader.take(reader.compact()).slice(),
  }))
  const lookups = version === 0 && readLookups(reader)
  return {
    version,
    signers,
    readonlySigners,
    readonlyOthers,
    keys,
    lifetime,
    instructions,
    lookups,
    bytes: bytes.slice(0, reader.at),
    lifetimeAt,
  }
}

function readLookups(reader: Reader): boolean {
  const tables = reader.compact()
  for (let table = 0; table < tables; table++) {
    reader.take(32)
    reader.take(reader.compact())
    reader.take(reader.compact())
  }
  return tables > 0
}

/** Tells whether the counts and indexes of a transaction are consistent; a node checks that first. */
export function isSane({ signatures, message }: WireTransaction): boolean {
  const { keys, signers, readonlySigners, readonlyOthers, instructions, lookups } = message
  if (signatures.length !== signers || signers === 0 || readonlySigners >= signers) return false
  if (signers + readonlyOthers > keys.length || new Set(keys).size !== keys.length) return false
  const accountCount = lookups ? 256 : keys.length
  return instructions.every(
    ({ program, accounts }) => program > 0 && program < keys.length && accounts.every((account) => account < accountCount),
  )
}

/** Returns the address at an index of a message whose indexes were checked. @throws Error when there is none */
export function keyAt({ keys }: Message, index: number): string {
  return present(keys[index], `a key ${index} of ${keys.length}`)
}

/** Tells whether an account has to sign. @param index of its key in the message */
export function isSigner(message: Message, index: number): boolean {
  return index < message.signers
}

/** Tells whether the message may change an account. @param index of its key in the message */
export function isWritable(message: Message, index: number): boolean {
  const { signers, readonlySigners, readonlyOthers, keys } = message
  return index < signers ? index < signers - readonlySigners : index < keys.length - readonlyOthers
}

/** Copies a message's bytes with another lifetime. */
export function withLifetime(message: Message, lifetime: Uint8Array): Uint8Array {
  const bytes = message.bytes.slice()
  bytes.set(lifetime, message.lifetimeAt)
  return bytes
}

/** Writes a legacy message. */
export function writeMessage(parts: {
  signers: number
  readonlySigners: number
  readonlyOthers: number
  keys: readonly Uint8Array[]
  lifetime: Uint8Array
  instructions: readonly Instruction[]
}): Uint8Array {
  const { signers, readonlySigners, readonlyOthers, keys, lifetime, instructions } = parts
  const written = instructions.map(({ program, accounts, data }) =>
    concat([program], compact(accounts.length), accounts, compact(data.length), data),
  )
  return concat(
    [signers, readonlySigners, readonlyOthers],
    compact(keys.length),
    ...keys,
    lifetime,
    compact(instructions.length),
    ...written,
  )
}
