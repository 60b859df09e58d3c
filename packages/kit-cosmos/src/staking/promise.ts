import { createHash } from 'node:crypto'
import type { Call, Effects } from '@svc/verify'

// What a caller was promised is written here from the request and the settings alone. Nothing in this file is used where messages are
// made, and nothing from there is used here: an error would have to be made twice, in two ways, to go unseen.

/** What the promise is about. */
export interface Promised {
  /** As the caller wrote it, found to be a key before. */
  readonly pubkey: string
  /** Prefix of account addresses. */
  readonly prefix: string
  readonly validator: string
}

/** Moves an amount of a denom from the account into a delegation. */
export function promisedDelegation(of: Promised, denom: string, amount: bigint): Effects {
  const delegator = addressFrom(of.pubkey, of.prefix)
  return signedBy(delegator, {
    target: '/cosmos.staking.v1beta1.MsgDelegate',
    method: 'MsgDelegate(delegator, validator, denom, amount)',
    args: { delegator, validator: of.validator, denom, amount },
    value: amount,
  })
}

/** Starts to unbond an amount. */
export function promisedUnbonding(of: Promised, denom: string, amount: bigint): Effects {
  const delegator = addressFrom(of.pubkey, of.prefix)
  return signedBy(delegator, {
    target: '/cosmos.staking.v1beta1.MsgUndelegate',
    method: 'MsgUndelegate(delegator, validator, denom, amount)',
    args: { delegator, validator: of.validator, denom, amount },
    value: 0n,
  })
}

/** Pays the rewards out. */
export function promisedClaim(of: Promised): Effects {
  const delegator = addressFrom(of.pubkey, of.prefix)
  return signedBy(delegator, {
    target: '/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward',
    method: 'MsgWithdrawDelegatorReward(delegator, validator)',
    args: { delegator, validator: of.validator },
    value: 0n,
  })
}

function signedBy(signer: string, call: Call): Effects {
  return { signers: [signer], calls: [call] }
}

/** Bech32 of ripemd160 of sha256 of the compressed key; of an uncompressed one, the parity of y is its last digit's. */
function addressFrom(pubkey: string, prefix: string): string {
  const digits = /[0-9a-f]+$/.exec(pubkey.trim().toLowerCase())?.[0] ?? ''
  const compressed = digits.length === 130 ? `0${Number.parseInt(digits.at(-1)!, 16) % 2 === 0 ? 2 : 3}${digits.slice(2, 66)}` : digits
  const inner = createHash('sha256').update(compressed, 'hex').digest()
  return bech32(prefix, createHash('ripemd160').update(inner).digest('hex'))
}

const CHARACTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

/** @param hex of 20 bytes, which are 32 groups of five bits @see https://github.com/bitcoin/bips/blob/master/bip-0173.mediawiki (read 2026-11-21) */
function bech32(prefix: string, hex: string): string {
  const number = BigInt(`0x${hex}`)
  const data = Array.from({ length: 32 }, (_, index) => Number((number >> BigInt(5 * (31 - index))) & 31n))
  const codes = Array.from(prefix, (letter) => letter.charCodeAt(0))
  const start = [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)]
  const rest = polynomial([...start, ...data, 0, 0, 0, 0, 0, 0]) ^ 1
  const check = Array.from({ length: 6 }, (_, index) => (rest >> (5 * (5 - index))) & 31)
  return `${prefix}1${[...data, ...check].map((group) => CHARACTERS[group]).join('')}`
}

function polynomial(values: readonly number[]): number {
  const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
  return values.reduce((sum, value) => {
    const shifted = ((sum & 0x1ffffff) << 5) ^ value
    return generators.reduce((mixed, generator, bit) => ((sum >> (25 + bit)) & 1 ? mixed ^ generator : mixed), shifted)
  }, 1)
}
