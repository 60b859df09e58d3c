import { createHash } from 'node:crypto'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Writes base58. */
export function base58(bytes: Uint8Array): string {
  let rest = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  while (rest > 0n) {
    text = ALPHABET.charAt(Number(rest % 58n)) + text
    rest /= 58n
  }
  for (const byte of bytes) {
    if (byte !== 0) break
    text = `1${text}`
  }
  return text
}

/** Hashes the parts as if they stood in one piece; texts as UTF-8. Returns 32 bytes. */
export function sha256(...parts: readonly (Uint8Array | string)[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** A signed transaction as the node takes it apart. */
export interface SignedTransaction {
  readonly hash: string
  readonly digest: Buffer
  readonly signer: string
  readonly key: Buffer
  readonly nonce: bigint
  readonly receiver: string
  readonly blockHash: string
  readonly method: string
  readonly args: Buffer
  readonly gas: bigint
  readonly deposit: bigint
  readonly signature: Buffer
}

/** Reads a signed transaction of one function call; null for anything else, which this node does not run. */
export function readSigned(bytes: Buffer): SignedTransaction | null {
  let at = 0
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new RangeError('cut')
    at += length
    return bytes.subarray(at - length, at)
  }
  const little = (length: number) => take(length).reduceRight((sum, byte) => (sum << 8n) + BigInt(byte), 0n)
  const block = () => take(Number(little(4)))
  try {
    const signer = block().toString()
    if (little(1) !== 0n) return null
    const [key, nonce, receiver, hash] = [take(32), little(8), block().toString(), take(32)]
    if (little(4) !== 1n || little(1) !== 2n) return null
    const [method, args, gas, deposit] = [block().toString(), block(), little(8), little(16)]
    const digest = sha256(bytes.subarray(0, at))
    if (little(1) !== 0n) return null
    const signature = take(64)
    if (at !== bytes.length) return null
    return { hash: base58(digest), digest, signer, key, nonce, receiver, blockHash: base58(hash), method, args, gas, deposit, signature }
  } catch {
    return null
  }
}
