import { Reader } from '../bytes.ts'
import { clockSysvar, stakeProgram, system } from '../programs.ts'
import { delegationOf, minimumDelegation, writtenReserve } from '../stake-account.ts'
import { holdingOf, mintOf } from '../tokens.ts'
import type { SvmAccount, SvmFee } from '../types.ts'
import { feeOf, lamportsFor, lamportsPerToken, tokensFor } from './arithmetic.ts'
import { must, PoolRefusal } from './errors.ts'
import { authorizeStake, burn, mintTo, type Native, splitStake, transfer, transferTokens, withdrawStake } from './native.ts'
import {
  type Entry,
  type Pool,
  readList,
  readPool,
  transientStake,
  validatorStake,
  withdrawAuthority,
  writeList,
  writePool,
} from './state.ts'

/** An instruction to the pool program, with what its account list says of each. */
export interface PoolCall {
  readonly program: string
  readonly accounts: readonly { readonly address: string; readonly signer: boolean; readonly writable: boolean }[]
  readonly data: Uint8Array
}

/** What the chain is when a call is looked at. */
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

/** Instructions by their first byte; those with slippage have a second amount. */
const names: Readonly<Record<number, readonly [name: 'WithdrawStake' | 'DepositSol' | 'WithdrawSol', slippage: boolean]>> = {
  10: ['WithdrawStake', false],
  14: ['DepositSol', false],
  16: ['WithdrawSol', false],
  24: ['WithdrawStake', true],
  25: ['DepositSol', true],
  26: ['WithdrawSol', true],
}
const runs = { WithdrawStake: withdrawStakeOf, DepositSol: depositSolOf, WithdrawSol: withdrawSolOf }

/**
 * What a call to the stake pool program comes to: its checks in its order, and the instructions it would send on.
 *
 * @throws PoolRefusal with the code of the program
 * @see https://github.com/solana-program/stake-pool program/src/processor.rs of version 2 (read 2026-11-21)
 */
export function translate(call: PoolCall, view: View): Translation {
  const name = nameOf(call)
  must(
    name !== undefined,
    { shared: 'InvalidInstructionData' },
    "the sandbox's stand-in has DepositSol, WithdrawSol and WithdrawStake only",
  )
  const slippage = names[call.data[0]!]![1]
  must(call.data.length >= (slippage ? 17 : 9), { shared: 'BorshIoError' })
  const reader = new Reader(call.data, 1)
  return runs[name](call, view, reader.u64(), slippage ? reader.u64() : undefined)
}

export function nameOf({ data }: PoolCall): 'WithdrawStake' | 'DepositSol' | 'WithdrawSol' | undefined {
  return names[data[0] ?? -1]?.[0]
}

function depositSolOf(call: PoolCall, view: View, lamports: bigint, least: bigint | undefined): Translation {
  const [pool, authority, reserve, from, to, managerFee, referrer, mint, systemProgram, token] = addresses(call, 10)
  const record = poolOf(call, view)
  checkAuthority(call, authority!)
  checkSolAuthority(call, record.solDepositAuthority, 10, 'invalidSolDepositAuthority')
  must(mint === record.mint, 'wrongPoolMint')
  must(reserve === record.reserve, 'invalidProgramAddress')
  must(token === record.tokenProgram && systemProgram === system, { shared: 'IncorrectProgramId' })
  must(managerFee === record.managerFee, 'invalidFeeAccount')
  checkFresh(record, view)
  const minted = tokensFor(record, lamports)
  const fee = feeOf(record.solDepositFee, minted)
  const referral = (fee * BigInt(record.solReferral)) / 100n
  const user = minted - fee
  must(user > 0n, 'depositTooSmall')
  must(least === undefined || user >= least, 'exceededSlippage')
  const shares = [
    [to!, user],
    [managerFee, fee - referral],
    [referrer!, referral],
  ] as const
  const native = [
    ...(from === reserve ? [] : [transfer(from!, reserve, lamports)]),
    ...shares.filter(([, amount]) => amount > 0n).map(([account, amount]) => mintTo(mint, account, authority!, amount)),
  ]
  const after = { ...record, total: record.total + lamports, supply: record.supply + minted }
  const moved = new Map([[reserve, lamports]])
  return { name: 'DepositSol', authority: authority!, native, changes: new Map([[pool!, writePool(after)]]), moved }
}

