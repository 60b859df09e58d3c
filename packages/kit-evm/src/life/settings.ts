import { Type } from 'typebox'

/** A day of Pharos' blocks, and nearly a week of Ethereum's: what any endpoint is taken to look up by its hash. @see https://docs.pharosnetwork.xyz (blocks of 1.8 s, read 2026-11-22) */
const DAY = 48_000

/** Settings that say how far the endpoints of a chain can be believed about the past and about what is final. */
export const lifeSettings = {
  index_depth: indexDepth(DAY),
  final_after: finalAfter(0),
  txpool_status: txpoolStatus(false),
  inclusion_ms: inclusionMs(2_000),
}

/** Makes the setting `index_depth`, for a protocol with a default of its own. @param standard blocks */
export function indexDepth(standard: number) {
  return Type.Integer({
    minimum: 1,
    default: standard,
    description:
      'Blocks back from the head that every endpoint looks transactions up in by their hash. Of one that was seen first before that it is not told that another took its place.',
  })
}

/** Makes the setting `final_after`, for a chain whose endpoints call their head final. @param standard default in blocks */
export function finalAfter(standard: number) {
  return Type.Integer({
    minimum: 0,
    maximum: 10_000,
    default: standard,
    description: 'Blocks that must lie on top of one that the endpoints call finalised before it is taken for final.',
  })
}

/** Makes the setting `txpool_status`, for a chain whose nodes do not show the transactions waiting in their pool. */
export function txpoolStatus(standard: boolean) {
  return Type.Boolean({
    default: standard,
    description:
      'Ask for `txpool_statusByHash` of a transaction that is in no block yet; an endpoint that does not know the method costs nothing.',
  })
}

/** Makes the setting `inclusion_ms`, for a chain of another pace. @param standard default in milliseconds */
export function inclusionMs(standard: number) {
  return Type.Integer({
    minimum: 100,
    maximum: 600_000,
    default: standard,
    description:
      'Milliseconds that a transaction usually waits for its block. What was sent is looked at after once, twice and four times as long, and so on up to a minute.',
  })
}
