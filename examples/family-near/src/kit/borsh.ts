/** A transaction with one function call, before it is bytes. */
export interface Unsigned {
  readonly signer: string
  /** Ed25519, 32 bytes. */
  readonly key: Buffer
  readonly nonce: bigint
  readonly receiver: string
  /** 32 bytes. */
  readonly blockHash: Buffer
  readonly method: string
  /** JSON. */
  readonly args: string
  readonly gas: bigint
  /** Yocto. */
  readonly deposit: bigint
}

/** Kinds of keys and signatures, and of actions. @see near/nearcore core/crypto/src/signature.rs, core/primitives/src/action/mod.rs (read 2026-11-23) */
const ED25519 = 0
const FUNCTION_CALL = 2

/** Writes a transaction of version 0 in borsh. @see https://nomicon.io/RuntimeSpec/Transactions (read 2026-11-23) */
export function writeTransaction({ signer, key, nonce, receiver, blockHash, method, args, gas, deposit }: Unsigned): Buffer {
  return Buffer.concat([
    text(signer),
    Buffer.from([ED25519]),
    key,
    integer(nonce, 8),
    text(receiver),
    blockHash,
    integer(1n, 4),
    Buffer.from([FUNCTION_CALL]),
    text(method),
    text(args),
    integer(gas, 8),
    integer(deposit, 16),
  ])
}

/** Puts a signature behind a transaction. */
export function writeSigned(transaction: Buffer, signature: Buffer): Buffer {
  return Buffer.concat([transaction, Buffer.from([ED25519]), signature])
}

/** A transaction that somebody has passed on, and what is behind it. */
export interface Read {
  readonly transaction: Unsigned
  readonly bytes: Buffer
  /** null: nothing is behind it. */
  readonly signature: Buffer | null
}

const SIGNATURE = 64

/** Takes a transaction apart, signed or not. @throws RangeError for what is no single function call with an Ed25519 key */
export function readTransaction(given: Buffer): Read {
  let at = 0
  const take = (length: number) => {
    if (length > given.length - at) throw new RangeError('it ends early')
    at += length
    return given.subarray(at - length, at)
  }
  const number = (length: number) => BigInt(`0x${Buffer.from(take(length)).reverse().toString('hex')}`)
  const words = () => take(Number(number(4))).toString('utf8')
  const expect = (found: bigint, right: number, what: string) => {
    if (found !== BigInt(right)) throw new RangeError(`${what} is ${found}; it must be ${right}`)
  }
  const signer = words()
  expect(number(1), ED25519, 'the kind of its key')
  const key = take(32)
  const nonce = number(8)
  const receiver = words()
  const blockHash = take(32)
  expect(number(4), 1, 'the number of its actions')
  expect(number(1), FUNCTION_CALL, 'the kind of its action')
  const transaction = { signer, key, nonce, receiver, blockHash, method: words(), args: words(), gas: number(8), deposit: number(16) }
  const bytes = given.subarray(0, at)
  // Texts that are no UTF-8 come back as others.
  if (!writeTransaction(transaction).equals(bytes)) throw new RangeError('it is not in its canonical form')
  if (at === given.length) return { transaction, bytes, signature: null }
  expect(number(1), ED25519, 'the kind of its signature')
  const signature = take(SIGNATURE)
  if (at < given.length) throw new RangeError('something is behind it')
  return { transaction, bytes, signature }
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'utf8')
  return Buffer.concat([integer(BigInt(bytes.length), 4), bytes])
}

/** @throws RangeError for a value that does not fit, in place of one that was cut */
function integer(value: bigint, length: number): Buffer {
  if (value < 0n || value >> BigInt(8 * length) !== 0n) throw new RangeError(`${value} does not fit in ${length} bytes`)
  return Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex').reverse()
}
