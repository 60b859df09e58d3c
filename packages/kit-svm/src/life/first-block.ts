import { EndpointError } from '@svc/contract'
import { countOf } from '../answers.ts'
import { unavailable } from '../codes.ts'
import type { Rpc } from '../rpc.ts'

/** Reads the first slot from which on a node has everything. @returns null where the node does not say */
export function readFirstBlock({ rpc }: { readonly rpc: Rpc }): Promise<bigint | null> {
  return rpc('getFirstAvailableBlock', [], countOf).catch(() => null)
}

/**
 * Requires that a node has everything since a slot: a transaction that it does not know has then been in no block since.
 *
 * @param since undefined: since the first block of the chain
 * @throws 502, 503, 504; 503 TRANSACTION_UNSEEN when no endpoint has
 * @see https://solana.com/docs/rpc/http/getfirstavailableblock (read 2026-11-22)
 */
export async function requireHistory({ rpc }: { readonly rpc: Rpc }, since: bigint | undefined): Promise<void> {
  return rpc('getFirstAvailableBlock', [], (answer) => {
    const first = countOf(answer)
    if (first <= (since ?? 0n)) return
    const from = since === undefined ? 'whose age is not known' : `that may be in a block as old as slot ${since}`
    const sentence = `The node has blocks from slot ${first} on, and cannot say what became of a transaction ${from}; the operator can add an archive endpoint.`
    throw new EndpointError('not held', unavailable('TRANSACTION_UNSEEN', sentence, 60, { first, since }))
  })
}
