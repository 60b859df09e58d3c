import { concat, Reader, u32, u64 } from './bytes.ts'
import { fromBase58, toBase58 } from './litesvm.ts'
import { tokenProgram } from './programs.ts'
import type { SvmAccount } from './types.ts'

/** Sizes of accounts of the token program. @see spl-token, state.rs */
const mintSpace = 82
export const tokenSpace = 165
const supplyAt = 36
const amountAt = 64

interface TokenHolding {
  readonly mint: string
  readonly owner: string
  readonly amount: bigint
}

/** Reads mint, owner and amount of a token account; undefined for any other account. */
export function holdingOf(account: SvmAccount | undefined): TokenHolding | undefined {
  if (account === undefined || account.owner !== tokenProgram || account.data.length !== tokenSpace || account.data[108] === 0)
    return undefined
  const reader = new Reader(account.data)
  return { mint: toBase58(reader.take(32)), owner: toBase58(reader.take(32)), amount: reader.u64() }
}

/** Reads a mint's supply, in base units, and its decimals; undefined of an account that is none. */
export function mintOf(account: SvmAccount | undefined): { supply: bigint; decimals: number } | undefined {
  if (account === undefined || account.owner !== tokenProgram || account.data.length !== mintSpace) return undefined
  const reader = new Reader(account.data, supplyAt)
  return { supply: reader.u64(), decimals: reader.u8() }
}

/** Makes a mint with 9 decimals, no freeze authority and no supply. */
export function newMint(authority: string, lamports: bigint): SvmAccount {
  const data = new Uint8Array(mintSpace)
  data.set(concat(u32(1), fromBase58(authority), u64(0n), [9, 1]))
  return { lamports, owner: tokenProgram, data, executable: false }
}

/** Makes an initialised token account without tokens. */
export function newHolding(mint: string, owner: string, lamports: bigint): SvmAccount {
  const data = new Uint8Array(tokenSpace)
  data.set(concat(fromBase58(mint), fromBase58(owner)))
  data[108] = 1
  return { lamports, owner: tokenProgram, data, executable: false }
}

/** Copies a token account with another amount, in base units. */
export function withAmount(account: SvmAccount, amount: bigint): SvmAccount {
  return written(account, amountAt, amount)
}

/** Copies a mint with another supply, in base units. */
export function withSupply(account: SvmAccount, supply: bigint): SvmAccount {
  return written(account, supplyAt, supply)
}

function written(account: SvmAccount, at: number, value: bigint): SvmAccount {
  const data = account.data.slice()
  data.set(u64(value), at)
  return { ...account, data }
}
