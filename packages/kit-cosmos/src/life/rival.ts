import type { KitContext } from '@svc/contract'
import type { CosmosChain } from '../chain.ts'
import type { CosmosClient } from '../client.ts'
import { signatureFit } from '../signature-fit.ts'
import { signerOf } from './bounds.ts'
import { passedChecks } from './events.ts'
import type { Use } from './transaction-lookup.ts'

/** A sequence of an account. */
interface Sequence {
  /** Address. */
  readonly wallet: string
  readonly sequence: bigint
}

/**
 * Finds the transaction that provably used a sequence: its own bytes name that signer and sequence, it passed its checks in a block, and it carries a signature of the
 * account's key. Nobody else has that key, so that such a transaction cannot be made up; an index's word alone proves nothing.
 *
 * @returns null where none is proven so; also of one whose signature cannot be verified here: of several keys, or of a message whose amino JSON is not known
 */
export async function provenUse(
  chain: CosmosChain,
  ctx: KitContext<CosmosClient>,
  of: Sequence,
  uses: readonly Use[],
): Promise<Use | null> {
  for (const use of uses) {
    const signer = signerOf(chain, use.tx)
    const isOfSequence = signer?.wallet === of.wallet && signer.sequence === of.sequence
    if (!isOfSequence || !passedChecks(use.place.result.events ?? [])) continue
    if ((await signatureFit(chain, ctx, use.tx)) === 'fits') return use
  }
  return null
}
