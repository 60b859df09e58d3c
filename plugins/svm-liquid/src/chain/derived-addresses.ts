import { createHash } from 'node:crypto'
import { PublicKey, StakeProgram } from '@svc/solana'
import type { Pool } from '../network.ts'

/** @see https://www.solana-program.com/docs/associated-token-account (read 2026-11-21) */
export const ASSOCIATED_TOKEN_PROGRAM = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')

/** Derives the token account that a wallet has by default for the pool's token. */
export function tokenAccountOf(wallet: string, { mint, tokenProgram }: Pick<Pool, 'mint' | 'tokenProgram'>): PublicKey {
  return derived(ASSOCIATED_TOKEN_PROGRAM, [bytes(wallet), bytes(tokenProgram), bytes(mint)])
}

/** Derives the address that signs for a pool. @see https://docs.rs/spl-stake-pool/2.0.1/spl_stake_pool/fn.find_withdraw_authority_program_address.html (read 2026-11-21) */
export function withdrawAuthorityOf({ program, pool }: Pick<Pool, 'program' | 'pool'>): PublicKey {
  return derived(new PublicKey(program), [bytes(pool), Buffer.from('withdraw')])
}

/** Derives the stake account that a pool has with a validator. @see https://docs.rs/spl-stake-pool/2.0.1/spl_stake_pool/fn.find_stake_program_address.html (read 2026-11-21) */
export function validatorStakeOf({ program, pool }: Pick<Pool, 'program' | 'pool'>, vote: string, seed: number): PublicKey {
  const suffix = Buffer.alloc(seed === 0 ? 0 : 4)
  if (seed !== 0) suffix.writeUInt32LE(seed)
  return derived(new PublicKey(program), [bytes(vote), bytes(pool), suffix])
}

/** Derives the stake account that a wallet makes from a seed. @see https://solana.com/docs/core/pda (read 2026-11-21) */
export function seededStakeOf(wallet: string, seed: string): PublicKey {
  // As PublicKey.createWithSeed, which answers later only, and a draft is made at once.
  const digest = createHash('sha256').update(bytes(wallet)).update(seed).update(StakeProgram.programId.toBuffer())
  return new PublicKey(digest.digest())
}

/**
 * Number of addresses that are remembered: a craft needs the same few up to three times within its waves, so that this is enough for some eighty crafts at
 * once. Callers choose the wallets, so the number must have a limit.
 */
const REMEMBERED = 256
/** Addresses by program and seeds, the oldest first. */
const addresses = new Map<string, PublicKey>()

/** Searches an address that no key signs for, which takes a third of a millisecond; it follows from program and seeds alone. */
function derived(program: PublicKey, seeds: readonly Buffer[]): PublicKey {
  const name = [program.toBuffer(), ...seeds].map((part) => part.toString('hex')).join()
  const earlier = addresses.get(name)
  if (earlier) return earlier
  const [address] = PublicKey.findProgramAddressSync([...seeds], program)
  const [oldest] = addresses.size >= REMEMBERED ? addresses.keys() : []
  if (oldest !== undefined) addresses.delete(oldest)
  addresses.set(name, address)
  return address
}

function bytes(address: string): Buffer {
  return new PublicKey(address).toBuffer()
}
