import { isDeepStrictEqual } from 'node:util'
import { malformedAnswer, nodeBehind } from '@svc/contract'
import { type OwnersTransaction, readByDigest, readOwnersPage } from '@svc/kit-move'
import { FUNGIBLE_STAKED_SUI, STAKED_SUI } from '../chain/layouts.ts'
import type { Reading } from '../network.ts'

/** Pages of one interval beyond which it is not looked through: of a hundred transactions each, where the node has no smaller ones. */
const PAGES = 10
const TYPES: ReadonlySet<string> = new Set([STAKED_SUI, FUNGIBLE_STAKED_SUI])

/** Interval by its first and last checkpoint. */
interface Span {
  readonly from: bigint
  readonly until: bigint
}

/**
 * Finds the transactions that moved stakes of a wallet, whoever sent them, in their order. Each is also looked up by its digest, and both answers have to be equal.
 *
 * @returns why they are not all known
 * @throws 502, 503, 504
 */
export async function stakeTransactions(
  { node }: Reading,
  wallet: string,
  { from, until }: Span,
): Promise<readonly OwnersTransaction[] | 'flow_missing' | 'no_index' | 'pruned' | 'endpoint_disagrees'> {
  const { height } = await node.live
  if (height === null || height < until) throw nodeBehind(`it has no checkpoint ${until}`)
  const all: OwnersTransaction[] = []
  let after: Uint8Array | null = null
  let end = from - 1n
  for (let pages = 0; ; pages++) {
    if (pages === PAGES) return 'flow_missing'
    const page: Awaited<ReturnType<typeof readOwnersPage>> = await readOwnersPage(node, {
      address: wallet,
      from,
      until,
      after,
      types: TYPES,
    })
    if (typeof page === 'string') return page
    all.push(...page.items)
    end = page.covered ?? end
    after = page.next
    if (after === null) break
  }
  // The index may lie behind the node itself.
  if (end < until) throw nodeBehind(`its list of transactions ends with checkpoint ${end}`)
  for (const [at, { checkpoint }] of all.entries())
    if (checkpoint < (all[at - 1]?.checkpoint ?? from) || checkpoint > until) throw malformedAnswer(checkpoint)
  const moving = all.filter(({ changes }) => changes.some(({ before, after: now }) => before?.owner === wallet || now?.owner === wallet))
  const again = await readByDigest(
    node,
    moving.map(({ digest }) => digest),
    TYPES,
  )
  return moving.every((each, at) => isDeepStrictEqual(each, again[at])) ? moving : 'endpoint_disagrees'
}
