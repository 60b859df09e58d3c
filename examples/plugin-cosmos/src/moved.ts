import type { Moved } from '@svc/contract'
import { type CosmosReceipt, coinsIn } from '@svc/kit-cosmos'
import { DENOM } from './network.ts'

/** Stake that a transaction has moved, whichever validators it was about. Rewards that the chain pays along with it are not told. */
export function moved({ events }: CosmosReceipt): Moved {
  const amounts = events.flatMap(({ type, attributes }) => (type === 'redelegate' ? [coinsIn(attributes.amount ?? '')[DENOM] ?? 0n] : []))
  const amount = amounts.reduce((sum, each) => sum + each, 0n)
  return { moves: amount > 0n ? [{ kind: 'staked', asset: 'native', amount }] : [], objectIds: [] }
}
