import { PeriodicVestingAccount } from 'cosmjs-types/cosmos/vesting/v1beta1/vesting'
import { mul, one, quo, round, smaller, toDec } from '../dec.ts'
import type { Vesting } from '../state.ts'

/** Coins that are not free yet, delegated or not. `seconds` is the time of the block. */
function stillVesting(vesting: Vesting, seconds: bigint): bigint {
  return vesting.original - vested(vesting, seconds)
}

/** Computes the coins that may not be sent: those still vesting, and not delegated. */
export function lockedCoins(vesting: Vesting, seconds: bigint): bigint {
  const locked = stillVesting(vesting, seconds) - vesting.delegatedVesting
  return locked > 0n ? locked : 0n
}

/** A period of an account that vests by periods, and what becomes free at its end. */
interface Period {
  readonly seconds: bigint
  readonly amount: bigint
}

/** Lists the periods of an account; none of one that vests in another way. */
export function periodsOf({ periods, original, start, end }: Vesting): readonly Period[] {
  const seconds = (end - start) / BigInt(periods || 1)
  const part = original / BigInt(periods || 1)
  return Array.from({ length: periods }, (_, index) => ({
    seconds: index === periods - 1 ? end - start - seconds * BigInt(periods - 1) : seconds,
    amount: index === periods - 1 ? original - part * BigInt(periods - 1) : part,
  }))
}

/** Counts the bytes that an account's vesting periods take. */
export function periodBytes(vesting: Vesting | undefined, denom: string): bigint {
  if (vesting === undefined || vesting.periods === 0) return 0n
  const vestingPeriods = periodsOf(vesting).map(({ seconds, amount }) => ({ length: seconds, amount: [{ denom, amount: String(amount) }] }))
  return BigInt(PeriodicVestingAccount.encode(PeriodicVestingAccount.fromPartial({ vestingPeriods })).finish().length)
}

/** Records a delegation, which takes vesting coins first. */
export function trackDelegation(vesting: Vesting, amount: bigint, seconds: bigint): Vesting {
  const notFree = smaller(lockedCoins(vesting, seconds), amount)
  return {
    ...vesting,
    delegatedVesting: vesting.delegatedVesting + notFree,
    delegatedFree: vesting.delegatedFree + amount - notFree,
  }
}

/** Records an undelegation, which returns free coins first. */
export function trackUndelegation(vesting: Vesting, amount: bigint): Vesting {
  const free = smaller(vesting.delegatedFree, amount)
  return {
    ...vesting,
    delegatedFree: vesting.delegatedFree - free,
    delegatedVesting: vesting.delegatedVesting - smaller(vesting.delegatedVesting, amount - free),
  }
}

function vested(vesting: Vesting, seconds: bigint): bigint {
  const { kind, original, start, end } = vesting
  if (kind === 'permanent') return 0n
  if (seconds >= end) return original
  if (kind === 'delayed' || seconds <= start) return 0n
  if (kind === 'periodic') return freed(periodsOf(vesting), seconds - start)
  const share = quo(toDec(seconds - start), toDec(end - start))
  return round(share >= one ? toDec(original) : mul(toDec(original), share))
}

/** Adds up what the periods have set free that are over. */
function freed(periods: readonly Period[], passed: bigint): bigint {
  let [free, ends] = [0n, 0n]
  for (const { seconds, amount } of periods) {
    ends += seconds
    if (ends > passed) break
    free += amount
  }
  return free
}
