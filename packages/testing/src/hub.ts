import { exactNumber, parseAmount } from '@svc/contract'

/** A player of conformance, as far as it matters here: conformance itself is built with what this package tests. */
interface Player {
  act(action: string, members: Readonly<Record<string, unknown>>): Promise<unknown>
  advance(step: { readonly epochs: number }): Promise<unknown>
}

/** Six decimals, the last one set. */
export const EXACT = '1000.000001'
export const amount = exactNumber(EXACT)

export async function staked(player: Player): Promise<void> {
  await player.act('stake', { amount })
}

export async function earning(player: Player): Promise<void> {
  await staked(player)
  await player.advance({ epochs: 1 })
}

/** Base units of an amount of a position. */
export const micro = (text: string | null) => parseAmount(text ?? '0', 6)

/** What every hub refuses. */
export const refusals = [
  {
    name: 'a key that has never held a coin',
    action: 'stake',
    body: { amount: 1, pubkey: `02${'9'.repeat(63)}d` },
    code: 'ACCOUNT_UNKNOWN',
  },
  { name: 'no stake at all', action: 'unstake', body: { amount: 1 }, code: 'INSUFFICIENT_STAKE' },
  {
    name: 'more than the stake',
    setup: staked,
    action: 'unstake',
    body: { amount: exactNumber('1000.000002') },
    code: 'INSUFFICIENT_STAKE',
  },
  { name: 'no rewards to claim', action: 'claim-rewards', code: 'NOTHING_TO_CLAIM' },
]
