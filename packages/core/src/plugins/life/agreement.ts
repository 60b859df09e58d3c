import type { Sighting } from '@svc/contract'

/** Number of endpoints that have to agree, where so many are configured. */
export const AGREEING = 2

/** Writes what a sighting says that the transaction did, to be compared; null where the sighting does not say. */
export type Deed<Receipt> = (sighting: Sighting<Receipt>) => string | null

/**
 * Finds a success on which enough endpoints agree: in the same block, and with the same effects where they report any.
 *
 * @param witnessCount how many endpoints there are
 * @returns as one of them tells it, rather with its effects than without, in a block with hash and time where any of them has it; null: too few agree
 */
export function agreed<Receipt>(seen: readonly Sighting<Receipt>[], witnessCount: number, did: Deed<Receipt>): Sighting<Receipt> | null {
  const finals = seen
    .filter(({ status, certainty }) => status === 'final' && certainty === 'proven')
    .map((sighting) => ({ sighting, did: did(sighting) }))
  const alike = finals.filter(
    (one) =>
      finals.filter(
        (other) => inSameBlock(one.sighting, other.sighting) && (one.did === null || other.did === null || one.did === other.did),
      ).length >= Math.max(1, Math.min(AGREEING, witnessCount)),
  )
  const teller = (alike.find((each) => each.did !== null) ?? alike[0])?.sighting
  return teller ? { ...teller, block: knownBlock(teller.block, alike) } : null
}

/**
 * Completes the block from whoever has it, where the one that tells of the transaction has forgotten its hash and its time; it stays as it is where two that have it
 * differ.
 */
function knownBlock(block: Sighting['block'], alike: readonly { readonly sighting: Sighting }[]): Sighting['block'] {
  if (block === null || block.hash !== null) return block
  const others = alike.flatMap(({ sighting }) => (sighting.block && sighting.block.hash !== null ? [sighting.block] : []))
  const [first] = others
  return first && others.every(({ hash, height }) => hash === first.hash && height === block.height) ? first : block
}

/** Counts the endpoints that report the same proven, final success as `of`: in the same block, with the same effects. 0 where `of` reports no effects. */
export function countAgreeing<Receipt>(seen: readonly Sighting<Receipt>[], of: Sighting<Receipt>, did: Deed<Receipt>): number {
  const deed = did(of)
  if (deed === null) return 0
  return seen.filter((each) => each.status === 'final' && each.certainty === 'proven' && inSameBlock(each, of) && did(each) === deed).length
}

function inSameBlock({ block: one }: Sighting, { block: other }: Sighting): boolean {
  if (one === null || other === null) return one === other
  return one.hash !== null && other.hash !== null ? one.hash === other.hash : one.height === other.height
}
