import { type Claimed, claimedAtMost, type NetworkTerms } from '@svc/verify/intent'
import { rentCeiling } from '@svc/verify/svm'

/** Bytes of a stake account, and of a nonce account. */
export const STAKE_BYTES = 200n
export const NONCE_BYTES = 80n

/** What a node says that an account costs, and never more than it can cost: bytes with more in them do not keep the promise. */
export function promisedRent(said: bigint, bytes: bigint): bigint {
  const ceiling = rentCeiling(bytes)
  return said > ceiling ? ceiling : said
}

/** Lamports beside what was asked for. @param where they are afterwards: a phrase */
export function claimedRent(rent: bigint, bytes: bigint, where: string, network: NetworkTerms): Claimed {
  return claimedAtMost('rent', rent, rentCeiling(bytes), `as no account of ${bytes} bytes has ever cost more, ${where}`, network)
}

/** A seed only ever leads to accounts that are derived from the wallet. */
export function claimedSeed(seed: string, form: RegExp, said: string): Claimed {
  const bound = `${said}; only accounts of the wallet follow from one, and the chain makes none where there is one already`
  return { fact: 'seed', value: seed, bound, holds: form.test(seed) }
}
