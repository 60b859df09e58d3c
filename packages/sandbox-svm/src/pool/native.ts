import { concat, u32, u64 } from '../bytes.ts'
import { fromBase58 } from '../litesvm.ts'
import { clockSysvar, stakeHistorySysvar, stakeProgram, system, tokenProgram } from '../programs.ts'

/** An instruction of a program that the engine has. */
export interface Native {
  readonly program: string
  readonly accounts: readonly { readonly address: string; readonly signer: boolean; readonly writable: boolean }[]
  readonly data: Uint8Array
}

const written = (address: string) => ({ address, signer: false, writable: true })
const read = (address: string) => ({ address, signer: false, writable: false })
const signing = (address: string) => ({ address, signer: true, writable: false })

/** Writes the call that moves lamports of a wallet. @see solana-system-interface, Transfer */
export function transfer(from: string, to: string, lamports: bigint): Native {
  return { program: system, accounts: [{ ...written(from), signer: true }, written(to)], data: concat(u32(2), u64(lamports)) }
}

/** Writes the call that mints tokens into a token account; `amount` in base units. @see spl-token, MintTo */
export function mintTo(mint: string, to: string, authority: string, amount: bigint): Native {
  return { program: tokenProgram, accounts: [written(mint), written(to), signing(authority)], data: concat([7], u64(amount)) }
}

/** Writes the call that burns tokens of a token account; `amount` in base units. @see spl-token, Burn */
export function burn(from: string, mint: string, authority: string, amount: bigint): Native {
  return { program: tokenProgram, accounts: [written(from), written(mint), signing(authority)], data: concat([8], u64(amount)) }
}

/** Writes the call that moves tokens between two token accounts; `amount` in base units. @see spl-token, TransferChecked */
export function transferTokens(from: string, mint: string, to: string, authority: string, amount: bigint, decimals: number): Native {
  const accounts = [written(from), read(mint), written(to), signing(authority)]
  return { program: tokenProgram, accounts, data: concat([12], u64(amount), [decimals]) }
}

/**
 * Writes the call that pays lamports out of a stake account; `authority` is its withdrawer.
 *
 * @see solana-stake-interface, Withdraw (read 2026-11-21)
 */
export function withdrawStake(stake: string, to: string, authority: string, lamports: bigint): Native {
  const accounts = [written(stake), written(to), read(clockSysvar), read(stakeHistorySysvar), signing(authority)]
  return { program: stakeProgram, accounts, data: concat(u32(4), u64(lamports)) }
}

/**
 * Writes the call that moves lamports of a stake account into another one, delegation and all; `authority` is its staker.
 *
 * @see solana-stake-interface, Split (read 2026-11-21)
 */
export function splitStake(from: string, to: string, authority: string, lamports: bigint): Native {
  return { program: stakeProgram, accounts: [written(from), written(to), signing(authority)], data: concat(u32(3), u64(lamports)) }
}

/** Writes the call that hands one role over a stake account from `authority` to `next`. @see solana-stake-interface, Authorize (read 2026-11-21) */
export function authorizeStake(stake: string, authority: string, next: string, role: 'staker' | 'withdrawer'): Native {
  const data = concat(u32(1), fromBase58(next), u32(role === 'staker' ? 0 : 1))
  return { program: stakeProgram, accounts: [written(stake), read(clockSysvar), signing(authority)], data }
}

/** Something that always fails, in the place of an instruction that is to fail. */
export const failing: Native = { program: system, accounts: [], data: u32(0xffff_ffff) }
