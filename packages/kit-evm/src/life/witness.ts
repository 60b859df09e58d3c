import type { KitContext } from '@svc/contract'
import type { EvmClient } from '../client.ts'
import type { EvmSettings } from '../settings.ts'
import { type FirstSight, sightOf } from './first-sight.ts'
import { readBlockAt } from './waves.ts'

type Ctx = KitContext<EvmClient, EvmSettings>

/** Blocks that are read in one wave when that of the first sight is empty: on a chain in use the one before it mostly has a transaction. */
const AT_ONCE = 16n

/**
 * Searches the blocks before the first sight for the nearest with a transaction, a part of them at each look. Such a block was final as well, and the nonce was free there
 * too. Where all of them are empty, down to the chain's first, the first block with a transaction after the sight is taken: nothing landed before.
 *
 * @param final number of the last final block
 * @returns that block; what was searched by now where none has one; the same sight where the blocks could not be read
 */
export async function withWitness(ctx: Ctx, first: FirstSight, final: bigint): Promise<FirstSight> {
  if (first.witness !== null) return first
  const [from, step, count] =
    first.searched > 0n
      ? [first.searched - 1n, -1n, least(AT_ONCE, first.searched)]
      : [first.height + 1n, 1n, least(AT_ONCE, final - first.height)]
  const heights = Array.from({ length: Math.max(0, Number(count)) }, (_, index) => from + step * BigInt(index))
  try {
    const blocks = await Promise.all(heights.map((height) => readBlockAt(ctx, height)))
    const end = blocks.findIndex((block) => block === null || block.holds !== null)
    const nearest = blocks[end]
    if (nearest) return sightOf(nearest)
    // What this node does not hold another one may.
    const empty = end < 0 ? blocks : blocks.slice(0, end)
    const last = empty.at(-1)
    if (!last) return first
    return first.searched > 0n ? { ...first, searched: last.number } : { ...sightOf(last), searched: 0n }
  } catch {
    return first
  }
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/** Tells whether the search has ended without a witness: it found nothing to read, or is further back than any node has to look. @param before this look */
export function isInVain(before: FirstSight, { witness, searched, height }: FirstSight, head: bigint, depth: number): boolean {
  const went = searched !== before.searched || height !== before.height
  return witness === null && (!went || (searched > 0n && head - searched > BigInt(depth)))
}
