import type { Balance, StakedObject } from '@svc/contract'
import { type Epoch, readAccounts, readEpoch, readSlotSeconds } from '@svc/kit-svm'
import { EPOCH_REWARDS, payingRewards } from './chain/now.ts'
import type { NativeContext } from './network.ts'

/**
 * Slots at the beginning of an epoch in which its rewards are paid out, with a margin: 4,096 stake accounts a block, of which mainnet has 1.5 million.
 *
 * @see https://docs.anza.xyz/proposals/partitioned-inflationary-rewards-distribution (read 2026-11-22)
 */
const PAYING_SLOTS = 600
/** Most milliseconds until it is looked at again, however far off the end of a lockup is: a year of 365 days. */
const MOST_MS = 365 * 86_400_000
/** Time until the position is looked at again while rewards are being paid, in milliseconds. */
const PAYING_MS = 60_000

/**
 * Returns the time at which the next of an address's stake accounts changes by itself: the end of an epoch, once its rewards have been paid out, or the end of a lockup.
 *
 * @returns null when none is on its way
 * @throws 502, 503, 504
 */
export async function due({ client, now }: NativeContext, _address: string, { objects }: Balance): Promise<Date | null> {
  const coming = (objects ?? []).filter(({ status }) => status === 'activating' || status === 'deactivating')
  if (coming.length === 0) return null
  const [epoch, slotSeconds, paying] = await Promise.all([
    readEpoch(client),
    readSlotSeconds(client),
    readAccounts(client, [EPOCH_REWARDS], ([rewards]) => payingRewards(rewards ?? null)),
  ])
  const from = now().getTime()
  const endOf = (epochs: number) => from + (epochs * epoch.slots - epoch.over + PAYING_SLOTS) * slotSeconds * 1000
  const moments = coming.map((object) => (paying ? from + PAYING_MS : momentOf(object, epoch, endOf)))
  return new Date(moments.reduce((first, moment) => Math.min(first, moment), from + MOST_MS))
}

/** @param endOf milliseconds at which so many epochs are over, this one among them */
function momentOf({ withdrawableEpoch, withdrawableAt }: StakedObject, { number }: Epoch, endOf: (epochs: number) => number): number {
  const freed = withdrawableAt?.getTime()
  if (withdrawableEpoch === null) return freed ?? endOf(1)
  return Math.max(freed ?? 0, endOf(Math.max(1, withdrawableEpoch - number)))
}
