import { type Assembly, type KitContext, requireFee, requireFunds, type Token, tokensText } from '@svc/contract'
import { unanswered } from '@svc/contract/rpc'
import type { Static } from 'typebox'
import { from32Base58, toBase58 } from './base58.ts'
import { writeTransaction } from './borsh.ts'
import { type AccessKey, type Account, MOST_PRICE, type NearClient, NONCES_OF_A_BLOCK } from './client.ts'
import { badRequest } from './codes.ts'
import type { NearPreflight } from './preflight.ts'
import type { NearSettings } from './settings.ts'
import { digestOf } from './signed.ts'
import type { NearWire } from './wire.ts'

/** A call in NEAR's own words. */
export interface NearDraft {
  readonly signer: string
  /** Account whose contract is called. */
  readonly receiver: string
  readonly method: string
  /** JSON without spaces. */
  readonly args: string
  /** Yocto that go along. */
  readonly deposit: bigint
}

/** Names the term that says how high the block of the block hash is, which no byte does. */
export const HEIGHT = 'blockHeight'

const TERA = 1_000_000_000_000n
/** Least price at which gas is bought; the difference to the price of the day comes back. @see https://github.com/near/NEPs (NEP-642, read 2026-11-23) */
const LEAST_PURCHASE = 1_000_000_000n
/** Gas of a function call beside what is attached. @see near/nearcore runtime/runtime/src/config.rs `transaction_costs` (read 2026-11-23) */
const sendGas = (bytes: bigint) => 308_059_500_000n + 47_683_715n * bytes
const runGas = (bytes: bigint) => 888_059_500_000n + 2_235_934n * bytes
/** Yocto that each byte of storage binds, and bytes of an account that binds none. @see near/nearcore verifier.rs, NEP-448 (read 2026-11-23) */
const STORAGE_PRICE = 10n ** 19n
const FREE_STORAGE = 770n

/**
 * Makes the bytes of a draft. NEAR simulates no transaction, so that what the chain would refuse is worked out here: the key's rights, and what the account
 * must hold.
 *
 * @throws 400 KEY_RESTRICTED, INSUFFICIENT_BALANCE; 503 FEE_ABOVE_CAP
 */
export async function assembleNear(
  { network }: KitContext<NearClient, NearSettings>,
  draft: NearDraft,
  preflight: Promise<NearPreflight>,
): Promise<Assembly<Static<NearWire['unsigned']>>> {
  const { key, access, account, gasPrice } = await preflight
  const { signer, receiver, method, args, deposit } = draft
  const gas = BigInt(network.gas_tgas) * TERA
  const bytes = BigInt(Buffer.byteLength(method + args))
  const run = runGas(bytes) + gas
  requireFee((sendGas(bytes) + run) * MOST_PRICE, network)
  const upfront = sendGas(bytes) * gasPrice + run * (gasPrice > LEAST_PURCHASE ? gasPrice : LEAST_PURCHASE)
  requireRight(draft, key.text, access, upfront, network)
  requireCover(draft, account, upfront, network)

  const nonce = access.nonce + 1n
  const blockHash = from32Base58(access.blockHash)
  // Neither can be by what the client lets through.
  if (blockHash === null || nonce >= access.blockHeight * NONCES_OF_A_BLOCK) throw unanswered(access).refusal
  const transaction = writeTransaction({ signer, key: key.bytes, nonce, receiver, blockHash, method, args, gas, deposit })
  const digest = digestOf(transaction)
  return {
    unsigned: {
      unsigned_tx_hex: transaction.toString('hex'),
      unsigned_tx_b64: transaction.toString('base64'),
      signing_hash_hex: digest.toString('hex'),
      tx_hash: toBase58(digest),
    },
    terms: { nonce, blockHash: access.blockHash, gas, [HEIGHT]: access.blockHeight },
  }
}

/** A key with limits may call what it is for, with nothing sent along. @throws 400 KEY_RESTRICTED, INSUFFICIENT_BALANCE */
function requireRight(
  { signer, receiver, method, deposit }: NearDraft,
  key: string,
  { permission }: AccessKey,
  upfront: bigint,
  token: Token,
): void {
  if (permission.kind === 'full') return
  const refuse = (why: string) => badRequest('KEY_RESTRICTED', `The key ${key} of ${signer} ${why}; sign with a key with full access.`)
  if (permission.kind === 'other') throw refuse('is a gas key, which signs transactions of another version')
  if (permission.receiver !== receiver) throw refuse(`is for calls of ${permission.receiver} and not of ${receiver}`)
  if (permission.methods.length > 0 && !permission.methods.includes(method)) throw refuse(`may not call ${method}`)
  if (deposit > 0n) throw refuse('may send nothing along')
  if (permission.allowance !== null && permission.allowance < upfront)
    throw refuse(`has an allowance of ${tokensText(permission.allowance, token)}, and the gas is bought for ${tokensText(upfront, token)}`)
}

/** @throws 400 INSUFFICIENT_BALANCE */
function requireCover({ signer, deposit }: NearDraft, { amount, locked, storage }: Account, upfront: bigint, token: Token): void {
  requireFunds({ address: signer, holds: amount, amount: deposit, fee: upfront }, token)
  const bound = storage > FREE_STORAGE ? storage * STORAGE_PRICE : 0n
  const left = amount + locked - deposit - upfront
  if (left >= bound) return
  throw badRequest(
    'INSUFFICIENT_BALANCE',
    `${signer} would be left with ${tokensText(left, token)}, and its ${storage} bytes of storage bind ${tokensText(bound, token)}.`,
  )
}
