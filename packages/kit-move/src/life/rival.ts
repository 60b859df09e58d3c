import type { GrpcTypes } from '@mysten/sui/grpc'
import type { MoveNode } from '../client.ts'
import { findTransaction } from './find.ts'
import type { Reference } from './references.ts'

/** Another transaction over the same objects. */
export interface Rival {
  readonly digest: string
  /** True if the rival took one of the objects in the very version: one version is taken once, so that nothing else can land with it. */
  readonly proves: boolean
  /** True if the rival wrote a later version of one of the objects, by its own record and not by the object's word alone. */
  readonly wrote: boolean
  /** Checkpoint that it is in; null where it is not known. */
  readonly checkpoint: bigint | null
}

/** Transactions that are looked at: those that wrote the present versions, most often one. */
const MOST = 4
const PATHS = ['digest', 'checkpoint', 'effects.transaction_digest', 'effects.changed_objects']

/** Reads the transactions that may have taken a transaction's place. @throws EndpointError */
export async function readRivals(node: MoveNode, digests: readonly string[], references: readonly Reference[]): Promise<readonly Rival[]> {
  return Promise.all(
    digests.slice(0, MOST).map(async (digest) => {
      const answer = await findTransaction(node, digest, PATHS)
      const transaction = 'transaction' in answer ? answer.transaction : undefined
      const { effects } = transaction ?? {}
      const changes = effects?.transactionDigest === digest ? effects.changedObjects : []
      const wrote = changes.some((each) => isLater(each, references))
      return { digest, proves: changes.some((each) => isOne(each, references)), wrote, checkpoint: transaction?.checkpoint ?? null }
    }),
  )
}

function isOne({ objectId, inputVersion, inputDigest }: GrpcTypes.ChangedObject, references: readonly Reference[]): boolean {
  return references.some(({ id, version, digest }) => objectId === id && inputVersion === version && inputDigest === digest)
}

function isLater({ objectId, outputVersion }: GrpcTypes.ChangedObject, references: readonly Reference[]): boolean {
  return references.some(({ id, version }) => objectId === id && outputVersion !== undefined && outputVersion > version)
}
