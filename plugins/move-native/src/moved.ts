import { normalizeStructTag } from '@mysten/sui/utils'
import type { Moved } from '@svc/contract'
import type { MoveReceipt } from '@svc/kit-move'
import { readMovement } from './chain/events.ts'
import { STAKED_SUI } from './chain/layouts.ts'

const SUI = normalizeStructTag('0x2::sui::SUI')

/**
 * Lists the stake that a transaction staked and freed, by the chain's events, and the change of its wallet's balance, without the gas. Its positions are named by their
 * objects.
 *
 * @throws RangeError for events of another layout
 */
export function moved(_network: unknown, receipt: MoveReceipt, wallet: string | null): Moved {
  const who = wallet ?? receipt.sender
  const movements = receipt.events.flatMap(({ type, contents }) => readMovement(type, contents) ?? [])
  const sum = (side: 'staked' | 'freed') => movements.reduce((total, { kind, amount }) => (kind === side ? total + amount : total), 0n)
  const [staked, freed] = [sum('staked'), sum('freed')]
  // Where the node has no balances any more, events say what there was to pay and to receive.
  const gained = gainOf(receipt, who) ?? freed - staked
  const moves = [
    ['leaves', -gained],
    ['staked', staked],
    ['freed', freed],
    ['arrives', gained],
  ] as const
  return {
    moves: moves.flatMap(([kind, amount]) => (amount > 0n ? [{ kind, asset: 'native', amount }] : [])),
    objectIds: receipt.created.flatMap(({ id, type, owner }) =>
      type !== null && owner === who && normalizeStructTag(type) === STAKED_SUI ? [id] : [],
    ),
  }
}

/** MIST that a wallet has more than before, or less, not counting the gas; null where it is not known. */
function gainOf({ balances, payer, fee }: MoveReceipt, who: string): bigint | null {
  if (balances === null) return null
  const own = balances.filter(({ address, coinType }) => address === who && normalizeStructTag(coinType) === SUI)
  return own.reduce((total, { amount }) => total + amount, payer === who ? fee : 0n)
}