function withdrawSolOf(call: PoolCall, view: View, tokens: bigint, least: bigint | undefined): Translation {
  const [pool, authority, owner, from, reserve, to, managerFee, mint, , , stake, token] = addresses(call, 12)
  const record = poolOf(call, view)
  checkAuthority(call, authority!)
  checkSolAuthority(call, record.solWithdrawAuthority, 12, 'invalidSolWithdrawAuthority')
  must(mint === record.mint, 'wrongPoolMint')
  must(reserve === record.reserve, 'invalidProgramAddress')
  must(token === record.tokenProgram && stake === stakeProgram, { shared: 'IncorrectProgramId' })
  must(managerFee === record.managerFee, 'invalidFeeAccount')
  checkFresh(record, view)
  const { fee, burnt, lamports } = redeemed(record, record.solWithdrawalFee, tokens, from!, view)
  must(lamports > 0n, 'withdrawalTooSmall')
  must(least === undefined || lamports >= least, 'exceededSlippage')
  const reserveAccount = view.account(reserve)
  const written = writtenReserve(reserveAccount?.data ?? new Uint8Array())
  must(written !== undefined && !written.delegated, 'wrongStakeStake', 'Reserve stake account not in intialized state')
  const available = max(0n, reserveAccount!.lamports - written.reserve)
  const line = `Attempting to withdraw ${lamports} lamports, maximum possible SOL withdrawal is ${available} lamports`
  must(lamports <= available, 'solWithdrawalTooLarge', line)
  const native = [
    burn(from!, mint, owner!, burnt),
    ...(fee > 0n ? [transferTokens(from!, mint, managerFee, owner!, fee, decimalsOf(view, mint))] : []),
    withdrawStake(reserve, to!, authority!, lamports),
  ]
  const after = { ...record, total: record.total - lamports, supply: record.supply - burnt }
  const moved = new Map([[reserve, -lamports]])
  return { name: 'WithdrawSol', authority: authority!, native, changes: new Map([[pool!, writePool(after)]]), moved }
}

function withdrawStakeOf(call: PoolCall, view: View, tokens: bigint, least: bigint | undefined): Translation {
  const [pool, listAddress, authority, source, target, nextAuthority, owner, from, managerFee, mint, clock, token, stake] = addresses(
    call,
    13,
  )
  must(clock === clockSysvar, { shared: 'InvalidArgument' })
  must(stake === stakeProgram, { shared: 'IncorrectProgramId' })
  const record = poolOf(call, view)
  must(mint === record.mint, 'wrongPoolMint')
  must(listAddress === record.validatorList, 'invalidValidatorStakeList')
  checkAuthority(call, authority!)
  must(managerFee === record.managerFee, 'invalidFeeAccount')
  must(token === record.tokenProgram, { shared: 'IncorrectProgramId' })
  checkFresh(record, view)
  const listAccount = view.account(listAddress)
  const list = readList(listAccount?.data ?? new Uint8Array())
  must(list !== undefined, 'invalidState')
  const redemption = redeemed(record, record.stakeWithdrawalFee, tokens, from!, view)
  must(redemption.lamports > 0n, 'withdrawalTooSmall')
  must(least === undefined || redemption.lamports >= least, 'exceededSlippage')
  const taken = takeFrom(call, view, record, list.entries, source!, redemption.lamports)
  const { fee, burnt } = redemption
  const native = [
    burn(from!, mint, owner!, burnt),
    splitStake(source!, target!, authority!, taken.lamports),
    authorizeStake(target!, authority!, nextAuthority!, 'staker'),
    authorizeStake(target!, authority!, nextAuthority!, 'withdrawer'),
    ...(fee > 0n ? [transferTokens(from!, mint, managerFee, owner!, fee, decimalsOf(view, mint))] : []),
  ]
  const after = { ...record, total: record.total - taken.lamports, supply: record.supply - burnt }
  const changes = new Map([
    [pool!, writePool(after)],
    [listAddress, writeList({ ...list, entries: taken.entries })],
  ])
  return { name: 'WithdrawStake', authority: authority!, native, changes, moved: new Map([[source!, -taken.lamports]]) }
}

