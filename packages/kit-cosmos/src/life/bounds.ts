import type { Bounds, ValidUntil } from '@svc/contract'
import { AuthInfo, TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Static } from 'typebox'
import type { ChainAccounts, CosmosChain } from '../chain.ts'
import { badRequest } from '../codes.ts'
import { readSignedTx } from '../names.ts'
import { accountOfKey, keyIn } from '../public-key.ts'
import { readSigned } from '../transaction.ts'
import type { CosmosWire } from '../wire.ts'
import { deedOf } from './deed.ts'

/** Limits that end a transaction, from its bytes. */
export interface Ends {
  /** Address of the first signer. */
  readonly wallet: string
  /** Sequence that the transaction uses; null for an unordered transaction, which uses none. */
  readonly sequence: bigint | null
  /** Height of the last block that can contain the transaction. */
  readonly timeoutHeight: bigint | null
  /** Latest time of a block that can contain the transaction. */
  readonly timeoutAt: Date | null
  /**
   * Fee that its bytes take from the wallet, in base units of the chain's token: all of it is charged when the checks are passed. null where they name another token, no
   * fee, or somebody else who pays.
   */
  readonly fee: bigint | null
}

/**
 * Reads the bounds of a transaction's life from its signed bytes: sequence, timeouts and fee of its first signer, and what the transaction does. Where there are
 * several signers, a transaction that has ended for one of them has ended for all.
 *
 * @throws 400 TRANSACTION_INVALID where its signer's key is not in it, or is none of a single account
 */
export function cosmosBounds(chain: OfChain, body: Static<CosmosWire['broadcast']>): Bounds {
  const signed = readSignedTx(body)
  const { wallet, ...ends } = endsOf(chain, signed)
  const { sequence, timeoutHeight, timeoutAt, fee } = ends
  return {
    wallet,
    validUntil: validUntilOf(ends),
    facts: {
      ...(sequence === null ? {} : { sequence: String(sequence) }),
      ...(timeoutHeight === null ? {} : { timeout_height: String(timeoutHeight) }),
      ...(timeoutAt === null ? {} : { timeout_at: timeoutAt.toISOString() }),
      ...(fee === null ? {} : { fee: String(fee) }),
      does: deedOf(signed.tx),
    },
  }
}

/** Returns the validity of a crafted transaction: it has no timeout, so that its sequence alone ends it. @param terms as `assemble` noted them */
export function craftedUntil({ sequence }: Readonly<Record<string, string | bigint>>): ValidUntil {
  if (sequence === undefined) throw new TypeError('terms.sequence is missing; it is what ends a transaction')
  return { kind: 'sequence', value: String(sequence), estimatedAt: null }
}

/** Returns the sooner end that the bytes name. A time is exact, and blocks come when they come. */
function validUntilOf({ sequence, timeoutHeight, timeoutAt }: Omit<Ends, 'wallet' | 'fee'>): ValidUntil {
  if (timeoutHeight !== null) return { kind: 'block_height', value: String(timeoutHeight), estimatedAt: timeoutAt }
  if (sequence === null) return { kind: 'block_height', value: null, estimatedAt: timeoutAt }
  return { kind: 'sequence', value: String(sequence), estimatedAt: timeoutAt }
}

/** Data of a chain by which accounts and fees are recognised. */
type OfChain = ChainAccounts & Pick<CosmosChain, 'denom'>

/** Finds the signer of a transaction of the chain, and what ends it. Null for bytes that are none, or whose first signer has no key of a single account. */
export function signerOf(chain: OfChain, tx: Uint8Array): Pick<Ends, 'wallet' | 'sequence' | 'fee'> | null {
  try {
    return endsOf(chain, readSigned(tx))
  } catch {
    return null
  }
}

function endsOf(
  chain: OfChain,
  { bodyBytes, authInfoBytes }: { readonly bodyBytes: Uint8Array; readonly authInfoBytes: Uint8Array },
): Ends {
  const { timeoutHeight, timeoutTimestamp, unordered } = TxBody.decode(bodyBytes)
  const {
    signerInfos: [signer],
    fee,
  } = AuthInfo.decode(authInfoBytes)
  const key = keyIn(chain, signer?.publicKey)
  if (!signer || key === null)
    throw badRequest(
      'TRANSACTION_INVALID',
      'signed_tx_hex does not name the key of its first signer, so that nothing is known of its sequence.',
    )
  const { seconds = 0n, nanos = 0 } = timeoutTimestamp ?? {}
  const timeout = seconds * 1000n + BigInt(Math.ceil(nanos / 1_000_000))
  const wallet = accountOfKey(chain, key).address
  return {
    wallet,
    sequence: unordered ? null : signer.sequence,
    timeoutHeight: timeoutHeight > 0n ? timeoutHeight : null,
    fee: isPaidBy(wallet, fee) ? feeOf(fee?.amount ?? [], chain.denom) : null,
    timeoutAt: timeout > 0n && timeout <= LAST_TIME ? new Date(Number(timeout)) : null,
  }
}

/**
 * Tells whether a fee is taken from a wallet that signs first: no other signer pays it, and nobody has granted it.
 *
 * @see https://github.com/cosmos/cosmos-sdk/blob/v0.53.8/x/auth/ante/fee.go (checkDeductFee; read 2026-11-28)
 */
function isPaidBy(wallet: string, { payer = '', granter = '' }: { readonly payer?: string; readonly granter?: string } = {}): boolean {
  return [payer, granter].every((other) => other === '' || other === wallet)
}

function feeOf([coin, ...others]: readonly { readonly denom: string; readonly amount: string }[], denom: string): bigint | null {
  if (coin === undefined || others.length > 0 || coin.denom !== denom || !/^\d{1,78}$/.test(coin.amount)) return null
  return BigInt(coin.amount)
}

/** Last millisecond that a Date has. @see https://tc39.es/ecma262/#sec-time-values-and-time-range (read 2026-11-22) */
const LAST_TIME = 8_640_000_000_000_000n
