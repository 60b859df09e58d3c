import { present } from '@svc/sandbox'
import { stakeProgram, system } from '../programs.ts'
import { holdingOf, mintOf } from '../tokens.ts'
import type { SvmAccount, SvmFee } from '../types.ts'
import { feeOf, lamportsFor } from './arithmetic.ts'
import { must } from './errors.ts'
import type { Native } from './native.ts'
import { type Pool, readPool, withdrawAuthority } from './state.ts'

/** An instruction to the pool program, with what its account list says of each. */
export interface PoolCall {
  readonly program: string
  readonly accounts: readonly { readonly address: string; readonly signer: boolean; readonly writable: boolean }[]
  readonly data: Uint8Array
}

/** State of the chain when a call is looked at. */
export interface View {
  readonly epoch: bigint
  account(address: string): SvmAccount | undefined
}

/** A call in instructions of other programs, and what the pool program writes itself. */
export interface Translation {
  readonly name: string
  readonly authority: string
  readonly native: readonly Native[]
  /** Data that the program writes. */
  readonly changes: ReadonlyMap<string, Uint8Array>
  /** Lamports that its accounts gain or lose, for what stands behind it in the transaction. */
  readonly moved: ReadonlyMap<string, bigint>
}

/** Most that 64 bits hold. */
export const mostUnits = 2n ** 64n - 1n

/** `Count` addresses. */
type Addresses<Count extends number, Found extends readonly string[] = readonly []> = Found['length'] extends Count
  ? Found
  : Addresses<Count, readonly [...Found, string]>

/** Returns the addresses of the accounts of a call. @throws PoolRefusal when it has fewer than `count` */
export function addresses<Count extends number>({ accounts }: PoolCall, count: Count): Addresses<Count> {
  const list = accounts.map(({ address }) => address)
  must(hasAll(list, count), { shared: 'NotEnoughAccountKeys' })
  return list
}

function hasAll<Count extends number>(list: readonly string[], count: Count): list is Addresses<Count> {
  return list.length >= count
}

/** Returns the address of the pool, which is the first of the accounts in every call. */
export function poolAddress(accounts: PoolCall['accounts']): string {
  return present(accounts[0], 'the account of a pool').address
}

/** Reads the pool that a call is about. @throws PoolRefusal when the account is not the program's, or holds no pool */
export function poolOf({ program, accounts }: PoolCall, view: View): Pool {
  const account = view.account(poolAddress(accounts))
  const owner = account?.owner ?? system
  const line = `Expected account to be owned by program ${program}, received ${owner}`
  must(account !== undefined && owner === program, { shared: 'IncorrectProgramId' }, line)
  const pool = readPool(account.data)
  must(pool !== undefined, 'invalidState')
  return pool
}

/** Refuses a withdraw authority that is not derived from the pool. @throws PoolRefusal */
export function checkAuthority({ program, accounts }: PoolCall, authority: string): void {
  const expected = withdrawAuthority(program, poolAddress(accounts)).address
  must(authority === expected, 'invalidProgramAddress', `Incorrect authority provided, expected ${expected}, received ${authority}`)
}

/** Refuses a reserve that is another account than the pool's. @throws PoolRefusal */
export function checkReserve({ reserve: expected }: Pool, reserve: string): void {
  must(reserve === expected, 'invalidProgramAddress', `Invalid reserve stake provided, expected ${expected}, received ${reserve}`)
}

/**
 * Refuses a call that the pool's authority over SOL did not sign; passes where the pool has none.
 *
 * @param at place of the authority among the accounts
 * @param inner code with which it is refused
 * @throws PoolRefusal
 */
export function checkSolAuthority(
  { accounts }: PoolCall,
  authority: string | undefined,
  at: number,
  inner: 'invalidSolDepositAuthority' | 'invalidSolWithdrawAuthority',
): void {
  if (authority === undefined) return
  const account = accounts[at]
  must(account !== undefined, { shared: 'NotEnoughAccountKeys' })
  const isDeposit = inner === 'invalidSolDepositAuthority'
  must(account.address === authority, inner, isDeposit ? `Expected ${authority}, received ${account.address}` : undefined)
  must(account.signer, 'signatureMissing', `SOL ${isDeposit ? 'Deposit' : 'withdraw'} authority signature missing`)
}

/** Refuses a pool whose totals were not brought up to date in this epoch. @throws PoolRefusal */
export function checkFresh({ lastUpdate }: Pool, { epoch }: View): void {
  must(lastUpdate >= epoch, 'stakeListAndPoolOutOfDate')
}

/** Computes fee, burnt tokens and lamports of a redemption of pool tokens. There is no fee on tokens that the fee account itself redeems, nor without a fee account. */
export function redeemed(
  pool: Pool,
  rate: SvmFee,
  tokens: bigint,
  from: string,
  view: View,
): { fee: bigint; burnt: bigint; lamports: bigint } {
  const free = from === pool.managerFee || holdingOf(view.account(pool.managerFee))?.mint !== pool.mint
  const fee = free ? 0n : feeOf(rate, tokens)
  const burnt = tokens - fee
  must(burnt >= 0n, 'calculationFailure')
  return { fee, burnt, lamports: calculated(lamportsFor(pool, burnt)) }
}

/** Checks that a computed number fits 64 bits, and returns it. @throws PoolRefusal */
export function calculated(units: bigint): bigint {
  must(units <= mostUnits, 'calculationFailure')
  return units
}

/** Refuses any other program in the place of the stake program. @throws PoolRefusal */
export function checkStakeProgram(address: string): void {
  must(address === stakeProgram, { shared: 'IncorrectProgramId' }, `Expected stake program ${stakeProgram}, received ${address}`)
}

/** Reads the decimals of a mint, as the transfer of its tokens has to state them; 9 where there is no mint, which that transfer then refuses. */
export function decimalsOf(view: View, mint: string): number {
  return mintOf(view.account(mint))?.decimals ?? 9
}

/** Returns the larger number. */
export function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

/** Returns the smaller number. */
export function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
