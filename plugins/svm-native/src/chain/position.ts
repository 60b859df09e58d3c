import type { StakedObject } from '@svc/contract'
import { activationAt } from './activation.ts'
import type { Now } from './now.ts'
import { type Delegation, type Lockup, NEVER, type StakeAccount } from './stake-account.ts'

/** Last second that a date of four digits can show. */
const LAST_SECOND = 253_402_300_799n
/** Last epoch that a number of JSON holds exactly. Anybody can make a stake account for a wallet, under a lockup until any epoch of 64 bits. */
const LAST_EPOCH = BigInt(Number.MAX_SAFE_INTEGER)

/** Tells whether a lockup is in force. One that was never set is not, and one whose end is now is over. */
export function lockedNow({ unixTimestamp, epoch }: Lockup, { clock }: Now): boolean {
  return unixTimestamp > clock.unixTimestamp || epoch > clock.epoch
}

/** Tells whether a lockup prevents the owner from withdrawing: an owner who is its custodian too signs for both. */
export function heldBack({ lockup, withdrawer }: StakeAccount, now: Now): boolean {
  return lockup.custodian !== withdrawer && lockedNow(lockup, now)
}

/** Returns the phase of a delegation. In each phase the whole principal counts, as the network's own tools show it. */
export function phaseOf(delegation: Delegation, { clock, history }: Now): 'activating' | 'active' | 'deactivating' | 'withdrawable' {
  const { activationEpoch, deactivationEpoch } = delegation
  const { effective, activating } = activationAt(delegation, clock.epoch, history)
  if (deactivationEpoch !== NEVER) return effective > 0n ? 'deactivating' : 'withdrawable'
  // Accounts and clock come from two calls: one delegated in an epoch that the clock does not know yet is not active.
  const early = activationEpoch !== NEVER && activationEpoch > clock.epoch
  return activating > 0n || early ? 'activating' : 'active'
}

/**
 * Makes an object of the balance from a stake account. While it is delegated, its amount is the delegation, without rent reserve and later deposits; afterwards it is the
 * whole balance. Lamports held back by a lockup are deactivating until it ends, and so is everything while the chain pays out the rewards of an epoch, since a withdrawal
 * would be refused.
 *
 * @param account null: its data could not be read
 */
export function objectOf(id: string, lamports: bigint, account: StakeAccount | null, now: Now): StakedObject {
  const shared = { id, type: 'delegation', holds: lamports, rewards: null } as const
  if (!account)
    return {
      ...shared,
      status: 'unknown',
      amount: null,
      validator: null,
      activationEpoch: null,
      withdrawableEpoch: null,
      withdrawableAt: null,
    }
  const { delegation, lockup } = account
  const phase = delegation ? phaseOf(delegation, now) : 'withdrawable'
  const isHeld = heldBack(account, now)
  return {
    ...shared,
    status: phase === 'withdrawable' && (isHeld || now.paying) ? 'deactivating' : phase,
    // What cools down in parts can be withdrawn in parts, and the delegation still says what it was.
    amount: delegation && phase !== 'withdrawable' ? min(delegation.stake, lamports) : lamports,
    validator: delegation?.voter ?? null,
    activationEpoch: !delegation || delegation.activationEpoch === NEVER ? null : Number(delegation.activationEpoch + 1n),
    withdrawableEpoch: withdrawableEpoch(account, phase === 'deactivating', isHeld, now),
    withdrawableAt:
      isHeld && lockup.unixTimestamp > now.clock.unixTimestamp ? new Date(Number(min(lockup.unixTimestamp, LAST_SECOND)) * 1000) : null,
  }
}

/** First epoch in which a withdrawal may succeed; null while nothing was deactivated and no epoch is waited for. */
function withdrawableEpoch({ delegation, lockup }: StakeAccount, deactivating: boolean, isHeld: boolean, { clock }: Now): number | null {
  const locked = isHeld && lockup.epoch > clock.epoch ? lockup.epoch : 0n
  if (!delegation) return locked > 0n ? Number(min(locked, LAST_EPOCH)) : null
  const { activationEpoch, deactivationEpoch } = delegation
  if (deactivationEpoch === NEVER) return null
  const released = activationEpoch === deactivationEpoch ? deactivationEpoch : deactivationEpoch + 1n
  // Where the cluster's limit held it up, the next epoch is the first that can bring it.
  const cooled = deactivating && released <= clock.epoch ? clock.epoch + 1n : released
  return Number(min(locked > cooled ? locked : cooled, LAST_EPOCH))
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
