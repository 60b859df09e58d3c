import { GrpcTypes } from '@mysten/sui/grpc'
import { toBase64 } from '@mysten/sui/utils'
import { suiType } from '../constants.ts'
import { GrpcError, invalid } from '../errors.ts'
import type { Node } from '../node.ts'
import { isAddress } from '../rpc/identifiers.ts'
import { inFull } from '../vm/run.ts'
import type { Argument, CallArg, Command, Expiration, TransactionData } from './data.ts'

/** A transaction of a request, and what of its gas it left to the node. */
interface Resolved {
  readonly data: TransactionData
  readonly budgetGiven: boolean
}

/**
 * Reads a transaction that may be incomplete: objects may be named by their id alone, and gas left out.
 *
 * @param fallback what the price and the budget are when they are left out
 * @throws GrpcError `INVALID_ARGUMENT`; `NOT_FOUND` for an object that is not there
 */
export function resolveTransaction(node: Node, message: GrpcTypes.Transaction, fallback: { price: bigint; budget: bigint }): Resolved {
  const kind = message.kind?.data
  if (kind?.oneofKind !== 'programmableTransaction') throw invalid('missing kind: the sandbox runs programmable transactions only')
  const sender = isAddress('sender', message.sender)
  const { inputs, commands } = kind.programmableTransaction
  const gas = message.gasPayment
  const data: TransactionData = {
    kind: {
      $kind: 'ProgrammableTransaction',
      ProgrammableTransaction: { inputs: inputs.map((input) => inputOf(node, input)), commands: commands.map(commandOf) },
    },
    sender,
    gasData: {
      payment: (gas?.objects ?? []).map((reference) => ownedReference(node, reference)),
      owner: gas?.owner === undefined ? sender : isAddress('gas_payment.owner', gas.owner),
      price: String(gas?.price ?? fallback.price),
      budget: String(gas?.budget ?? fallback.budget),
    },
    expiration: expirationOf(message.expiration),
  }
  return { data, budgetGiven: gas?.budget !== undefined }
}

function inputOf(node: Node, input: GrpcTypes.Input): CallArg {
  const kinds = GrpcTypes.Input_InputKind
  if (input.literal !== undefined) throw invalid('the sandbox does not model literals: give pure inputs as BCS')
  if (input.kind === kinds.PURE || input.pure !== undefined) {
    return { $kind: 'Pure', Pure: { bytes: toBase64(input.pure ?? new Uint8Array()) } }
  }
  if (input.kind === kinds.FUNDS_WITHDRAWAL) return withdrawalInput(input.fundsWithdrawal)
  if (input.kind === kinds.RECEIVING) throw invalid('the sandbox does not model receiving an object')
  const objectId = isAddress('object_id', input.objectId)
  if (input.kind === kinds.SHARED && input.version !== undefined && input.mutable !== undefined)
    return shared(objectId, input.version, input.mutable)
  if (input.kind === kinds.IMMUTABLE_OR_OWNED && input.version !== undefined && input.digest !== undefined) return owned(node, input)
  const object = node.state.objects.get(objectId)
  if (object === undefined) throw new GrpcError('NOT_FOUND', `Object ${objectId} not found`)
  const { owner } = object
  // An object that consensus sequences is named with the version at which that began. Nothing says for reading only: to change.
  if (owner.kind === 'shared' || owner.kind === 'consensus') return shared(objectId, input.version ?? owner.since, input.mutable ?? true)
  return owned(node, input)
}

function owned(node: Node, input: GrpcTypes.Input): CallArg {
  return { $kind: 'Object', Object: { $kind: 'ImmOrOwnedObject', ImmOrOwnedObject: ownedReference(node, input) } }
}

function shared(objectId: string, since: bigint, mutable: boolean): CallArg {
  const SharedObject = { objectId, initialSharedVersion: String(since), mutable }
  return { $kind: 'Object', Object: { $kind: 'SharedObject', SharedObject } }
}

function withdrawalInput(withdrawal: GrpcTypes.FundsWithdrawal | undefined): CallArg {
  const sources = GrpcTypes.FundsWithdrawal_Source
  const { amount, coinType, source } = withdrawal ?? {}
  if (amount === undefined) throw invalid('missing funds_withdrawal.amount')
  if (source === sources.SENDER_ALLOWANCE) throw invalid('the sandbox does not model allowances')
  return {
    $kind: 'FundsWithdrawal',
    FundsWithdrawal: {
      reservation: { $kind: 'MaxAmountU64', MaxAmountU64: String(amount) },
      typeArg: { $kind: 'Balance', Balance: inFull(coinType ?? suiType) },
      withdrawFrom: source === sources.SPONSOR ? { $kind: 'Sponsor', Sponsor: true } : { $kind: 'Sender', Sender: true },
    },
  }
}

