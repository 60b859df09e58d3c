import type { Intent } from '@svc/verify/intent'

type Family = Intent['family']
type Decoded = ReturnType<Family['decode']>
type Mismatch = NonNullable<ReturnType<NonNullable<Family['together']>>>

const UNTOLD = { path: 'replaces', expected: 'a family that tells which transactions exclude each other', found: 'one that does not' }
const SIGNERS = { path: 'replaces', expected: 'a transaction of the same signer on the same chain', found: 'another one' }

/** Compares a transaction with the earlier one that it replaces. @returns why both could land; null where one at most ever can */
export function bothLand({ together }: Pick<Family, 'together'>, earlier: Decoded, now: Decoded, isOthers: boolean): Mismatch | null {
  return isOthers ? SIGNERS : together ? together(earlier, now) : UNTOLD
}

/**
 * Decodes the earlier craft that another one replaces, and compares the two by all that their bytes name. The first signer is the wallet: a stake on Solana is signed by the
 * new account besides, which is another one in each craft. The bytes of EVM name no signer: that both are of one wallet is the caller's word.
 *
 * @returns as `bothLand`
 * @throws DecodeError
 */
export function bothLandByBytes(
  { family, layouts }: Pick<Intent, 'family' | 'layouts'>,
  earlierCraft: unknown,
  terms: Parameters<Family['decode']>[2],
  headers: Parameters<Family['decode']>[3],
  now: Decoded,
): Mismatch | null {
  const earlier = family.decode(earlierCraft, layouts(terms), terms, headers)
  const isOthers = earlier.chainId !== now.chainId || earlier.signers?.[0] !== now.signers?.[0]
  return bothLand(family, earlier, now, isOthers)
}
