import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { present } from '../../present.ts'

/** An account as one instruction names it. */
export interface AccountUse {
  readonly key: Buffer
  readonly signer: boolean
  readonly writable: boolean
}

export interface Instruction {
  readonly program: Buffer
  readonly accounts: readonly AccountUse[]
  readonly data: Buffer
}

/** A message as its bytes have it: indices into the keys, unresolved. @see https://solana.com/docs/core/transactions/transaction-structure (read 2026-11-21) */
export interface Message {
  /** Signers, read-only signers, other read-only accounts. */
  readonly header: readonly [number, number, number]
  readonly keys: readonly Buffer[]
  readonly blockhash: Buffer
  readonly instructions: readonly { readonly program: number; readonly accounts: readonly number[]; readonly data: Buffer }[]
}

export interface Transaction {
  readonly signatures: readonly Buffer[]
  readonly message: Message
}

export const EMPTY = Buffer.alloc(64)

/** Reads a transaction from its hex text. @throws RangeError when the bytes are cut */
export function readTransaction(hex: string): Transaction {
  const bytes = Buffer.from(hex, 'hex')
  let at = 0
  const take = (length: number) => {
    if (at + length > bytes.length) throw new RangeError('the transaction is cut')
    at += length
    return bytes.subarray(at - length, at)
  }
  const byte = () => take(1).readUInt8()
  const length = () => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const next = byte()
      value |= (next & 0x7f) << shift
      if (next < 0x80) return value
    }
  }
  const list = <T>(each: () => T): T[] => Array.from({ length: length() }, each)
  const signatures = list(() => take(64))
  const header = [byte(), byte(), byte()] as const
  const keys = list(() => take(32))
  const blockhash = take(32)
  const instructions = list(() => ({ program: byte(), accounts: list(byte), data: take(length()) }))
  return { signatures, message: { header, keys, blockhash, instructions } }
}

/** Writes the bytes of a message, which are what is signed. */
export function writeMessage({ header, keys, blockhash, instructions }: Message): Buffer {
  return Buffer.concat([
    Buffer.from(header),
    compact(keys.length),
    ...keys,
    blockhash,
    compact(instructions.length),
    ...instructions.flatMap(({ program, accounts, data }) => [
      Buffer.from([program]),
      compact(accounts.length),
      Buffer.from(accounts),
      compact(data.length),
      data,
    ]),
  ])
}

/** Writes a transaction as the hexadecimal of `unsigned_tx_hex`: its signatures, zeros where nobody has signed, and the message. */
export function writeTransaction({ signatures, message }: Transaction): string {
  return Buffer.concat([compact(signatures.length), ...signatures, writeMessage(message)]).toString('hex')
}

/** compact-u16. */
function compact(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest >>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest])
    bytes.push((rest & 0x7f) | 0x80)
  }
}

/** Returns the key that pays the fee: the first one. */
export function payerOf({ message }: Transaction): Buffer {
  return keyAt(message.keys, 0)
}

function keyAt(keys: readonly Buffer[], index: number): Buffer {
  return present(keys[index], `a key ${index} of ${keys.length}`)
}

/** Resolves the instructions of a message, with the keys and roles of their accounts. */
export function resolve({ header: [signers, readonlySigners, readonlyOthers], keys, instructions }: Message): readonly Instruction[] {
  const use = (index: number): AccountUse => ({
    key: keyAt(keys, index),
    signer: index < signers,
    writable: index < signers ? index < signers - readonlySigners : index < keys.length - readonlyOthers,
  })
  return instructions.map(({ program, accounts, data }) => ({ program: keyAt(keys, program), accounts: accounts.map(use), data }))
}

/** Writes a transaction with other instructions: accounts are sorted and counted anew, and existing signatures kept. @param payer the first signer */
export function compile(original: Transaction, instructions: readonly Instruction[], payer: Buffer = payerOf(original)): Transaction {
  const roles = new Map<string, { key: Buffer; signer: boolean; writable: boolean }>()
  const add = ({ key, signer, writable }: AccountUse) => {
    const previous = roles.get(key.toString('hex'))
    roles.set(key.toString('hex'), { key, signer: signer || previous?.signer === true, writable: writable || previous?.writable === true })
  }
  add({ key: payer, signer: true, writable: true })
  for (const { accounts } of instructions) for (const account of accounts) add(account)
  for (const { program } of instructions) add({ key: program, signer: false, writable: false })
  const all = [...roles.values()]
  const signing = all.filter(({ signer }) => signer).sort((a, b) => Number(b.writable) - Number(a.writable))
  const others = all.filter(({ signer }) => !signer).sort((a, b) => Number(b.writable) - Number(a.writable))
  const keys = [...signing, ...others].map(({ key }) => key)
  const indexOf = (goal: Buffer) => keys.findIndex((key) => key.equals(goal))
  const message: Message = {
    header: [signing.length, signing.filter(({ writable }) => !writable).length, others.filter(({ writable }) => !writable).length],
    keys,
    blockhash: original.message.blockhash,
    instructions: instructions.map(({ program, accounts, data }) => ({
      program: indexOf(program),
      accounts: accounts.map(({ key }) => indexOf(key)),
      data,
    })),
  }
  const signatureOf = (target: Buffer) => original.signatures[original.message.keys.findIndex((key) => key.equals(target))] ?? EMPTY
  return { signatures: signing.map(({ key }) => signatureOf(key)), message }
}

export interface KeyPair {
  readonly publicKey: Buffer
  sign(message: Buffer): Buffer
}

/** Derives the ed25519 key pair of a name, always the same. DER prefixes: https://www.rfc-editor.org/rfc/rfc8410 (read 2026-11-21). */
export function keyPair(name: string): KeyPair {
  const seed = createHash('sha256').update(name).digest()
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
  const key: KeyObject = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
  return { publicKey, sign: (message) => sign(null, message, key) }
}