function ownedReference(
  node: Node,
  reference: { objectId?: string; version?: bigint; digest?: string },
): { objectId: string; version: string; digest: string } {
  const objectId = isAddress('object_id', reference.objectId)
  if (reference.version !== undefined && reference.digest !== undefined)
    return { objectId, version: String(reference.version), digest: reference.digest }
  const object = node.state.objects.get(objectId)
  if (object === undefined) throw new GrpcError('NOT_FOUND', `Object ${objectId} not found`)
  return { objectId, version: String(reference.version ?? object.version), digest: reference.digest ?? object.digest }
}

function argumentOf(argument: GrpcTypes.Argument | undefined): Argument {
  const kinds = GrpcTypes.Argument_ArgumentKind
  switch (argument?.kind) {
    case kinds.GAS:
      return { $kind: 'GasCoin', GasCoin: true }
    case kinds.INPUT:
      return { $kind: 'Input', Input: argument.input ?? 0 }
    case kinds.RESULT: {
      const { result = 0, subresult } = argument
      return subresult === undefined ? { $kind: 'Result', Result: result } : { $kind: 'NestedResult', NestedResult: [result, subresult] }
    }
    default:
      throw invalid('invalid argument: its kind is missing')
  }
}

function commandOf({ command }: GrpcTypes.Command): Command {
  switch (command.oneofKind) {
    case 'splitCoins': {
      const { coin, amounts } = command.splitCoins
      return { $kind: 'SplitCoins', SplitCoins: { coin: argumentOf(coin), amounts: amounts.map(argumentOf) } }
    }
    case 'mergeCoins': {
      const { coin, coinsToMerge } = command.mergeCoins
      return { $kind: 'MergeCoins', MergeCoins: { destination: argumentOf(coin), sources: coinsToMerge.map(argumentOf) } }
    }
    case 'transferObjects': {
      const { objects, address } = command.transferObjects
      return { $kind: 'TransferObjects', TransferObjects: { objects: objects.map(argumentOf), address: argumentOf(address) } }
    }
    case 'makeMoveVector': {
      const { elementType, elements } = command.makeMoveVector
      const type = elementType === undefined ? null : inFull(elementType)
      return { $kind: 'MakeMoveVec', MakeMoveVec: { type, elements: elements.map(argumentOf) } }
    }
    case 'moveCall': {
      const { package: from, module = '', function: name = '', typeArguments, arguments: args } = command.moveCall
      const MoveCall = {
        package: isAddress('package', from),
        module,
        function: name,
        typeArguments: typeArguments.map(inFull),
        arguments: args.map(argumentOf),
      }
      return { $kind: 'MoveCall', MoveCall }
    }
    default:
      throw invalid(`the sandbox does not model the command ${command.oneofKind}`)
  }
}

function expirationOf(message: GrpcTypes.TransactionExpiration | undefined): Expiration {
  const kinds = GrpcTypes.TransactionExpiration_TransactionExpirationKind
  const kind = message?.kind
  if (message === undefined || kind === undefined || kind === kinds.NONE || kind === kinds.TRANSACTION_EXPIRATION_KIND_UNKNOWN) {
    return { $kind: 'None', None: true }
  }
  if (kind === kinds.EPOCH) return { $kind: 'Epoch', Epoch: Number(message.epoch ?? 0n) }
  const { minEpoch, epoch, minTimestamp, maxTimestamp, chain, nonce, allowedProposers } = message
  if (minTimestamp !== undefined || maxTimestamp !== undefined) throw invalid('Timestamp expiration is not supported')
  const window = {
    minEpoch: minEpoch === undefined ? null : String(minEpoch),
    maxEpoch: epoch === undefined ? null : String(epoch),
    minTimestamp: null,
    maxTimestamp: null,
    chain: chain ?? '',
    nonce: nonce ?? 0,
  }
  if (kind === kinds.VALID_DURING) return { $kind: 'ValidDuring', ValidDuring: window }
  const proposers =
    allowedProposers === undefined ? null : { epoch: String(allowedProposers.epoch ?? 0n), proposers: allowedProposers.proposers }
  return { $kind: 'Validity', Validity: { ...window, allowedProposers: proposers } }
}
