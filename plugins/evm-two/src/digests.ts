import type { KnownPosition } from '@svc/contract'
import { askEach } from '@svc/kit-evm'
import { digestOf } from './chain/position.ts'
import { ask, askDelegator, askExits } from './chain/staking.ts'
import type { StakingContext } from './network.ts'

/** Addresses in a call. Each reads a record and a list of exits, about 40,000 gas: four million together, where nodes allow a call ten and more. */
const PER_CALL = 100

/** The digests of many positions: of each its record and its exits. @throws 502, 503, 504 */
export async function digests(ctx: StakingContext, positions: readonly KnownPosition[]): Promise<ReadonlyMap<string, string>> {
  const { network } = ctx
  const addresses = positions.map(({ address }) => address)
  const questionsOf = (address: string) => ({ delegator: askDelegator(network, address), exits: askExits(network, address) })
  const answers = await askEach(ask, ctx, addresses, questionsOf, PER_CALL)
  return new Map([...answers].map(([address, { delegator, exits }]) => [address, digestOf(network, delegator, exits)]))
}
