import type { Control } from '@svc/contract/control'
import type { Lockup, StakeAccount } from './stake-account.ts'

/** Last second that a date of four digits can show. */
const LAST_SECOND = 253_402_300_799n

/**
 * Lists the powers over a stake account that are not its owner's: of another withdrawer, who owns its lamports; of another staker, who may delegate, deactivate, split and
 * merge it; of the custodian of a lockup, without whom nobody withdraws until it has ended. A lockup without an end binds nobody, and its custodian can do nothing. An
 * owner who is custodian can lift the lockup, so that it is not listed.
 *
 * @param owner the wallet whose position it is
 * @returns the withdrawer first
 * @see https://docs.rs/solana-stake-interface/latest/solana_stake_interface/state/struct.Lockup.html (read 2026-11-29)
 */
export function powersOver(
  id: string,
  { staker, withdrawer, lockup }: Pick<StakeAccount, 'staker' | 'withdrawer' | 'lockup'>,
  owner: string,
): readonly Control[] {
  const shared = { objectId: id, terms: null } as const
  const terms = endOf(lockup)
  return [
    ...(withdrawer === owner ? [] : [{ ...shared, aspect: 'withdrawer', holder: withdrawer }]),
    ...(staker === owner ? [] : [{ ...shared, aspect: 'staker', holder: staker }]),
    ...(terms === null || lockup.custodian === owner ? [] : [{ ...shared, aspect: 'lockup', holder: lockup.custodian, terms }]),
  ]
}

/** The end of a lockup in words; null where none was set. */
function endOf({ unixTimestamp, epoch }: Lockup): string | null {
  const seconds = unixTimestamp < LAST_SECOND ? unixTimestamp : LAST_SECOND
  const ends = [...(seconds > 0n ? [new Date(Number(seconds) * 1000).toISOString()] : []), ...(epoch > 0n ? [`epoch ${epoch}`] : [])]
  return ends.length === 0 ? null : `until ${ends.join(' and ')}`
}
