import { createHash } from 'node:crypto'
import { PublicKey, StakeProgram } from '@svc/solana'
import type { Pool } from '../network.ts'

/** @see https://www.solana-program.com/docs/associated-token-account (read 2026-11-21) */
export const ASSOCIATED_TOKEN_PROGRAM = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')

/** The token account that a wallet has by default for the pool's token. */
export function tokenAccountOf(wallet: string, { mint, tokenProgram }: Pick<Pool, 'mint' | 'tokenProgram'>): PublicKey {
  return derived(ASSOCIATED_TOKEN_PROGRAM, [bytes(wallet), bytes(tokenProgram), bytes(mint)])
}

/** Who signs for a pool. @see https://docs.rs/spl-stake-pool/2.0.1/spl_stake_pool/fn.find_withdraw_authority_program_address.html (read 2026-11-21) */
export function withdrawAuthorityOf({ program, pool }: Pick<Pool, 'program' | 'pool'>): PublicKey {
  const name = `${program} ${pool}`
  const known = authorities.get(name) ?? derived(new PublicKey(program), [bytes(pool), Buffer.from('withdraw')])
  authorities.set(name, known)
  return known
}

/** Of the few pools that the settings name. */
const authorities = new Map<string, PublicKey>()

/**
 * The stake account that a pool has with a validator.
 *
 * @see https://docs.rs/spl-stake-pool/2.0.1/spl_stake_pool/fn.find_stake_program_address.html (read 2026-11-21)
 */
export function validatorStakeOf({ program, pool }: Pick<Pool, 'program' | 'pool'>, vote: string, seed: number): PublicKey {
  const suffix = Buffer.alloc(seed === 0 ? 0 : 4)
  if (seed !== 0) suffix.writeUInt32LE(seed)
  return derived(new PublicKey(program), [bytes(vote), bytes(pool), suffix])
}

/** The stake account that a wallet makes from a seed. @see https://solana.com/docs/core/pda (read 2026-11-21) */
export function seededStakeOf(wallet: string, seed: string): PublicKey {
  // As PublicKey.createWithSeed, which answers later only, and a draft is made at once.
  const digest = createHash('sha256').update(bytes(wallet)).update(seed).update(StakeProgram.programId.toBuffer())
  return new PublicKey(digest.digest())
}

function derived(program: PublicKey, seeds: readonly Buffer[]): PublicKey {
  return PublicKey.findProgramAddressSync([...seeds], program)[0]
}

function bytes(address: string): Buffer {
  return new PublicKey(address).toBuffer()
}
