import type { Balance } from '@svc/client'

/** Parts of a position, in the order in which money goes through them. */
export const PARTS = {
  activating: 'Becoming active',
  staked: 'Staked',
  rewards: 'Rewards',
  deactivating: 'Leaving the stake',
  withdrawing: 'Ready to withdraw',
} as const

/** Name of a part. */
type Part = keyof typeof PARTS

/** Lists the parts of a position that the protocol knows. */
export function partsOf(before: Balance | null, now: Balance): readonly Part[] {
  return (Object.keys(PARTS) as Part[]).filter((part) => now[part] !== null || (before?.[part] ?? null) !== null)
}

/** Says the state of a stake, in a sentence. */
export function standing(
  before: Balance | null,
  now: Balance,
  amount: string,
  symbol: string,
): { readonly kind: 'ok' | 'plain'; readonly sentence: string } {
  const waiting = now.activating?.units ?? 0n
  if (waiting > 0n)
    return {
      kind: 'plain',
      sentence: `${now.activating?.text} ${symbol} wait to become active. Move the clock an epoch on, and they will be.`,
    }
  if (before !== null && now.staked.units > before.staked.units)
    return { kind: 'ok', sentence: `Your ${amount} ${symbol} are staked and active: ${now.staked.text} ${symbol} in all.` }
  return { kind: 'plain', sentence: `${now.staked.text} ${symbol} are staked. What was sent may need a block or an epoch to be seen.` }
}
