import { readHex, readOnce } from '@svc/contract'
import { base58 } from './base58.ts'
import { badRequest } from './codes.ts'

/** Largest transaction that nodes take: an IPv6 packet of 1280 bytes without its headers. @see https://solana.com/docs/core/transactions (read 2026-11-21) */
const MAX_BYTES = 1232
export const SIGNATURE_LENGTH = 64
const KEY_LENGTH = 32
/** First bit of a message that is not of the legacy format. */
const VERSIONED = 0x80

/** A transaction as its bytes say it. */
export interface Transaction {
  /** The whole of it. */
  readonly bytes: Buffer
  /** Message that is signed. */
  readonly message: Buffer
  /** One for each signer, zeros where it is missing. */
  readonly signatures: readonly Buffer[]
  /** Keys of the signers in the order of the signatures; the first pays the fee. */
  readonly signers: readonly Buffer[]
  /** Address of each instruction's program. */
  readonly programs: readonly string[]
  /** Hash of a recent block; where it begins by advancing a nonce account, the value of that. */
  readonly lifetime: string
  /** The nonce account that it begins by advancing, so that it does not expire; null where it does not. */
  readonly nonceAccount: string | null
}

/**
 * Reads a transaction of the legacy format from its hex text.
 *
 * @param name of the member, for sentences
 * @throws 400 HEX_INVALID, TRANSACTION_INVALID
 * @see https://solana.com/docs/core/transactions/transaction-structure (read 2026-11-21)
 */
export function readTransaction(text: string, name: string): Transaction {
  const bytes = readHex(text, name, MAX_BYTES)
  const refuse = (why: string) => badRequest('TRANSACTION_INVALID', `${name} ${why}.`)
  const from = reader(bytes, refuse)

  const signatures = from.list((i) => from.take(SIGNATURE_LENGTH, `signature ${i}`), 'the number of signatures')
  const message = bytes.subarray(from.at())
  const required = from.byte('the header')
  if (required >= VERSIONED)
    throw refuse(
      `is a transaction of version ${required - VERSIONED}; this service crafts and takes the legacy format only, so sign it as crafted`,
    )
  if (required === 0 || required !== signatures.length)
    throw refuse(
      `has room for ${signatures.length} signatures, but ${required} accounts have to sign; it was changed or put together wrongly`,
    )
  const readonlySigned = from.byte('the header')
  const readonlyOthers = from.byte('the header')
  const keys = from.list((i) => from.take(KEY_LENGTH, `account ${i}`), 'the number of accounts')
  if (readonlySigned >= required || required + readonlyOthers > keys.length)
    throw refuse(`has ${keys.length} accounts, which its header contradicts`)
  const lifetime = from.take(KEY_LENGTH, 'the block hash')

  const instructions = from.list((i) => {
    const program = keys[from.byte(`instruction ${i}`)]
    const accounts = from.list(() => keys[from.byte(`the accounts of instruction ${i}`)], `the accounts of instruction ${i}`)
    const data = from.take(from.compact(`the length of instruction ${i}`), `the data of instruction ${i}`)
    if (program === undefined || accounts.includes(undefined)) throw refuse(`names an account in instruction ${i} that it does not list`)
    return { program: base58(program), accounts: accounts.flatMap((key) => (key ? [base58(key)] : [])), data }
  }, 'the number of instructions')
  if (from.at() < bytes.length) throw refuse(`has ${bytes.length - from.at()} bytes behind its end`)

  return {
    bytes,
    message,
    signatures,
    signers: keys.slice(0, required),
    programs: instructions.map(({ program }) => program),
    lifetime: base58(lifetime),
    nonceAccount: nonceOf(instructions[0]),
  }
}

/** Reads the transaction of a craft response or a body of prepare. @throws 400 HEX_INVALID, TRANSACTION_INVALID */
export const readUnsigned = readOnce(
  ({ unsigned_tx_hex }: { readonly unsigned_tx_hex: string }): Transaction => readTransaction(unsigned_tx_hex, 'unsigned_tx_hex'),
)

const SYSTEM = '11111111111111111111111111111111'
/** A `SystemInstruction`. @see https://docs.rs/solana-system-interface/latest/solana_system_interface/instruction/enum.SystemInstruction.html (read 2026-11-21) */
const ADVANCE_NONCE = 4

/** The account that an instruction advances the nonce of. */
function nonceOf(
  first: { readonly program: string; readonly accounts: readonly string[]; readonly data: Buffer } | undefined,
): string | null {
  if (first?.program !== SYSTEM || first.data.length < 4 || first.data.readUInt32LE() !== ADVANCE_NONCE) return null
  return first.accounts[0] ?? null
}

/** Makes a reader of a transaction's bytes, from front to end. @param refuse what is thrown when bytes are missing, or a length is not in its shortest form */
export function reader(bytes: Buffer, refuse: (why: string) => Error) {
  let at = 0
  const take = (length: number, what: string): Buffer => {
    if (length > bytes.length - at) throw refuse(`ends within ${what}: it was cut short`)
    at += length
    return bytes.subarray(at - length, at)
  }
  const byte = (what: string) => take(1, what).readUInt8()
  /** compact-u16: seven bits a byte, lowest first, in as few bytes as possible. */
  const compact = (what: string): number => {
    let value = 0
    for (let i = 0; ; i++) {
      const next = byte(what)
      value |= (next & 0x7f) << (7 * i)
      if (value > 0xffff || (i > 0 && next === 0) || (i === 2 && next >= 0x80))
        throw refuse(`has ${what} in another form than it must have`)
      if (next < 0x80) return value
    }
  }
  return {
    at: () => at,
    take,
    byte,
    compact,
    list: <T>(each: (index: number) => T, what: string): T[] => Array.from({ length: compact(what) }, (_, i) => each(i)),
  }
}
