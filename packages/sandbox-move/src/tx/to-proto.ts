import { GrpcTypes } from '@mysten/sui/grpc'
import { fromBase64 } from '@mysten/sui/utils'
import { type Argument, type CallArg, type Command, type Expiration, programmableOf, type TransactionData } from './data.ts'
import { encodeTransaction } from './decode.ts'

/** Writes a transaction in protobuf, with its BCS. */
export function transactionMessage(data: TransactionData, digest: string): GrpcTypes.Transaction {
  const { inputs, commands } = programmableOf(data)
  const { owner, price, budget, payment } = data.gasData
  return GrpcTypes.Transaction.create({
    bcs: { name: 'TransactionData', value: encodeTransaction(data) },
    digest,
    version: 1,
    kind: {
      kind: GrpcTypes.TransactionKind_Kind.PROGRAMMABLE_TRANSACTION,
      data: {
        oneofKind: 'programmableTransaction',
        programmableTransaction: { inputs: inputs.map(inputMessage), commands: commands.map(commandMessage) },
      },
    },
    sender: data.sender,
    gasPayment: {
      objects: payment.map(({ objectId, version, digest }) => ({ objectId, version: BigInt(version), digest })),
      owner,
      price: BigInt(price),
      budget: BigInt(budget),
    },
    expiration: expirationMessage(data.expiration),
  })
}

function inputMessage(input: CallArg): GrpcTypes.Input {
  const kinds = GrpcTypes.Input_InputKind
  if (input.$kind === 'Pure') return { kind: kinds.PURE, pure: fromBase64(input.Pure.bytes) }
  if (input.$kind === 'Object') return objectInput(input.Object)
  const { reservation, typeArg, withdrawFrom } = input.FundsWithdrawal
  const sources = GrpcTypes.FundsWithdrawal_Source
  const source = withdrawFrom.$kind === 'Sponsor' ? sources.SPONSOR : sources.SENDER
  const fundsWithdrawal = { amount: BigInt(reservation.MaxAmountU64), coinType: typeArg.Balance, source }
  return { kind: kinds.FUNDS_WITHDRAWAL, fundsWithdrawal }
}

function objectInput(argument: Extract<CallArg, { $kind: 'Object' }>['Object']): GrpcTypes.Input {
  const kinds = GrpcTypes.Input_InputKind
  if (argument.$kind === 'SharedObject') {
    const { objectId, initialSharedVersion, mutable } = argument.SharedObject
    return { kind: kinds.SHARED, objectId, version: BigInt(initialSharedVersion), mutable }
  }
  const owned = argument.$kind === 'ImmOrOwnedObject'
  const { objectId, version, digest } = owned ? argument.ImmOrOwnedObject : argument.Receiving
  return { kind: owned ? kinds.IMMUTABLE_OR_OWNED : kinds.RECEIVING, objectId, version: BigInt(version), digest }
}

/** Writes an argument in protobuf. */
export function argumentMessage(argument: Argument): GrpcTypes.Argument {
  const kinds = GrpcTypes.Argument_ArgumentKind
  switch (argument.$kind) {
    case 'GasCoin':
      return { kind: kinds.GAS }
    case 'Input':
      return { kind: kinds.INPUT, input: argument.Input }
    case 'Result':
      return { kind: kinds.RESULT, result: argument.Result }
    case 'NestedResult':
      return { kind: kinds.RESULT, result: argument.NestedResult[0], subresult: argument.NestedResult[1] }
  }
}

function commandMessage(command: Command): GrpcTypes.Command {
  const all = (list: readonly Argument[]) => list.map(argumentMessage)
  switch (command.$kind) {
    case 'SplitCoins': {
      const { coin, amounts } = command.SplitCoins
      return { command: { oneofKind: 'splitCoins', splitCoins: { coin: argumentMessage(coin), amounts: all(amounts) } } }
    }
    case 'MergeCoins': {
      const { destination, sources } = command.MergeCoins
      return { command: { oneofKind: 'mergeCoins', mergeCoins: { coin: argumentMessage(destination), coinsToMerge: all(sources) } } }
    }
    case 'TransferObjects': {
      const { objects, address } = command.TransferObjects
      return { command: { oneofKind: 'transferObjects', transferObjects: { objects: all(objects), address: argumentMessage(address) } } }
    }
    case 'MakeMoveVec': {
      const { type, elements } = command.MakeMoveVec
      const makeMoveVector = { elements: all(elements), ...(type == null ? {} : { elementType: type }) }
      return { command: { oneofKind: 'makeMoveVector', makeMoveVector } }
    }
    case 'MoveCall': {
      const { package: from, module, function: name, typeArguments, arguments: args } = command.MoveCall
      const moveCall = { package: from, module, function: name, typeArguments: [...typeArguments], arguments: all(args) }
      return { command: { oneofKind: 'moveCall', moveCall } }
    }
    default:
      return { command: { oneofKind: undefined } }
  }
}

function expirationMessage(expiration: Expiration): GrpcTypes.TransactionExpiration {
  const kinds = GrpcTypes.TransactionExpiration_TransactionExpirationKind
  if (expiration.$kind === 'None') return { kind: kinds.NONE }
  if (expiration.$kind === 'Epoch') return { kind: kinds.EPOCH, epoch: BigInt(expiration.Epoch) }
  const isValidity = expiration.$kind === 'Validity'
  const { minEpoch, maxEpoch, chain, nonce } = isValidity ? expiration.Validity : expiration.ValidDuring
  const proposers = isValidity ? expiration.Validity.allowedProposers : null
  return {
    kind: isValidity ? kinds.VALIDITY : kinds.VALID_DURING,
    chain,
    nonce,
    ...(minEpoch === null ? {} : { minEpoch: BigInt(minEpoch) }),
    ...(maxEpoch === null ? {} : { epoch: BigInt(maxEpoch) }),
    ...(proposers === null ? {} : { allowedProposers: { epoch: BigInt(proposers.epoch), proposers: [...proposers.proposers] } }),
  }
}
