import { DecodeError } from '@svc/verify'
import { base58, type Cursor } from '@svc/verify/bytes'
import { isAccount } from './account.ts'
import { KEY_LENGTH, keyText } from './key.ts'

/** One function call, unsigned: all that a transaction of version 0 holds. */
export interface NearTransaction {
  readonly signer: string
  /** The key that must sign: `ed25519:` and base58. */
  readonly key: string
  readonly nonce: bigint
  /** Account whose contract is called. */
  readonly receiver: string
  /** Base58. */
  readonly blockHash: string
  readonly method: string
  readonly args: Uint8Array
  /** Gas attached to the call. */
  readonly gas: bigint
  /** Yocto that go along with the call. */
  readonly deposit: bigint
}

/** Number of Ed25519 among the kinds of keys, and of signatures. @see near/nearcore core/crypto/src/signature.rs (read 2026-11-23) */
export const ED25519 = 0
/** Number of `FunctionCall` among the kinds of actions. @see near/nearcore core/primitives/src/action/mod.rs (read 2026-11-23) */
const FUNCTION_CALL = 2
/** Names of the other kinds, for messages: each of them does something else than staking with a pool. */
const ACTIONS = ['CreateAccount', 'DeployContract', 'FunctionCall', 'Transfer', 'Stake', 'AddKey', 'DeleteKey', 'DeleteAccount', 'Delegate']
const HASH_LENGTH = 32
/** Longest account id, and longest name of a method, in bytes. @see near/nearcore runtime_configs/parameters.snap (read 2026-11-23) */
const MOST_ACCOUNT = 64
const MOST_METHOD = 256

/**
 * Reads an unsigned transaction of version 0 in borsh. Whoever calls it ends the cursor, since a signature may follow.
 *
 * @throws DecodeError unless it is exactly one function call, signed with an Ed25519 key
 * @see https://nomicon.io/RuntimeSpec/Transactions (read 2026-11-23)
 */
export function readTransaction(from: Cursor): NearTransaction {
  const signer = readAccount(from, 'the signer')
  const kind = from.u8('the kind of the key')
  if (kind !== ED25519) throw new DecodeError(`the key is of kind ${kind}; it must be ${ED25519}, Ed25519`)
  const key = keyText(from.bytes(KEY_LENGTH, 'the key'))
  const nonce = from.u64('the nonce')
  const receiver = readAccount(from, 'the receiver')
  const blockHash = base58(from.bytes(HASH_LENGTH, 'the block hash'))
  const count = from.u32('the number of actions')
  // Several actions run as one: an AddKey among them takes the account.
  if (count !== 1) throw new DecodeError(`the transaction has ${count} actions; it must have 1`)
  const action = from.u8('the kind of the action')
  if (action !== FUNCTION_CALL)
    throw new DecodeError(`the action is of kind ${action}, ${ACTIONS[action] ?? 'which is not known here'}; it must be 2, FunctionCall`)
  const method = readText(from, MOST_METHOD, 'the method')
  if (!/^[A-Za-z0-9_]+$/.test(method)) throw new DecodeError('the method has a name of other characters than letters, digits and _')
  const args = from.bytes(from.u32('the length of the arguments'), 'the arguments')
  const gas = from.u64('the gas')
  const deposit = from.u64('the deposit') + (from.u64('the deposit') << 64n)
  return { signer, key, nonce, receiver, blockHash, method, args, gas, deposit }
}

function readAccount(from: Cursor, what: string): string {
  const text = readText(from, MOST_ACCOUNT, what)
  if (isAccount(text)) return text
  throw new DecodeError(`${what} is ${JSON.stringify(text)}; it must be an account id`)
}

function readText(from: Cursor, most: number, what: string): string {
  const length = from.u32(`the length of ${what}`)
  // A transaction of version 1 begins with the byte 1 where one of version 0 has the length of its signer.
  if (length === 0 || length > most)
    throw new DecodeError(`${what} has ${length} bytes; it must have 1 to ${most}, in a transaction of version 0`)
  // Whoever calls takes letters, digits and a few signs, so that each byte is a character.
  return Array.from(from.bytes(length, what), (byte) => String.fromCharCode(byte)).join('')
}
