import { keyOf, programAddress } from '@svc/verify/svm'
import { associatedToken } from './layouts.ts'
import { poolOf } from './pool.ts'
import type { Terms } from './terms.ts'

// Addresses that follow from the wallet, the pool and the programs.

/** Derives the wallet's account of the pool's token. */
export function tokenAccountFor(terms: Terms, wallet: string): string {
  const { mint, tokenProgram } = poolOf(terms)
  return programAddress(associatedToken.address, [keyOf(wallet), keyOf(tokenProgram), keyOf(mint)])
}

/** Derives the address that signs for the pool. */
export function authorityOf(terms: Terms): string {
  const { pool, program } = poolOf(terms)
  return programAddress(program, [keyOf(pool), new TextEncoder().encode('withdraw')])
}

/** Derives the pool's stake account with a validator. @param seed suffix of its seeds; none where it is 0 */
export function validatorStakeFor(terms: Terms, vote: string, seed: number): string {
  const { pool, program } = poolOf(terms)
  const number = Uint8Array.of(seed & 255, (seed >>> 8) & 255, (seed >>> 16) & 255, seed >>> 24)
  return programAddress(program, [keyOf(vote), keyOf(pool), ...(seed === 0 ? [] : [number])])
}
