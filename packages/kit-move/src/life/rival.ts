import type { GrpcTypes } from '@mysten/sui/grpc'
import type { MoveNode } from '../client.ts'
import { findTransaction } from './find.ts'
import type { Reference } from './references.ts'

/** Another transaction over the same objects. */
export interface Rival {
  readonly digest: string
  /** Whether it took one of them in the very version: one version is taken once, so that nothing else can land with it. */
  readonly proves: boolean
  /** Checkpoint that it is in; null where it is not known. */
  readonly checkpoint: bigint | null
}

/** Transactions that are looked at: those that wrote the present versions, most often one. */
const MOST = 4
const PATHS = ['digest', 'checkpoint', 'effects.transaction_digest', 'effects.changed_objects']

/** What is known of those that may have taken a transaction's place. @throws EndpointError */
export async function readRivals(node: MoveNode, digests: readonly string[], references: readonly Reference[]): Promise<readonly Rival[]> {
  return Promise.all(
    digests.slice(0, MOST).map(async (digest) => {
      const found = await findTransaction(node, digest, PATHS)
      const transaction = 'transaction' in found ? found.transaction : undefined
      const { effects } = transaction ?? {}
      const taken = effects?.transactionDigest === digest ? effects.changedObjects : []
      return { digest, proves: taken.some((each) => isOne(each, references)), checkpoint: transaction?.checkpoint ?? null }
    }),
  )
}

function isOne({ objectId, inputVersion, inputDigest }: GrpcTypes.ChangedObject, references: readonly Reference[]): boolean {
  return references.some(({ id, version, digest }) => objectId === id && inputVersion === version && inputDigest === digest)
}
