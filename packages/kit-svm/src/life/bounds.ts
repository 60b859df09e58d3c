import type { Bounds, Life, ValidUntil } from '@svc/contract'
import type { Static } from 'typebox'
import { base58, lengthOfBase58 } from '../base58.ts'
import type { SvmClient } from '../client.ts'
import { badRequest } from '../codes.ts'
import { LIFE_BLOCKS, SLOT_SECONDS } from '../epochs.ts'
import { LAST_HEIGHT } from '../last-height.ts'
import { readSigned } from '../names.ts'
import type { SvmSettings } from '../settings.ts'
import { readUnsigned, SIGNATURE_LENGTH, type Transaction } from '../transaction.ts'
import type { SvmWire } from '../wire.ts'

type SvmLife = Life<SvmClient, SvmWire, SvmSettings>

/** Fewest and most digits of 64 bytes in base58. */
const DIGITS = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/

/** Checks a transaction's hash, which is its first signature, and returns it. @throws 400 TX_HASH_INVALID */
export const hash: SvmLife['hash'] = (text) => {
  if (DIGITS.test(text) && lengthOfBase58(text) === SIGNATURE_LENGTH) return text
  throw badRequest(
    'TX_HASH_INVALID',
    `"${text.slice(0, 100)}" is not a transaction hash of this chain: that is its first signature, base58 of ${SIGNATURE_LENGTH} bytes.`,
  )
}

/** Reads the bounds from signed bytes: the block hash, whose last valid height they do not tell, or the nonce account and its value. */
export const bounds: SvmLife['bounds'] = (body) => boundsOf(readSigned(body).signed)

function boundsOf({ signers, lifetime, nonceAccount }: Transaction): Bounds {
  const [payer] = signers
  if (payer === undefined) throw new Error('expected a signer who pays')
  const wallet = base58(payer)
  if (nonceAccount === null) {
    return { wallet, validUntil: { kind: 'block_height', value: null, estimatedAt: null }, facts: { blockhash: lifetime } }
  }
  return { wallet, validUntil: untilNonce(nonceAccount, lifetime), facts: { nonce_account: nonceAccount, nonce: lifetime } }
}

/** Returns the validity of a crafted transaction: the last height of its block hash, about a minute from now at the chain's pace, or its nonce, which has no time. */
export const validUntil: SvmLife['validUntil'] = (unsigned: Static<SvmWire['unsigned']>, _network, terms, now) => {
  const { lifetime, nonceAccount } = readUnsigned(unsigned)
  if (nonceAccount !== null) return untilNonce(nonceAccount, lifetime)
  const { [LAST_HEIGHT]: height } = terms
  return untilHeight(height === undefined ? null : BigInt(height), BigInt(LIFE_BLOCKS), now)
}

/**
 * Writes the end of a transaction's validity, a block height, for callers.
 *
 * @param last height; null where it is not known
 * @param left blocks until then
 */
export function untilHeight(last: bigint | null, left: bigint, now: Date): ValidUntil {
  const estimatedAt = last === null ? null : new Date(now.getTime() + Number(left) * SLOT_SECONDS * 1000)
  return { kind: 'block_height', value: last === null ? null : String(last), estimatedAt }
}

function untilNonce(account: string, value: string): ValidUntil {
  return { kind: 'nonce_account', value: `${account}=${value}`, estimatedAt: null }
}
