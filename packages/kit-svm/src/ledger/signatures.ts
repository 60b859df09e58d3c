import { countOf, listOf, memberOf, textOf } from '../answers.ts'
import type { SvmClient } from '../client.ts'
import { malformed } from '../rpc.ts'

/** Signatures of a page, which is the most that a node tells. @see https://solana.com/docs/rpc/http/getsignaturesforaddress (read 2026-11-29) */
const PAGE = 1000
/** Pages of one address that an interval may take. */
const MOST_PAGES = 5
/** A signature of 64 bytes in base58. */
const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/

/** Transaction that names an address, in a block that is final. */
export interface PlacedSignature {
  readonly signature: string
  readonly slot: bigint
  readonly failed: boolean
}

/**
 * Lists the transactions that name an address and are in the slots after `after`, up to `end`, the oldest first.
 *
 * @returns null where they are more than are looked through for one interval
 * @throws 502, 503, 504
 */
export async function readSignatures(
  { rpc }: SvmClient,
  address: string,
  after: bigint,
  end: bigint,
): Promise<readonly PlacedSignature[] | null> {
  const list: PlacedSignature[] = []
  for (let page = 0; page < MOST_PAGES; page++) {
    const before = list.at(-1)
    const options = { commitment: 'finalized', limit: PAGE, ...(before && { before: before.signature }) }
    const entries = await rpc('getSignaturesForAddress', [address, options], (answer) => pageOf(answer, before))
    list.push(...entries.filter(({ slot }) => slot > after))
    const isLast = entries.length < PAGE || (entries.at(-1)?.slot ?? 0n) <= after
    if (isLast) return list.filter(({ slot }) => slot <= end).toReversed()
  }
  return null
}

/** @throws 502 for a list that is not ordered from the newest to the oldest, and for one that begins anew */
function pageOf(answer: unknown, before: PlacedSignature | undefined): readonly PlacedSignature[] {
  const entries = listOf(answer).map((entry) => {
    const signature = textOf(memberOf(entry, 'signature'))
    if (!SIGNATURE.test(signature)) throw malformed(entry)
    return { signature, slot: countOf(memberOf(entry, 'slot')), failed: memberOf(entry, 'err') !== null }
  })
  const newest = [before?.slot, ...entries.map(({ slot }) => slot)].filter((slot) => slot !== undefined)
  const isOrdered = newest.every((slot, index) => index === 0 || slot <= (newest[index - 1] ?? slot))
  const names = new Set(entries.map(({ signature }) => signature))
  if (!isOrdered || names.size < entries.length || (before && names.has(before.signature)) || entries.length > PAGE) throw malformed(answer)
  return entries
}
