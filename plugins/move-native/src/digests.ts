import type { KnownPosition } from '@svc/contract'
import { createdStakes } from './chain/created-stakes.ts'
import { type HeldObject, readHeld } from './chain/objects.ts'
import { type StakesMade, stakesMade } from './chain/stakes-made.ts'
import { type StakingContext, withNode } from './network.ts'

/** Transactions of a lot whose stakes are looked up; what is beyond is told as it is, so that these wallets are read whole. */
const MOST_LOOKED_UP = 500

/**
 * Objects of a wallet that is told a digest, at most. Anybody can give a wallet shares of a pool, in parts as small as he likes: asked for one by one those of a
 * single wallet would take the time of all that are asked for with it. A wallet with more is read whole instead, as one without a digest.
 */
export const MOST_OBJECTS = 500

/**
 * Makes the digests of many positions, each from its objects with their versions. The objects that a wallet had are read one by one, fifty a call. Stake that it has made
 * since is found by the events of staking: where an object of the wallet was last written in the event's transaction, that transaction is known already; for any other
 * transaction, the objects that it has made are read too, and count as far as the wallet still has them. So a digest of a position is the same for every caller, and a
 * stake that was withdrawn again, or made for somebody else, changes nothing.
 *
 * @returns of no position where no endpoint lists events
 * @throws 502, 503, 504
 */
export async function digests(ctx: StakingContext, requests: readonly KnownPosition[]): Promise<ReadonlyMap<string, string>> {
  const positions = requests.filter(({ objects }) => objects.length <= MOST_OBJECTS)
  const stakes = await stakesMade(ctx)
  if (stakes === null) return new Map()
  return withNode(ctx, async (reading) => {
    const holdings = await readHeld(reading, positions)
    const news = positions.map((position, index) => newsOf(position, holdings[index] ?? [], stakes))
    const lookups = [...new Set(news.flat())].slice(0, MOST_LOOKED_UP)
    const created = await createdStakes(reading, lookups)
    const additions = positions.map(({ address, objects }, index) => {
      const ids = (news[index] ?? []).flatMap((transaction) => created.get(transaction) ?? [])
      return { address, objects: ids.filter((id) => !objects.includes(id)) }
    })
    const newHoldings = await readHeld(reading, additions)
    return new Map(
      positions.flatMap(({ address }, index) => {
        const entries = [...(holdings[index] ?? []), ...(newHoldings[index] ?? [])]
        const unknown = (news[index] ?? []).filter((transaction) => !created.has(transaction))
        return entries.includes('unreadable') ? [] : [[address, digestOf(entries.filter(isHeld), unknown)] as const]
      }),
    )
  })
}

/**
 * Makes a digest, which changes with each object that comes or goes, and when a transaction writes one. Epochs and rewards write none.
 *
 * @param unknown transactions in which the wallet has staked, and whose objects could not be read
 */
export function digestOf(holdings: readonly Pick<HeldObject, 'id' | 'version'>[], unknown: readonly string[] = []): string {
  const objects = holdings.map(({ id, version }) => `${id}@${version}`).sort()
  return [...new Set(objects), ...unknown.map((transaction) => `?${transaction}`).sort()].join(' ')
}

/** Transactions in which a wallet has staked, and that none of its known objects was written in last. */
function newsOf({ address }: KnownPosition, holdings: readonly (HeldObject | string)[], stakes: StakesMade): readonly string[] {
  const explained = new Set(holdings.filter(isHeld).map(({ previousTransaction }) => previousTransaction))
  return [...(stakes.get(address) ?? [])].filter((transaction) => !explained.has(transaction))
}

function isHeld(entry: HeldObject | string): entry is HeldObject {
  return typeof entry !== 'string'
}
