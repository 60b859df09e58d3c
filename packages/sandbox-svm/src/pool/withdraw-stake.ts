import { clockSysvar } from '../programs.ts'
import { delegationOf, minimumDelegation, stakeSpace, writtenReserve } from '../stake-account.ts'
import { lamportsPerToken } from './arithmetic.ts'
import {
  addresses,
  checkAuthority,
  checkFresh,
  checkStakeProgram,
  decimalsOf,
  max,
  type PoolCall,
  poolAddress,
  poolOf,
  redeemed,
  type Translation,
  type View,
} from './call.ts'
import { must } from './errors.ts'
import { authorizeStake, burn, splitStake, transferTokens } from './native.ts'
import { type Entry, type Pool, readList, transientStake, validatorStake, writeList, writePool } from './state.ts'

/** Withdraws stake from the pool into an account of the wallet. @throws PoolRefusal with the code of the program */
export function withdrawStakeOf(call: PoolCall, view: View, tokens: bigint, least: bigint | undefined): Translation {
  const [pool, listAddress, authority, source, target, nextAuthority, owner, from, managerFee, mint, clock, token, stake] = addresses(
    call,
    13,
  )
  must(clock === clockSysvar, { shared: 'InvalidArgument' })
  checkStakeProgram(stake)
  const record = poolOf(call, view)
  must(mint === record.mint, 'wrongPoolMint')
  const wrongList = `Invalid validator list provided, expected ${record.validatorList}, received ${listAddress}`
  must(listAddress === record.validatorList, 'invalidValidatorStakeList', wrongList)
  checkAuthority(call, authority)
  must(managerFee === record.managerFee, 'invalidFeeAccount')
  must(token === record.tokenProgram, { shared: 'IncorrectProgramId' })
  checkFresh(record, view)
  const listAccount = view.account(listAddress)
  const list = readList(listAccount?.data ?? new Uint8Array())
  must(list !== undefined, 'invalidState')
  const redemption = redeemed(record, record.stakeWithdrawalFee, tokens, from, view)
  must(redemption.lamports > 0n, 'withdrawalTooSmall')
  must(least === undefined || redemption.lamports >= least, 'exceededSlippage')
  const withdrawal = takeFrom(call, view, record, list.entries, source, redemption.lamports)
  const { fee, burnt } = redemption
  const native = [
    burn(from, mint, owner, burnt),
    splitStake(source, target, authority, withdrawal.lamports),
    authorizeStake(target, authority, nextAuthority, 'staker'),
    authorizeStake(target, authority, nextAuthority, 'withdrawer'),
    ...(fee > 0n ? [transferTokens(from, mint, managerFee, owner, fee, decimalsOf(view, mint))] : []),
  ]
  must(withdrawal.lamports <= record.total, 'calculationFailure')
  const after = { ...record, total: record.total - withdrawal.lamports, supply: max(0n, record.supply - burnt) }
  const changes = new Map([
    [pool, writePool(after)],
    [listAddress, writeList({ ...list, entries: withdrawal.entries })],
  ])
  return { name: 'WithdrawStake', authority: authority, native, changes, moved: new Map([[source, -withdrawal.lamports]]) }
}

/** Finds the stake that a withdrawal may take from, and what the list says after it. */
function takeFrom(
  call: PoolCall,
  view: View,
  record: Pool,
  entries: readonly Entry[],
  source: string,
  lamports: bigint,
): { lamports: bigint; entries: readonly Entry[] } {
  const pool = poolAddress(call.accounts)
  const account = view.account(source)
  const written = writtenReserve(account?.data ?? new Uint8Array())
  must(account !== undefined && account.data.length >= stakeSpace, { shared: 'BorshIoError' })
  must(written !== undefined, 'wrongStakeStake')
  const required = written.reserve + minimumDelegation
  const tolerated = required + lamportsPerToken(record)
  const active = entries.some((entry) => entry.active > tolerated)
  const transient = entries.some((entry) => entry.transient > tolerated)
  if (source === record.reserve) {
    const line = 'Error withdrawing from reserve: validator stake accounts have lamports available, please use those first.'
    must(!active && !transient, 'stakeLamportsNotEqualToMinimum', line)
    must(account.lamports >= written.reserve, 'stakeLamportsNotEqualToMinimum')
    return { lamports, entries }
  }
  const delegation = delegationOf(account.data)
  must(delegation !== undefined, 'wrongStakeStake')
  checkPreferred(record, entries, delegation.voter, tolerated)
  const index = entries.findIndex(({ vote }) => vote === delegation.voter)
  const entry = entries[index]
  must(entry !== undefined, 'validatorNotFound')
  const fromTransient = !active && transient
  const derive = fromTransient ? transientStake(call.program, pool, entry) : validatorStake(call.program, pool, entry)
  const wrong = `Incorrect stake account address for vote ${delegation.voter}, expected ${derive}, received ${source}`
  must(source === derive, 'invalidStakeAccountAddress', fromTransient ? undefined : wrong)
  must(entry.status === 0, 'validatorNotFound', 'Validator is marked for removal and no longer allowing withdrawals')
  if (!active && !transient) {
    // Nothing else is left: only a whole account can be taken.
    const whole = account.lamports
    const margin = lamportsPerToken(record)
    const line = `Cannot withdraw a whole account worth ${lamports} lamports, must withdraw at least ${whole} lamports worth of pool tokens with a margin of ${margin} lamports`
    must(lamports >= whole && lamports <= whole + margin, 'stakeLamportsNotEqualToMinimum', line)
    must(entry.active >= whole, 'calculationFailure')
    const left = `Attempting to remove a validator from the pool, but withdrawal leaves ${entry.active - whole} lamports, update the pool to merge any unaccounted lamports`
    must(entry.active === whole, 'stakeListAndPoolOutOfDate', left)
    return { lamports: whole, entries: entries.with(index, { ...entry, active: 0n, status: 2 }) }
  }
  const line = `Attempting to withdraw ${lamports} lamports from validator account with ${account.lamports} stake lamports, ${required} must remain`
  must(account.lamports - lamports >= required, 'stakeLamportsNotEqualToMinimum', line)
  must((fromTransient ? entry.transient : entry.active) >= lamports, 'calculationFailure')
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
