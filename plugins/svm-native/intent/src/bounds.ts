import { type Claim, claimedAtMost, type NetworkTerms } from '@svc/verify/intent'
import { rentCeiling } from '@svc/verify/svm'

/** Bytes of a stake account, and of a nonce account. */
export const STAKE_BYTES = 200n
export const NONCE_BYTES = 80n

/** Returns the rent of an account as a node tells it, limited to the highest possible one: bytes with a higher rent then break the promise. */
export function promisedRent(rent: bigint, bytes: bigint): bigint {
  const ceiling = rentCeiling(bytes)
  return rent > ceiling ? ceiling : rent
}

/** Claims the lamports that an account costs besides the requested amount. @param where they are afterwards: a phrase */
export function claimedRent(rent: bigint, bytes: bigint, where: string, network: NetworkTerms): Claim {
  return claimedAtMost('rent', rent, rentCeiling(bytes), `as no account of ${bytes} bytes has ever cost more, ${where}`, network)
}

/** Claims a seed that the service chose. A seed only ever leads to accounts that are derived from the wallet. */
export function claimedSeed(seed: string, form: RegExp, phrase: string): Claim {
  const bound = `${phrase}; only accounts of the wallet follow from one, and the chain makes none where there is one already`
  return { fact: 'seed', value: seed, bound, holds: form.test(seed) }
}
