import { base58, KEY_LENGTH } from '../bytes/base58.ts'
import { type Cursor, cursor } from '../bytes/cursor.ts'
import { DecodeError } from '../errors.ts'

/** An account that a transaction names. */
export interface Account {
  readonly address: string
  readonly key: Uint8Array
  readonly signer: boolean
  readonly writable: boolean
}

/** One instruction, with indices into the accounts of its transaction resolved. */
export interface Instruction {
  readonly program: Account
  readonly accounts: readonly Account[]
  readonly data: Uint8Array
}

/** A transaction of the legacy format, whose bytes are in canonical form. */
export interface Transaction {
  /** Accounts in the order of the bytes: the signers come first, and the first of them pays the fee. */
  readonly accounts: readonly Account[]
  /** Addresses whose signature is already there, in order; its validity is not checked. */
  readonly signed: readonly string[]
  /** 64 bytes for each account that signs, in their order; zeros where there is none yet. */
  readonly signatures: readonly Uint8Array[]
  /** Message that is signed. */
  readonly message: Uint8Array
  /** Block hash or value of a durable nonce, in base58. */
  readonly blockhash: string
  readonly instructions: readonly Instruction[]
}

/** Largest transaction in bytes; nodes refuse larger ones: the 1280 bytes of an IPv6 packet without its headers, https://solana.com/docs/core/transactions (read 2026-11-21). */
export const MAX_BYTES = 1232

const SIGNATURE_LENGTH = 64
/** First bit of a message that is not of the legacy format. */
const VERSIONED = 0x80

/**
 * Reads a transaction as it is sent: the signatures, of which the empty ones are zeros, and the message.
 *
 * @throws DecodeError when the bytes are not exactly one legacy transaction, name an account twice or in vain, or contradict themselves
 * @see https://solana.com/docs/core/transactions/transaction-structure (read 2026-11-21)
 */
export function readTransaction(bytes: Uint8Array): Transaction {
  const from = cursor(bytes, 'the transaction')
  const slots = from.compact('the number of signatures')
  const signatures = Array.from({ length: slots }, (_, i) => from.bytes(SIGNATURE_LENGTH, `signature ${i}`))
  const message = bytes.subarray(bytes.length - from.left())

  const accounts = readAccounts(from, slots)
  const blockhash = base58(from.bytes(KEY_LENGTH, 'the block hash'))
  const count = from.compact('the number of instructions')
  if (count === 0) throw new DecodeError('the transaction has 0 instructions; it must have at least one')
  const instructions = Array.from({ length: count }, (_, i) => readInstruction(from, accounts, `instruction ${i}`))
  from.end()

  refuseUnused(accounts, instructions)
  const signed = accounts.filter((_, i) => isFilled(signatures[i])).map(({ address }) => address)
  return { accounts, signed, signatures, message, blockhash, instructions }
}

/** Tells whether a signature is present: an absent one is all zeros. */
export function isFilled(signature: Uint8Array | undefined): boolean {
  return signature?.some((byte) => byte !== 0) ?? false
}

function readAccounts(from: Cursor, slots: number): readonly Account[] {
  const signers = from.u8('the header')
  if (signers >= VERSIONED) {
    throw new DecodeError(
      `the message begins with ${signers}, which is version ${signers - VERSIONED}; it must be a message of the legacy format`,
    )
  }
  const readonlySigners = from.u8('the header')
  const readonlyOthers = from.u8('the header')
  const count = from.compact('the number of accounts')
  if (signers !== slots)
    throw new DecodeError(`the transaction has ${slots} signatures where ${signers} accounts sign; both must be the same number`)
  if (readonlySigners >= signers) {
    throw new DecodeError(`${readonlySigners} of ${signers} signers are read-only; at least the first, who pays the fee, must be writable`)
  }
  if (signers + readonlyOthers > count) {
    throw new DecodeError(`the message has ${count} accounts, but its header speaks of ${signers} signers and ${readonlyOthers} others`)
  }

  const visited = new Set<string>()
  return Array.from({ length: count }, (_, i) => {
    const key = from.bytes(KEY_LENGTH, `account ${i}`)
    const address = base58(key)
    if (visited.has(address)) throw new DecodeError(`account ${i} is ${address}, which was named before; each must be named once`)
    visited.add(address)
    const signer = i < signers
    return { address, key, signer, writable: signer ? i < signers - readonlySigners : i < count - readonlyOthers }
  })
}

function readInstruction(from: Cursor, accounts: readonly Account[], path: string): Instruction {
  const account = (what: string): Account => {
    const index = from.u8(what)
    const entry = accounts[index]
    if (entry === undefined)
      throw new DecodeError(`${what} is number ${index} of ${accounts.length} accounts; it must be below their number`)
    return entry
  }
  const program = account(`the program of ${path}`)
  const used = from.compact(`the number of accounts of ${path}`)
  // Stops at the end of the bytes, however many accounts are announced.
  const list = Array.from({ length: used }, (_, i) => account(`account ${i} of ${path}`))
  return { program, accounts: list, data: from.bytes(from.compact(`the length of ${path}`), `the data of ${path}`) }
}

function refuseUnused(accounts: readonly Account[], instructions: readonly Instruction[]): void {
  const used = new Set(instructions.flatMap(({ program, accounts }) => [program, ...accounts]))
  accounts.forEach((account, i) => {
    // The first pays the fee, which is a use.
    if (i > 0 && !used.has(account))
      throw new DecodeError(`account ${i}, ${account.address}, is not used by any instruction; it must not be named`)
  })
}
