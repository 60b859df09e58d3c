import { GrpcTypes } from '@mysten/sui/grpc'
import type { Bounds, Subject } from '@svc/contract'
import { move } from '../../src/index.ts'
import { contextOf, info, NodeRefusal, nodeOf, now, type Table } from './node.ts'
import { A, B, C, D, keys } from './vectors.ts'

export const life = move.life!
export const { network } = contextOf(nodeOf({}).fetch)
export const me = keys.ed25519.address
export const id = (byte: string) => `0x${byte.repeat(32)}`
export const boundsOf = ({ unsigned_tx_b64, signature }: typeof A) => life.bounds({ unsigned_tx_b64, signatures: [signature] }, network)
export const [ofA, ofB, ofC, ofD] = [A, B, C, D].map(boundsOf) as [Bounds, Bounds, Bounds, Bounds]
export const [txHash, RIVAL, OTHER] = [A.digest, B.digest, D.digest]
export const [COIN1, COIN2] = ofA.facts.objects!.split(',').map((text) => /^(.+)@(\d+)#(.+)$/.exec(text)!.slice(1)) as [string[], string[]]

/** Far above what may lie between two nodes, and a node that has everything from 40,000 on. */
export const HEAD = 50_000n
export const head = (change: object = {}) => info({ checkpointHeight: HEAD, lowestAvailableCheckpoint: 40_000n, ...change })
export const { ADDRESS, IMMUTABLE } = GrpcTypes.Owner_OwnerKind

export const object = ([objectId, version, digest]: string[], change: object = {}) => ({
  objectId,
  version: BigInt(version!),
  digest,
  owner: { kind: ADDRESS, address: me },
  previousTransaction: OTHER,
  ...change,
})
export const listed = (...objects: (object | number)[]) => ({
  objects: objects.map((each) => ({
    result:
      typeof each === 'number'
        ? { oneofKind: 'error', error: { code: each, message: 'no', details: [] } }
        : { oneofKind: 'object', object: each },
  })),
})
export const untouched = listed(object(COIN1), object(COIN2))
export const later = (coin: string[], by = RIVAL) => object(coin, { version: 12n, digest: OTHER, previousTransaction: by })
export const moved = (by = RIVAL) => listed(later(COIN1, by), later(COIN2, by))
export const absent = (digest: string) => new NodeRefusal(5, `Transaction ${digest} not found`)

export const gasUsed = { computationCost: 500_000n, storageCost: 3_000_000n, storageRebate: 1_000_000n, nonRefundableStorageFee: 10_000n }
export const executed = (digest: string, { effects = {}, ...change }: { effects?: object; [member: string]: unknown } = {}) => ({
  transaction: {
    digest,
    checkpoint: HEAD - 5n,
    timestamp: { seconds: BigInt(now.getTime() / 1000) - 6n, nanos: 5e8 },
    transaction: { sender: me, gasPayment: { objects: [], owner: me, price: 500n, budget: 20_000_000n } },
    effects: {
      transactionDigest: digest,
      status: { success: true },
      epoch: 999n,
      gasUsed,
      changedObjects: [],
      dependencies: [],
      ...effects,
    },
    balanceChanges: [{ address: me, coinType: '0x2::sui::SUI', amount: '-1502500000' }],
    events: { events: [] },
    ...change,
  },
})
/** What a transaction took. */
export const took = ([objectId, version, digest]: string[]) => ({ objectId, inputVersion: BigInt(version!), inputDigest: digest })

export const subject = (change: Partial<Subject> = {}): Subject => ({
  txHash,
  bounds: ofA,
  keep: null,
  firstSeen: new Date(now.getTime() - 3_600_000),
  accepted: true,
  ...change,
})
export const unknown = (request: { digest: string }) => absent(request.digest)
export const looked = (table: Table, change: Partial<Subject> = {}) => {
  const node = nodeOf({ GetServiceInfo: head(), GetTransaction: unknown, BatchGetObjects: untouched, ...table })
  return { node, seen: life.look(contextOf(node.fetch), subject(change)) }
}
export const sighted = (table: Table, change: Partial<Subject> = {}) => looked(table, change).seen
/** Each transaction by itself; those that are not named are not there. */
export const ledger =
  (transactions: Readonly<Record<string, object>>) =>
  ({ digest }: { digest: string }) =>
    transactions[digest] ?? absent(digest)
