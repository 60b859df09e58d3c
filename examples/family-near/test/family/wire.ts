import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { Wallet } from '@svc/conformance'

/** A wallet of the tests. */
export interface NearTestWallet extends Wallet {
  readonly key: KeyObject
}

/** What a craft answers. */
export interface Craft {
  readonly unsigned_tx_hex: string
  readonly unsigned_tx_b64: string
  readonly signing_hash_hex: string
  readonly tx_hash: string
}

/** The fields of a transaction as its bytes have them, each as it stands there. */
export interface Fields {
  readonly signer: string
  readonly keyKind: number
  readonly key: Buffer
  readonly nonce: bigint
  readonly receiver: string
  readonly blockHash: Buffer
  readonly method: string
  readonly args: string
  readonly gas: bigint
  readonly deposit: bigint
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

export function base58(bytes: Buffer): string {
  const digits: number[] = []
  for (const byte of bytes) {
    let carry = byte
    for (let i = 0; i < digits.length; i++) {
      carry += (digits[i] ?? 0) << 8
      digits[i] = carry % 58
      carry = Math.floor(carry / 58)
    }
    for (; carry > 0; carry = Math.floor(carry / 58)) digits.push(carry % 58)
  }
  const zeros = [...bytes].findIndex((byte) => byte !== 0)
  return (
    '1'.repeat(zeros === -1 ? bytes.length : zeros) +
    digits
      .reverse()
      .map((digit) => ALPHABET.charAt(digit))
      .join('')
  )
}

export function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** Takes unsigned bytes apart. */
export function read(hex: string): Fields {
  const bytes = Buffer.from(hex, 'hex')
  let at = 0
  const take = (length: number) => {
    at += length
    return bytes.subarray(at - length, at)
  }
  const word = () => take(take(4).readUInt32LE()).toString()
  const signer = word()
  const keyKind = take(1).readUInt8()
  const [key, nonce, receiver, blockHash] = [take(32), take(8).readBigUInt64LE(), word(), take(32)]
  take(5)
  const [method, args, gas] = [word(), word(), take(8).readBigUInt64LE()]
  const deposit = take(8).readBigUInt64LE() + (take(8).readBigUInt64LE() << 64n)
  return { signer, keyKind, key, nonce, receiver, blockHash, method, args, gas, deposit }
}

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
export const u64 = (value: bigint) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt.asUintN(64, value))
  return bytes
}
const word = (text: string) => Buffer.concat([u32(Buffer.byteLength(text)), Buffer.from(text)])

/** An action of the kind FunctionCall. */
export const actionOf = ({ method, args, gas, deposit }: Fields) =>
  Buffer.concat([Buffer.of(2), word(method), word(args), u64(gas), u64(deposit), u64(deposit >> 64n)])

/** @param actions in place of the one of the fields */
export function write(fields: Fields, actions: readonly Buffer[] = [actionOf(fields)]): Buffer {
  const { signer, keyKind, key, nonce, receiver, blockHash } = fields
  const head = [word(signer), Buffer.of(keyKind), key, u64(nonce), word(receiver), blockHash, u32(actions.length)]
  return Buffer.concat([...head, ...actions])
}

/** Every form of a craft, of these bytes. */
export function craftOf(bytes: Buffer): Craft {
  const hash = digest(bytes)
  return {
    unsigned_tx_hex: bytes.toString('hex'),
    unsigned_tx_b64: bytes.toString('base64'),
    signing_hash_hex: hash.toString('hex'),
    tx_hash: base58(hash),
  }
}

const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** A key that follows from words. */
export function keyPair(words: string): { readonly key: KeyObject; readonly publicKey: Buffer } {
  const seed = createHash('sha256').update(words).digest()
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
  return { key, publicKey: createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32) }
}

export function signatureOf(bytes: Buffer, key: KeyObject): string {
  return sign(null, digest(bytes), key).toString('hex')
}
