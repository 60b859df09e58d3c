import { GrpcTypes } from '@mysten/sui/grpc'
import { toBase58 } from '@mysten/sui/utils'
import { isEndpointError } from '@svc/contract'
import t from 'tap'
import { STAKED_SUI } from '../src/chain/layouts.ts'
import { stakeTransactions } from '../src/ledger/transactions.ts'
import type { Reading } from '../src/network.ts'

const WALLET = `0x${'a'.repeat(64)}`
const DIGEST = toBase58(new Uint8Array(32).fill(5))
const { LEDGER_TIP, CHECKPOINT_BOUND, SCAN_LIMIT } = GrpcTypes.QueryEndReason

/** A transaction that gave the wallet a stake. */
function given(checkpoint: bigint): GrpcTypes.ExecutedTransaction {
  const owner = { kind: GrpcTypes.Owner_OwnerKind.ADDRESS, address: WALLET }
  const change = {
    objectId: `0x${'1'.repeat(64)}`,
    objectType: STAKED_SUI,
    inputState: GrpcTypes.ChangedObject_InputObjectState.DOES_NOT_EXIST,
    outputState: GrpcTypes.ChangedObject_OutputObjectState.OBJECT_WRITE,
    outputVersion: 3n,
    outputOwner: owner,
    idOperation: GrpcTypes.ChangedObject_IdOperation.CREATED,
  }
  return GrpcTypes.ExecutedTransaction.create({
    digest: DIGEST,
    checkpoint,
    timestamp: { seconds: 7n, nanos: 0 },
    transaction: GrpcTypes.Transaction.create({ sender: WALLET }),
    effects: GrpcTypes.TransactionEffects.create({
      transactionDigest: DIGEST,
      epoch: 4n,
      changedObjects: [GrpcTypes.ChangedObject.create(change)],
    }),
  })
}

/** A node whose list ends so, and that has a transaction by its digest so. */
function reading(
  frames: readonly Partial<GrpcTypes.ListTransactionsResponse>[],
  again: GrpcTypes.ExecutedTransaction | null,
  height = 20n,
): Reading {
  const result = again === null ? { oneofKind: undefined } : { oneofKind: 'transaction' as const, transaction: again }
  const ledgerService = {
    listTransactions: () => ({
      responses: (async function* () {
        yield* frames
      })(),
    }),
    batchGetTransactions: () => ({ response: Promise.resolve({ transactions: [{ result }] }) }),
  }
  return { node: { live: Promise.resolve({ height }), sui: { ledgerService } } } as unknown as Reading
}

const mark = (checkpoint: bigint) => ({ cursor: Uint8Array.of(1), checkpoint })
const end = (reason: GrpcTypes.QueryEndReason, checkpoint = 20n) => ({ watermark: mark(checkpoint), end: { reason } })
const ask = (node: Reading) => stakeTransactions(node, WALLET, { from: 10n, until: 20n })
/** Why a node was not believed. */
const refusalOf = (work: Promise<unknown>) => work.then(String, (error: unknown) => (isEndpointError(error) ? error.reason : String(error)))

t.test('what a list and the transaction itself say has to be the same', async (t) => {
  const frames = [{ watermark: mark(11n), transaction: given(12n) }, end(CHECKPOINT_BOUND)]
  t.match(await ask(reading(frames, given(12n))), [{ digest: DIGEST, checkpoint: 12n, sender: WALLET }])
  t.equal(await ask(reading(frames, given(13n))), 'endpoint_disagrees', 'another height')
  t.equal(await ask(reading(frames, null)), 'endpoint_disagrees', 'it is nowhere')
})

t.test('a node that has not come as far as the reading is not believed', async (t) => {
  t.equal(await refusalOf(ask(reading([end(LEDGER_TIP, 19n)], null))), 'behind', 'its index')
  t.equal(await refusalOf(ask(reading([end(CHECKPOINT_BOUND)], null, 19n))), 'behind', 'the node')
  t.same(await ask(reading([end(CHECKPOINT_BOUND)], null)), [], 'one that has tells that there are none')
})

t.test('a transaction outside of the interval is no answer, and a list without end is given up', async (t) => {
  const outside = reading([{ watermark: mark(11n), transaction: given(21n) }, end(CHECKPOINT_BOUND)], given(21n))
  t.equal(await refusalOf(ask(outside)), 'malformed')
  let page = 0
  const endless = reading([], null)
  Object.assign(endless.node.sui.ledgerService, {
    listTransactions: () => ({
      responses: (async function* () {
        yield { watermark: { cursor: Uint8Array.of(++page), checkpoint: 11n }, end: { reason: SCAN_LIMIT } }
      })(),
    }),
  })
  t.equal(await ask(endless), 'flow_missing')
})
