import type { KnownPosition } from '@svc/contract'
import { askEach, readDelegates, withDelegate } from '@svc/kit-evm'
import { digestOf } from './chain/position.ts'
import { ask, askDelegator, askExits, type Delegator, type Exit } from './chain/staking.ts'
import { poolsOf, type StakingContext } from './network.ts'

/** Addresses in a call, where there is one pool. Each reads a record of each pool and a list of exits, about 40,000 gas: four million together, where nodes allow a call ten and more. */
const PER_CALL = 100

/**
 * Makes the digests of many positions, each from its record with every pool of the operator, its exits, and the contract that its wallet is delegated to.
 *
 * @throws 502, 503, 504
 */
export async function digests(ctx: StakingContext, positions: readonly KnownPosition[]): Promise<ReadonlyMap<string, string>> {
  const { network } = ctx
  const addresses = positions.map(({ address }) => address)
  const pools = poolsOf(network)
  const questionsOf = (address: string) => ({
    exits: askExits(network, address),
    ...Object.fromEntries(pools.map((pool) => [pool, askDelegator(network, pool, address)])),
  })
  const [answers, delegates] = await Promise.all([
    askEach<Answered>(ask, ctx, addresses, questionsOf, Math.ceil(PER_CALL / pools.length)),
    readDelegates(ctx, addresses),
  ])
  const byWallet = new Map(addresses.map((address, index) => [address, delegates[index] ?? null]))
  return new Map(
    [...answers].map(([address, { exits, ...records }]) => [
      address,
      withDelegate(
        pools.map((pool) => digestOf(pool, records[pool as `0x${string}`] as Delegator, exits)).join('|'),
        byWallet.get(address) ?? null,
      ),
    ]),
  )
}

type Answered = { readonly exits: readonly Exit[] } & Readonly<Record<`0x${string}`, Delegator>>
