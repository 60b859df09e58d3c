import { GrpcTypes } from '@mysten/sui/grpc'
import { present } from '@svc/sandbox'
import { GrpcError, grpcCodes, invalid } from '../errors.ts'
import { madeDigest } from '../ids.ts'
import type { EpochStart, Node } from '../node.ts'
import type { ExecutedTransaction } from '../tx/executed.ts'
import { listEvents } from './events.ts'
import { isAddress, isDigest } from './identifiers.ts'
import { type Mask, project, readMask } from './mask.ts'
import type { Handler, Handlers, StreamHandlers } from './method.ts'
import { objectMessage, timestampOf } from './render.ts'
import { protocolVersion, systemStateMessage } from './system-state.ts'
import { listTransactions } from './transaction-list.ts'
import { executedMessage } from './transactions.ts'

/** Most objects or transactions of a batch. @see sui-rpc-api `MAX_BATCH_REQUESTS` (this file's defaults are from there, read 2026-11-21) */
const maxBatch = 200

const getServiceInfo: Handler<GrpcTypes.GetServiceInfoRequest> = (node) => ({
  chainId: node.chainIdentifier,
  chain: node.chainId,
  epoch: node.epoch,
  checkpointHeight: node.checkpoint,
  timestamp: timestampOf(node.time),
  lowestAvailableCheckpoint: node.lowest,
  lowestAvailableCheckpointObjects: node.lowest,
  server: 'sandbox',
})

const getEpoch: Handler<GrpcTypes.GetEpochRequest> = (node, request) => {
  const byDefault = 'epoch,first_checkpoint,last_checkpoint,start,end,reference_gas_price,protocol_config.protocol_version'
  const mask = wholeSystemState(readMask(GrpcTypes.Epoch, request.readMask?.paths, byDefault))
  const epochNumber = request.epoch ?? node.epoch
  const start = node.epochs.get(epochNumber)
  if (start === undefined || (epochNumber !== node.epoch && !node.knobs.index))
    throw new GrpcError('NOT_FOUND', `Epoch ${epochNumber} not found`)
  const whole = epochMessage(node, start, mask)
  return { epoch: project(GrpcTypes.Epoch, node.knobs.index ? whole : unindexed(whole), mask) }
}

/**
 * Returns what a node without an index says of the present epoch: its number, and what its state is; nothing of where and when it began.
 *
 * @see MystenLabs/sui sui-rpc-api get_epoch.rs at 62d585c; the refusal of other epochs is of https://github.com/MystenLabs/sui/pull/27006 (read 2026-11-25)
 */
function unindexed({ epoch, systemState }: GrpcTypes.Epoch): GrpcTypes.Epoch {
  return GrpcTypes.Epoch.create({ epoch: present(epoch, 'the number of an epoch'), ...(systemState === undefined ? {} : { systemState }) })
}

/** A node of August 2026 and later answers the whole system state to whoever asks for any part of it. */
function wholeSystemState(mask: Mask): Mask {
  return mask === 'all' || !mask.has('system_state') ? mask : new Map([...mask, ['system_state', 'all']])
}

function epochMessage(node: Node, start: EpochStart, mask: Mask): GrpcTypes.Epoch {
  const next = node.epochs.get(start.epoch + 1n)
  return GrpcTypes.Epoch.create({
    epoch: start.epoch,
    firstCheckpoint: start.firstCheckpoint,
    start: timestampOf(start.startMs),
    referenceGasPrice: node.gasPrice,
    protocolConfig: {
      protocolVersion,
      featureFlags: {
        enable_address_balance_gas_payments: true,
        enable_coin_reservation_obj_refs: true,
        enable_accumulators: true,
        allowed_proposers: node.knobs.restrictProposers,
      },
      attributes: { max_tx_gas: '50000000000', max_gas_payment_objects: '256', max_programmable_tx_commands: '1024' },
    },
    ...(next === undefined ? {} : { lastCheckpoint: next.firstCheckpoint - 1n, end: timestampOf(start.endMs ?? next.startMs) }),
    ...(mask === 'all' || mask.has('system_state') ? { systemState: systemStateMessage(node, start) } : {}),
  })
}

const objectDefault = 'object_id,version,digest'

const getObject: Handler<GrpcTypes.GetObjectRequest> = (node, request) => {
  const mask = readMask(GrpcTypes.Object, request.readMask?.paths, objectDefault)
  return { object: objectOf(node, request, mask) }
}

