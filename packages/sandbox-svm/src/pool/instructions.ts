import { Reader } from '../bytes.ts'
import { system } from '../programs.ts'
import { writtenReserve } from '../stake-account.ts'
import { feeOf, tokensFor } from './arithmetic.ts'
import {
  addresses,
  calculated,
  checkAuthority,
  checkFresh,
  checkReserve,
  checkSolAuthority,
  checkStakeProgram,
  decimalsOf,
  max,
  min,
  mostUnits,
  type PoolCall,
  poolOf,
  redeemed,
  type Translation,
  type View,
} from './call.ts'
import { must } from './errors.ts'
import { burn, mintTo, transfer, transferTokens, withdrawStake } from './native.ts'
import { writePool } from './state.ts'
import { withdrawStakeOf } from './withdraw-stake.ts'

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
 * Translates a call to the stake pool program: its checks in its order, and the instructions it would send on.
 *
 * @throws PoolRefusal with the code of the program
 * @see https://github.com/solana-program/stake-pool program/src/processor.rs of version 2 (read 2026-11-21)
 */
export function translate(call: PoolCall, view: View): Translation {
  const instruction = names[call.data[0] ?? -1]
  must(
    instruction !== undefined,
    { shared: 'InvalidInstructionData' },
    "the sandbox's stand-in has DepositSol, WithdrawSol and WithdrawStake only",
  )
  const [name, slippage] = instruction
  must(call.data.length >= (slippage ? 17 : 9), { shared: 'BorshIoError' })
  const reader = new Reader(call.data, 1)
  return runs[name](call, view, reader.u64(), slippage ? reader.u64() : undefined)
}

/** Names the instruction of a call by its first byte; undefined of one that the stand-in does not have. */
export function nameOf({ data }: PoolCall): 'WithdrawStake' | 'DepositSol' | 'WithdrawSol' | undefined {
  return names[data[0] ?? -1]?.[0]
}

/** Returns the name of the call in the program's log. */
export function labelOf(call: PoolCall): string {
  const [name, slippage] = names[call.data[0] ?? -1] ?? ['unknown', false]
  return slippage ? `${name}WithSlippage` : name
}

function depositSolOf(call: PoolCall, view: View, lamports: bigint, least: bigint | undefined): Translation {
  const [pool, authority, reserve, from, to, managerFee, referrer, mint, systemProgram, token] = addresses(call, 10)
  const record = poolOf(call, view)
  checkAuthority(call, authority)
  checkSolAuthority(call, record.solDepositAuthority, 10, 'invalidSolDepositAuthority')
  must(mint === record.mint, 'wrongPoolMint')
  checkReserve(record, reserve)
  must(token === record.tokenProgram, { shared: 'IncorrectProgramId' })
  must(systemProgram === system, { shared: 'IncorrectProgramId' }, `Expected system program ${system}, received ${systemProgram}`)
  must(managerFee === record.managerFee, 'invalidFeeAccount')
  checkFresh(record, view)
  const minted = calculated(tokensFor(record, lamports))
  const fee = feeOf(record.solDepositFee, minted)
  const referral = (fee * BigInt(record.solReferral)) / 100n
  const user = minted - fee
  must(user > 0n, 'depositTooSmall')
  must(least === undefined || user >= least, 'exceededSlippage')
  const shares = [
    [to, user],
    [managerFee, fee - referral],
    [referrer, referral],
  ] as const
  const native = [
    ...(from === reserve ? [] : [transfer(from, reserve, lamports)]),
    ...shares.filter(([, amount]) => amount > 0n).map(([account, amount]) => mintTo(mint, account, authority, amount)),
  ]
  // More than 64 bits hold no wallet has, so that the transfer fails before the program finds out.
  const after = { ...record, total: min(record.total + lamports, mostUnits), supply: min(record.supply + minted, mostUnits) }
  const moved = new Map([[reserve, lamports]])
  return { name: 'DepositSol', authority: authority, native, changes: new Map([[pool, writePool(after)]]), moved }
}

function withdrawSolOf(call: PoolCall, view: View, tokens: bigint, least: bigint | undefined): Translation {
  const [pool, authority, owner, from, reserve, to, managerFee, mint, , , stake, token] = addresses(call, 12)
  const record = poolOf(call, view)
  checkAuthority(call, authority)
  checkSolAuthority(call, record.solWithdrawAuthority, 12, 'invalidSolWithdrawAuthority')
  must(mint === record.mint, 'wrongPoolMint')
  checkReserve(record, reserve)
  must(token === record.tokenProgram, { shared: 'IncorrectProgramId' })
  checkStakeProgram(stake)
  must(managerFee === record.managerFee, 'invalidFeeAccount')
  checkFresh(record, view)
  const { fee, burnt, lamports } = redeemed(record, record.solWithdrawalFee, tokens, from, view)
  must(lamports > 0n, 'withdrawalTooSmall')
  must(least === undefined || lamports >= least, 'exceededSlippage')
  const reserveAccount = view.account(reserve)
  const written = writtenReserve(reserveAccount?.data ?? new Uint8Array())
  must(
    reserveAccount !== undefined && written !== undefined && !written.delegated,
    'wrongStakeStake',
    'Reserve stake account not in intialized state',
  )
  const available = max(0n, reserveAccount.lamports - written.reserve)
  const line = `Attempting to withdraw ${lamports} lamports, maximum possible SOL withdrawal is ${available} lamports`
  must(lamports <= available, 'solWithdrawalTooLarge', line)
  must(lamports <= record.total, 'calculationFailure')
  const native = [
    burn(from, mint, owner, burnt),
    ...(fee > 0n ? [transferTokens(from, mint, managerFee, owner, fee, decimalsOf(view, mint))] : []),
    withdrawStake(reserve, to, authority, lamports),
  ]
  const after = { ...record, total: record.total - lamports, supply: max(0n, record.supply - burnt) }
  const moved = new Map([[reserve, -lamports]])
  return { name: 'WithdrawSol', authority: authority, native, changes: new Map([[pool, writePool(after)]]), moved }
}
