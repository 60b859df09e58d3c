import { createPublicKey, verify } from 'node:crypto'
import { base58, type SignedTransaction } from './bytes.ts'
import { FREE_STORAGE, GAS_PRICE, LIFE_BLOCKS, PURCHASE_PRICE, runGas, STORAGE_PRICE, sendGas } from './units.ts'

/** What a key may do, as the RPC writes it. */
export type Permission =
  | 'FullAccess'
  | { readonly FunctionCall: { readonly allowance: string | null; readonly receiver_id: string; readonly method_names: readonly string[] } }

interface Key {
  nonce: bigint
  readonly permission: Permission
}

/** An account of the chain, its amounts in yocto. */
export interface Account {
  amount: bigint
  locked: bigint
  storage: bigint
  readonly keys: Map<string, Key>
}

/** A refusal of a transaction, in the words of `InvalidTxError`. */
export class Invalid extends Error {
  readonly error: string | object
  constructor(error: string | object) {
    super(typeof error === 'string' ? error : Object.keys(error).join())
    this.error = error
  }
}

const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

/** State of the chain that a transaction is held against. */
interface ChainNow {
  readonly height: bigint
  /** Height of the block that the transaction names; undefined where there is none. */
  readonly begins: bigint | undefined
  readonly accounts: ReadonlyMap<string, Account>
}

/** Refuses a transaction that the chain would not take, in the order of a node. @throws Invalid @see near/nearcore runtime/runtime/src/verifier.rs (read 2026-11-23) */
export function requireValid(transaction: SignedTransaction, { height, begins, accounts }: ChainNow): void {
  const { signer, key, nonce, receiver, method, gas, deposit, args, digest, signature } = transaction
  if (begins === undefined) throw new Invalid('InvalidChain')
  if (height > begins + LIFE_BLOCKS) throw new Invalid('Expired')
  const publicKey = createPublicKey({ key: Buffer.concat([SPKI, key]), format: 'der', type: 'spki' })
  if (!verify(null, digest, publicKey, signature)) throw new Invalid('InvalidSignature')
  const account = accounts.get(signer)
  if (account === undefined) throw new Invalid({ SignerDoesNotExist: { signer_id: signer } })
  const access = account.keys.get(textOf(key))
  if (access === undefined)
    throw new Invalid({ InvalidAccessKeyError: { AccessKeyNotFound: { account_id: signer, public_key: textOf(key) } } })
  if (nonce <= access.nonce) throw new Invalid({ InvalidNonce: { tx_nonce: Number(nonce), ak_nonce: Number(access.nonce) } })
  if (nonce >= height * 1_000_000n)
    throw new Invalid({ NonceTooLarge: { tx_nonce: Number(nonce), upper_bound: Number(height * 1_000_000n) } })
  const cost = deposit + upfrontOf(method, args, gas)
  if (account.amount < cost)
    throw new Invalid({ NotEnoughBalance: { signer_id: signer, balance: String(account.amount), cost: String(cost) } })
  const bound = account.storage > FREE_STORAGE ? account.storage * STORAGE_PRICE : 0n
  const left = account.amount + account.locked - cost
  if (left < bound) throw new Invalid({ LackBalanceForState: { signer_id: signer, amount: String(bound - left) } })
  if (access.permission === 'FullAccess') return
  const { receiver_id, method_names } = access.permission.FunctionCall
  if (receiver_id !== receiver)
    throw new Invalid({ InvalidAccessKeyError: { ReceiverMismatch: { tx_receiver: receiver, ak_receiver: receiver_id } } })
  if (method_names.length > 0 && !method_names.includes(method))
    throw new Invalid({ InvalidAccessKeyError: { MethodNameMismatch: { method_name: method } } })
  if (deposit > 0n) throw new Invalid({ InvalidAccessKeyError: 'DepositWithFunctionCall' })
}

/** All that leaves the account for gas when a transaction is taken. */
export function upfrontOf(method: string, args: Buffer, gas: bigint): bigint {
  const bytes = BigInt(method.length + args.length)
  return sendGas(bytes) * GAS_PRICE + (runGas(bytes) + gas) * PURCHASE_PRICE
}

/** Key as the RPC writes it. */
export function textOf(key: Buffer): string {
  return `ed25519:${base58(key)}`
}
