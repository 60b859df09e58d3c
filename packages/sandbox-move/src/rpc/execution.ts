import { GrpcTypes } from '@mysten/sui/grpc'
import { invalid } from '../errors.ts'
import { simulate } from '../tx/simulate.ts'
import { submit } from '../tx/submit.ts'
import { argumentMessage } from '../tx/to-proto.ts'
import type { CommandOutput } from '../vm/run.ts'
import { project, readMask } from './mask.ts'
import type { Handler, Handlers } from './method.ts'
import { executedMessage, transactionParts } from './transactions.ts'

const executeTransaction: Handler<GrpcTypes.ExecuteTransactionRequest> = async (node, request) => {
  const mask = readMask(GrpcTypes.ExecutedTransaction, request.readMask?.paths, 'effects')
  const bytes = request.transaction?.bcs?.value
  if (bytes === undefined) throw invalid('missing transaction: the sandbox executes BCS')
  const signatures = request.signatures.map(({ bcs }) => {
    if (bcs?.value === undefined) throw invalid('missing signatures.bcs: the sandbox reads serialized signatures')
    return bcs.value
  })
  return { transaction: executedMessage(await submit(node, bytes, signatures), mask) }
}

const simulateTransaction: Handler<GrpcTypes.SimulateTransactionRequest> = (node, request) => {
  const mask = readMask(GrpcTypes.SimulateTransactionResponse, request.readMask?.paths, '*')
  const simulation = simulate(node, request)
  const whole = GrpcTypes.SimulateTransactionResponse.create({
    transaction: transactionParts(simulation),
    commandOutputs: simulation.outputs.map(outputMessage),
    suggestedGasPrice: node.gasPrice,
  })
  return project(GrpcTypes.SimulateTransactionResponse, whole, mask)
}

function outputMessage({ returned, lent }: CommandOutput): GrpcTypes.CommandResult {
  return {
    returnValues: returned.map(({ type, bytes }) => ({ value: { name: type, value: bytes } })),
    mutatedByRef: lent.map(({ argument, type, bytes }) => ({ argument: argumentMessage(argument), value: { name: type, value: bytes } })),
  }
}

/** Methods of TransactionExecutionService. */
export const executionHandlers: Handlers = { ExecuteTransaction: executeTransaction, SimulateTransaction: simulateTransaction }
