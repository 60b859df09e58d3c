import { mul, one, quo, round, smaller, toDec } from '../dec.ts'
import type { Vesting } from '../state.ts'

/** Coins that are not free yet, delegated or not. `seconds` is the time of the block. */
function stillVesting(vesting: Vesting, seconds: bigint): bigint {
  return vesting.original - vested(vesting, seconds)
}

/** Coins that may not be sent: not free yet, and not delegated. */
export function lockedCoins(vesting: Vesting, seconds: bigint): bigint {
  const locked = stillVesting(vesting, seconds) - vesting.delegatedVesting
  return locked > 0n ? locked : 0n
}

/** Delegating takes coins that are not free first. */
export function trackDelegation(vesting: Vesting, amount: bigint, seconds: bigint): Vesting {
  const notFree = smaller(lockedCoins(vesting, seconds), amount)
  return {
    ...vesting,
    delegatedVesting: vesting.delegatedVesting + notFree,
    delegatedFree: vesting.delegatedFree + amount - notFree,
  }
}

/** Undelegating gives free coins back first. */
export function trackUndelegation(vesting: Vesting, amount: bigint): Vesting {
  const free = smaller(vesting.delegatedFree, amount)
  return {
    ...vesting,
    delegatedFree: vesting.delegatedFree - free,
    delegatedVesting: vesting.delegatedVesting - smaller(vesting.delegatedVesting, amount - free),
  }
}

function vested({ kind, original, start, end }: Vesting, seconds: bigint): bigint {
  if (kind === 'permanent') return 0n
  if (seconds >= end) return original
  if (kind === 'delayed' || seconds <= start) return 0n
  const share = quo(toDec(seconds - start), toDec(end - start))
  return round(share >= one ? toDec(original) : mul(toDec(original), share))
}
