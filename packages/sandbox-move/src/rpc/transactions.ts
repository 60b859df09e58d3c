import { GrpcTypes } from '@mysten/sui/grpc'
import { fromBase64 } from '@mysten/sui/utils'
import { present } from '@svc/sandbox'
import { balanceType, suiType } from '../constants.ts'
import { accumulatorId } from '../ids.ts'
import { typeOf } from '../objects.ts'
import type { TransactionData } from '../tx/data.ts'
import type { Change, Effects, ExecutedTransaction, FundsChange } from '../tx/executed.ts'
import { transactionMessage } from '../tx/to-proto.ts'
import { argumentKinds, type ExecutionFailure, failureKinds } from '../vm/failure.ts'
import { type Mask, project } from './mask.ts'
import { objectMessage, ownerMessage, timestampOf } from './render.ts'

/** Writes an executed transaction with the fields of a mask. */
export function executedMessage(executed: ExecutedTransaction, mask: Mask): GrpcTypes.ExecutedTransaction {
  const { checkpoint, time, signatures } = executed
  const message = transactionParts(executed)
  const whole = GrpcTypes.ExecutedTransaction.create({
    ...message,
    digest: executed.digest,
    signatures: signatures.map((signature) => ({
      bcs: { name: 'UserSignature', value: fromBase64(signature) },
      signature: { oneofKind: undefined },
    })),
    checkpoint,
    timestamp: timestampOf(time),
  })
  return project(GrpcTypes.ExecutedTransaction, whole, mask)
}

/** Writes data, effects and events of a transaction, executed or not; a simulation answers no more than these, not even the digest. */
export function transactionParts({
  data,
  digest,
  effects,
}: {
  data: TransactionData
  digest: string
  effects: Effects
}): GrpcTypes.ExecutedTransaction {
  return GrpcTypes.ExecutedTransaction.create({
    transaction: transactionMessage(data, digest),
    effects: effectsMessage(digest, effects),
    events: {
      events: effects.events.map(({ package: packageId, module, type, contents }) => ({
        packageId,
        module,
        sender: data.sender,
        eventType: type,
        contents: { name: type, value: contents },
      })),
    },
    balanceChanges: effects.balances.map(({ address, amount }) => ({ address, coinType: suiType, amount: String(amount) })),
    objects: {
      objects: effects.changes.flatMap(({ before, after }) => [before, after].filter((object) => object !== undefined).map(objectMessage)),
    },
  })
}

function effectsMessage(digest: string, effects: Effects): GrpcTypes.TransactionEffects {
  const { cost, failure, gasCoin, version } = effects
  const gas = effects.changes.find(({ before, after }) => gasCoin !== undefined && (after ?? before)?.id === gasCoin)
  return GrpcTypes.TransactionEffects.create({
    version: 2,
    status: failure === undefined ? { success: true } : { success: false, error: failureMessage(failure) },
    epoch: effects.epoch,
    gasUsed: {
      computationCost: cost.computation,
      storageCost: cost.storage,
      storageRebate: cost.rebate,
      nonRefundableStorageFee: cost.nonRefundable,
    },
    transactionDigest: digest,
    ...(gas === undefined ? {} : { gasObject: changeMessage(gas) }),
    dependencies: [...effects.dependencies],
    lamportVersion: version,
    changedObjects: [...effects.changes.map(changeMessage), ...effects.funds.map((change) => fundsMessage(change))],
  })
}

function changeMessage({ before, after }: Change): GrpcTypes.ChangedObject {
  const inputs = GrpcTypes.ChangedObject_InputObjectState
  const outputs = GrpcTypes.ChangedObject_OutputObjectState
  const operations = GrpcTypes.ChangedObject_IdOperation
  const object = present(after ?? before, 'an object before or after its change')
  const input =
    before === undefined
      ? { inputState: inputs.DOES_NOT_EXIST }
      : { inputState: inputs.EXISTS, inputVersion: before.version, inputDigest: before.digest, inputOwner: ownerMessage(before.owner) }
  const output =
    after === undefined
      ? { outputState: outputs.DOES_NOT_EXIST }
      : {
          outputState: outputs.OBJECT_WRITE,
          outputVersion: after.version,
          outputDigest: after.digest,
          outputOwner: ownerMessage(after.owner),
        }
  const idOperation = before === undefined ? operations.CREATED : after === undefined ? operations.DELETED : operations.NONE
  return { objectId: object.id, ...input, ...output, idOperation, objectType: typeOf(object.content) }
}

function fundsMessage({ address, amount }: FundsChange): GrpcTypes.ChangedObject {
  const operations = GrpcTypes.AccumulatorWrite_AccumulatorOperation
  return GrpcTypes.ChangedObject.create({
    objectId: accumulatorId(address),
    inputState: GrpcTypes.ChangedObject_InputObjectState.DOES_NOT_EXIST,
    outputState: GrpcTypes.ChangedObject_OutputObjectState.ACCUMULATOR_WRITE,
    idOperation: GrpcTypes.ChangedObject_IdOperation.NONE,
    accumulatorWrite: {
      address,
      accumulatorType: balanceType,
      operation: amount < 0n ? operations.SPLIT : operations.MERGE,
      valueKind: GrpcTypes.AccumulatorWrite_AccumulatorValue.INTEGER,
      integerValue: amount < 0n ? -amount : amount,
    },
  })
}

function failureMessage({ kind, message, command, details }: ExecutionFailure): GrpcTypes.ExecutionError {
  return {
    description: message,
    kind: failureKinds[kind],
    errorDetails: detailsMessage(details),
    ...(command === undefined ? {} : { command: BigInt(command) }),
  }
}

function detailsMessage(details: ExecutionFailure['details']): GrpcTypes.ExecutionError['errorDetails'] {
  if (details === undefined) return { oneofKind: undefined }
  if ('abort' in details) {
    const { package: from, module, function: functionName, code } = details.abort
    const location = { package: from, module, function: 0, instruction: 0, functionName }
    return { oneofKind: 'abort', abort: { abortCode: code, location } }
  }
  if ('argument' in details) {
    const kind = argumentKinds[details.argumentKind]
    return { oneofKind: 'commandArgumentError', commandArgumentError: { argument: details.argument, kind } }
  }
  if ('congested' in details) return { oneofKind: 'congestedObjects', congestedObjects: { objects: [...details.congested] } }
  return { oneofKind: 'indexError', indexError: { index: details.result, subresult: details.subresult } }
}