/** Which stake a withdrawal may take from, and what the list says after it. */
function takeFrom(
  call: PoolCall,
  view: View,
  record: Pool,
  entries: readonly Entry[],
  source: string,
  lamports: bigint,
): { lamports: bigint; entries: readonly Entry[] } {
  const pool = call.accounts[0]!.address
  const account = view.account(source)
  const written = writtenReserve(account?.data ?? new Uint8Array())
  must(written !== undefined, 'wrongStakeStake')
  const required = written.reserve + minimumDelegation
  const tolerated = required + lamportsPerToken(record)
  const active = entries.some((entry) => entry.active > tolerated)
  const transient = entries.some((entry) => entry.transient > tolerated)
  if (source === record.reserve) {
    const line = 'Error withdrawing from reserve: validator stake accounts have lamports available, please use those first.'
    must(!active && !transient, 'stakeLamportsNotEqualToMinimum', line)
    must(account!.lamports >= written.reserve, 'stakeLamportsNotEqualToMinimum')
    return { lamports, entries }
  }
  const delegation = delegationOf(account!.data)
  must(delegation !== undefined, 'wrongStakeStake')
  checkPreferred(record, entries, delegation.voter, tolerated)
  const index = entries.findIndex(({ vote }) => vote === delegation.voter)
  const entry = entries[index]
  must(entry !== undefined, 'validatorNotFound')
  const fromTransient = !active && transient
  const derive = fromTransient ? transientStake(call.program, pool, entry) : validatorStake(call.program, pool, entry)
  must(source === derive, 'invalidStakeAccountAddress')
  must(entry.status === 0, 'validatorNotFound', 'Validator is marked for removal and no longer allowing withdrawals')
  if (!active && !transient) {
    // Nothing else is left: only a whole account can be taken.
    const whole = account!.lamports
    const fits = lamports >= whole && lamports <= whole + lamportsPerToken(record)
    must(fits, 'stakeLamportsNotEqualToMinimum', `Cannot withdraw a whole account worth ${lamports} lamports`)
    must(entry.active === whole, 'stakeListAndPoolOutOfDate')
    return { lamports: whole, entries: entries.with(index, { ...entry, active: 0n, status: 2 }) }
  }
  const line = `Attempting to withdraw ${lamports} lamports from validator account with ${account!.lamports} stake lamports, ${required} must remain`
  must(account!.lamports - lamports >= required, 'stakeLamportsNotEqualToMinimum', line)
  const left = fromTransient ? { ...entry, transient: entry.transient - lamports } : { ...entry, active: entry.active - lamports }
  return { lamports, entries: entries.with(index, left) }
}

function checkPreferred({ preferredWithdraw }: Pool, entries: readonly Entry[], vote: string, tolerated: bigint): void {
  if (preferredWithdraw === undefined) return
  const preferred = entries.find((entry) => entry.vote === preferredWithdraw)
  must(preferred !== undefined, 'validatorNotFound')
  const line = `Validator vote address ${preferredWithdraw} is preferred for withdrawals, it currently has ${preferred.active} lamports available. Please withdraw those before using other validator stake accounts.`
  must(vote === preferredWithdraw || preferred.active <= tolerated, 'incorrectWithdrawVoteAddress', line)
}

function addresses({ accounts }: PoolCall, count: number): readonly string[] {
  must(accounts.length >= count, { shared: 'NotEnoughAccountKeys' })
  return accounts.map(({ address }) => address)
}

function poolOf({ program, accounts }: PoolCall, view: View): Pool {
  const account = view.account(accounts[0]!.address)
  must(account !== undefined && account.owner === program, { shared: 'IncorrectProgramId' })
  const pool = readPool(account.data)
  must(pool !== undefined, 'invalidState')
  return pool
}

function checkAuthority({ program, accounts }: PoolCall, authority: string): void {
  must(authority === withdrawAuthority(program, accounts[0]!.address).address, 'invalidProgramAddress')
}

function checkSolAuthority(
  { accounts }: PoolCall,
  wanted: string | undefined,
  at: number,
  inner: 'invalidSolDepositAuthority' | 'invalidSolWithdrawAuthority',
): void {
  if (wanted === undefined) return
  const given = accounts[at]
  must(given !== undefined, { shared: 'NotEnoughAccountKeys' })
  must(given.address === wanted, inner)
  must(given.signer, 'signatureMissing')
}

function checkFresh({ lastUpdate }: Pool, { epoch }: View): void {
  must(lastUpdate >= epoch, 'stakeListAndPoolOutOfDate')
}

/** What comes out for pool tokens. There is no fee on what the fee account itself redeems, nor without a fee account. */
function redeemed(pool: Pool, rate: SvmFee, tokens: bigint, from: string, view: View): { fee: bigint; burnt: bigint; lamports: bigint } {
  const free = from === pool.managerFee || holdingOf(view.account(pool.managerFee))?.mint !== pool.mint
  const fee = free ? 0n : feeOf(rate, tokens)
  const burnt = tokens - fee
  if (burnt < 0n) throw new PoolRefusal('withdrawalTooSmall')
  return { fee, burnt, lamports: lamportsFor(pool, burnt) }
}

function decimalsOf(view: View, mint: string): number {
  return mintOf(view.account(mint))?.decimals ?? 9
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