const batchGetObjects: Handler<GrpcTypes.BatchGetObjectsRequest> = (node, { requests, readMask: maskInput }) => {
  checkBatch(requests.length)
  const mask = readMask(GrpcTypes.Object, maskInput?.paths, objectDefault)
  return { objects: requests.map((request) => inPlace('object', () => objectOf(node, request, mask))) }
}

function objectOf(node: Node, { objectId, version }: GrpcTypes.GetObjectRequest, mask: Mask): GrpcTypes.Object {
  const id = isAddress('object_id', objectId)
  const object = node.state.objects.get(id)
  if (object === undefined) throw new GrpcError('NOT_FOUND', `Object ${id} not found`)
  // Older versions are pruned here.
  if (version !== undefined && version !== object.version)
    throw new GrpcError('NOT_FOUND', `Object ${id} with version ${version} not found`)
  return project(GrpcTypes.Object, objectMessage(object), mask)
}

const getTransaction: Handler<GrpcTypes.GetTransactionRequest> = (node, request) => {
  const mask = readMask(GrpcTypes.ExecutedTransaction, request.readMask?.paths, 'digest')
  return { transaction: executedMessage(transactionOf(node, request.digest), mask) }
}

const batchGetTransactions: Handler<GrpcTypes.BatchGetTransactionsRequest> = (node, { digests, readMask: maskInput }) => {
  checkBatch(digests.length)
  const mask = readMask(GrpcTypes.ExecutedTransaction, maskInput?.paths, 'digest')
  return { transactions: digests.map((digest) => inPlace('transaction', () => executedMessage(transactionOf(node, digest), mask))) }
}

function transactionOf(node: Node, digest: string | undefined): ExecutedTransaction {
  const executed = node.executed.get(isDigest('digest', digest))
  if (executed === undefined || executed.hiddenReads > 0) {
    if (executed !== undefined) executed.hiddenReads -= 1
    throw new GrpcError('NOT_FOUND', `Transaction ${digest} not found`)
  }
  return executed
}

/** Answers a checkpoint by its number, or the last one. Its digest is made up, as those of objects are. */
const getCheckpoint: Handler<GrpcTypes.GetCheckpointRequest> = (node, { checkpointId, readMask: maskInput }) => {
  if (checkpointId.oneofKind === 'digest') throw invalid('the sandbox finds checkpoints by their number')
  const sequenceNumber = checkpointId.oneofKind === 'sequenceNumber' ? checkpointId.sequenceNumber : node.checkpoint
  if (sequenceNumber > node.checkpoint || sequenceNumber < node.lowest)
    throw new GrpcError('NOT_FOUND', `Checkpoint ${sequenceNumber} not found`)
  const { epoch, time } = node.placeOf(sequenceNumber)
  const digest = madeDigest('checkpoint', node.chainIdentifier, sequenceNumber)
  const whole = GrpcTypes.Checkpoint.create({
    sequenceNumber,
    digest,
    summary: GrpcTypes.CheckpointSummary.create({ sequenceNumber, digest, epoch, timestamp: timestampOf(time) }),
  })
  return { checkpoint: project(GrpcTypes.Checkpoint, whole, readMask(GrpcTypes.Checkpoint, maskInput?.paths, 'sequence_number,digest')) }
}

function checkBatch(length: number): void {
  if (length > maxBatch) throw invalid(`number of batch requests exceed limit of ${maxBatch}`)
}

/** One result of a batch: what was found, or why not. */
function inPlace(kind: 'object' | 'transaction', find: () => unknown): { result: object } {
  try {
    return { result: { oneofKind: kind, [kind]: find() } }
  } catch (error) {
    if (!(error instanceof GrpcError)) throw error
    return { result: { oneofKind: 'error', error: { code: grpcCodes[error.code], message: error.message, details: [] } } }
  }
}

/** Methods of LedgerService. */
export const ledgerHandlers: Handlers = {
  GetServiceInfo: getServiceInfo,
  GetEpoch: getEpoch,
  GetCheckpoint: getCheckpoint,
  GetObject: getObject,
  BatchGetObjects: batchGetObjects,
  GetTransaction: getTransaction,
  BatchGetTransactions: batchGetTransactions,
}

/** Those that answer by a stream. */
export const ledgerStreams: StreamHandlers = { ListEvents: listEvents, ListTransactions: listTransactions }
