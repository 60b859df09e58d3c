import { base58 } from '../base58.ts'
import { malformed } from '../rpc.ts'
import { verifies } from '../signature.ts'
import { reader, SIGNATURE_LENGTH } from '../transaction.ts'

/** First byte of a message of version 0. */
const VERSION_0 = 0x80
const KEY_LENGTH = 32

/** An instruction by the places of its accounts. */
interface PlacedInstruction {
  readonly program: number
  readonly accounts: readonly number[]
  readonly data: Buffer
}

/** A transaction of any form that is in blocks, as far as it must be read to know what it did. */
interface LandedMessage {
  readonly keys: readonly string[]
  /** Number of accounts that the message names by lookup tables. */
  readonly lookedUp: number
  readonly instructions: readonly PlacedInstruction[]
}

/**
 * Reads a transaction that was asked for by its hash, and checks that its first signature is that hash, made by the fee payer over these very bytes.
 *
 * @throws 502 for bytes of another transaction
 * @see https://solana.com/docs/core/transactions/transaction-structure (read 2026-11-22)
 */
export function readLanded(bytes: Buffer, hash: string): LandedMessage {
  const from = reader(bytes, malformed)
  const signatures = from.list(() => from.take(SIGNATURE_LENGTH, 'a signature'), 'the number of signatures')
  const message = bytes.subarray(from.at())
  const first = from.byte('the header')
  const versioned = first === VERSION_0
  if (first > VERSION_0) throw malformed(first)
  from.take(versioned ? 3 : 2, 'the header')
  const keys = from.list(() => from.take(KEY_LENGTH, 'an account'), 'the number of accounts')
  from.take(KEY_LENGTH, 'the block hash')
  const instructions = from.list(
    () => ({
      program: from.byte('an instruction'),
      accounts: from.list(() => from.byte('an instruction'), 'an instruction'),
      data: from.take(from.compact('an instruction'), 'an instruction'),
    }),
    'the number of instructions',
  )
  const tables = versioned ? from.list(() => lookedUpIn(from), 'the number of tables') : []
  const [payer] = keys
  const [signature] = signatures
  if (from.at() < bytes.length || payer === undefined || signature === undefined) throw malformed(bytes.length)
  if (base58(signature) !== hash || !verifies(signature, message, payer)) throw malformed(base58(signature))
  return { keys: keys.map(base58), lookedUp: tables.reduce((sum, count) => sum + count, 0), instructions }
}

/** Counts the accounts that a message takes out of one table. */
function lookedUpIn(from: ReturnType<typeof reader>): number {
  from.take(KEY_LENGTH, 'a table')
  const writable = from.take(from.compact('a table'), 'a table')
  const readable = from.take(from.compact('a table'), 'a table')
  return writable.length + readable.length
}
