import { suiType } from '../constants.ts'
import { GrpcError, inputError, invalid } from '../errors.ts'
import { maxBudget, maxGasCoins, maxGasPrice, minBudgetUnits } from '../gas.ts'
import { readReservation } from '../ids.ts'
import type { Node } from '../node.ts'
import type { MoveObject } from '../objects.ts'
import type { Argument, CallArg, Command, Reference, TransactionData } from './data.ts'
import { withdrawalOf } from './inputs.ts'
import { reservedBy } from './payment.ts'

/** Most commands of a transaction. @see sui-protocol-config `max_programmable_tx_commands` (read 2026-11-21) */
const maxCommands = 1024
/** Most epochs between the two of a window that replaces a gas coin: the next one. @see SIP-58 */
const maxWindow = 1n

/**
 * Checks a transaction against the state, as a validator does before it runs one.
 *
 * @param how.lenientGas true skips the checks of parts that a simulation has not chosen yet: gas coins and their sum
 * @throws GrpcError `INVALID_ARGUMENT`, with the texts of sui-types `UserInputError`
 */
export function checkTransaction(node: Node, data: TransactionData, how: { lenientGas?: boolean } = {}): void {
  const programmable = data.kind.ProgrammableTransaction
  if (programmable == null) throw invalid('the sandbox runs programmable transactions only')
  const { inputs, commands } = programmable
  if (commands.length === 0) throw inputError('Programmable transaction has no commands')
  if (commands.length > maxCommands)
    throw inputError(`Size limit exceeded: maximum commands in a programmable transaction is ${maxCommands}`)
  for (const { $kind } of commands) {
    if ($kind === 'Publish' || $kind === 'Upgrade') throw invalid(`the sandbox does not model ${$kind}`)
  }
  checkExpiration(node, data)
  checkPrice(node, data)
  checkDuplicates(data, inputs)
  for (const input of inputs) checkInput(node, input, data.sender)
  if (how.lenientGas !== true) checkPayment(node, data, commands)
  checkWithdrawals(node, data, inputs, how.lenientGas === true)
}

/**
 * Refuses a transaction whose object a conflicting one has taken, as where conflicts are decided behind consensus: the other one has been executed, and is named.
 *
 * @throws GrpcError `FAILED_PRECONDITION`
 */
export function checkConflicts(node: Node, data: TransactionData): void {
  for (const { objectId, version, digest } of references(data)) {
    const object = node.contested.has(objectId) ? node.state.objects.get(objectId) : undefined
    if (object === undefined || object.version <= BigInt(version)) continue
    throw new GrpcError(
      'FAILED_PRECONDITION',
      `Object (${objectId}, SequenceNumber(${version}), o#${digest}) already locked by a different transaction: TransactionDigest(${object.previousTransaction})`,
    )
  }
}

/** Lists the references of objects that only their owner uses: inputs and gas coins. */
export function references(data: TransactionData): Reference[] {
  const inputs = data.kind.ProgrammableTransaction?.inputs ?? []
  const owned = inputs.flatMap((input) =>
    input.$kind === 'Object' && input.Object.$kind === 'ImmOrOwnedObject' ? [input.Object.ImmOrOwnedObject] : [],
  )
  return [...owned, ...data.gasData.payment]
}

/** Tells whether any command uses the gas coin. */
export function usesGasCoin(commands: readonly Command[]): boolean {
  return commands.some((command) => argumentsOf(command).some(({ $kind }) => $kind === 'GasCoin'))
}

/** Every argument of a command. */
function argumentsOf(command: Command): readonly Argument[] {
  switch (command.$kind) {
    case 'MoveCall':
      return command.MoveCall.arguments
    case 'SplitCoins':
      return [command.SplitCoins.coin, ...command.SplitCoins.amounts]
    case 'MergeCoins':
      return [command.MergeCoins.destination, ...command.MergeCoins.sources]
    case 'TransferObjects':
      return [...command.TransferObjects.objects, command.TransferObjects.address]
    case 'MakeMoveVec':
      return command.MakeMoveVec.elements
    default:
      return []
  }
}

function checkExpiration(node: Node, { expiration }: TransactionData): void {
  const { epoch } = node
  if (expiration.$kind === 'None') return
  if (expiration.$kind === 'Epoch') {
    if (BigInt(expiration.Epoch) < epoch) throw inputError('Transaction Expired')
    return
  }
  const window = expiration.$kind === 'ValidDuring' ? expiration.ValidDuring : expiration.Validity
  const { minEpoch, maxEpoch, minTimestamp, maxTimestamp, chain } = window
  if (chain !== node.chainIdentifier) {
    throw inputError(`Invalid chain ID in transaction: expected ${node.chainIdentifier}, got ${chain}`)
  }
  if (minTimestamp !== null || maxTimestamp !== null) throw inputError('Timestamp expiration is not supported')
  if (minEpoch === null || maxEpoch === null) throw inputError('Both min_epoch and max_epoch must be specified')
  if (BigInt(maxEpoch) > BigInt(minEpoch) + maxWindow) throw inputError('max_epoch must be at most min_epoch + 1')
  if (epoch < BigInt(minEpoch) || epoch > BigInt(maxEpoch)) throw inputError('Transaction Expired')
}

function checkPrice(node: Node, { gasData }: TransactionData): void {
  const [price, budget] = [BigInt(gasData.price), BigInt(gasData.budget)]
  if (price < node.gasPrice) throw inputError(`Gas price ${price} under reference gas price (RGP) ${node.gasPrice}`)
  if (price > maxGasPrice) throw inputError(`Gas price cannot exceed ${maxGasPrice} mist`)
  if (budget > maxBudget) throw inputError(`Gas budget: ${budget} is higher than max: ${maxBudget}.`)
  const least = minBudgetUnits * price
  if (budget < least) throw inputError(`Gas budget: ${budget} is lower than min: ${least}.`)
}

function checkDuplicates(data: TransactionData, inputs: readonly CallArg[]): void {
  const visited = new Set<string>()
  const shared = inputs.flatMap((input) =>
    input.$kind === 'Object' && input.Object.$kind === 'SharedObject' ? [input.Object.SharedObject.objectId] : [],
  )
  for (const id of [...shared, ...references(data).map(({ objectId }) => objectId)]) {
    if (visited.has(id)) throw inputError(`Mutable object ${id} cannot appear more than one in one transaction.`)
    visited.add(id)
  }
}

function checkInput(node: Node, input: CallArg, sender: string): void {
  if (input.$kind !== 'Object') return
  if (input.Object.$kind === 'ImmOrOwnedObject') return void checkOwned(node, input.Object.ImmOrOwnedObject, sender)
  if (input.Object.$kind === 'Receiving') throw invalid('the sandbox does not model receiving an object')
  const { objectId, initialSharedVersion } = input.Object.SharedObject
  const { owner } = existing(node, { objectId, version: initialSharedVersion })
  if (owner.kind !== 'shared' && owner.kind !== 'consensus') throw inputError(`Object ${objectId} is not a shared object`)
  if (owner.since !== BigInt(initialSharedVersion)) throw inputError('The shared object start version does not match the input')
  if (owner.kind === 'consensus' && owner.address !== sender) throw wrongOwner(objectId, owner.address, sender)
}

/** @returns the object as it stands */
function checkOwned(node: Node, reference: Reference, signer: string): MoveObject {
  const object = existing(node, reference)
  if (object.owner.kind === 'object')
    throw inputError(`Child object ${object.id} cannot be used as an input: it is owned by ${object.owner.parent}`)
  if (object.owner.kind !== 'address') throw inputError(`Shared object ${object.id} cannot be used as an owned object`)
  if (object.version !== BigInt(reference.version)) {
    const sentence = `Transaction needs to be rebuilt because object ${object.id} version ${hex(reference.version)}`
    throw inputError(`${sentence} is unavailable for consumption, current version: ${hex(object.version)}`)
  }
  if (object.digest !== reference.digest) {
    throw inputError(`Invalid Object digest for object ${object.id}. Expected digest : ${object.digest}.`)
  }
  if (object.owner.address !== signer) throw wrongOwner(object.id, object.owner.address, signer)
  return object
}

function existing(node: Node, { objectId, version }: { objectId: string; version: string }): MoveObject {
  const object = node.state.objects.get(objectId)
  if (object !== undefined) return object
  throw inputError(`Could not find the referenced object ${objectId} at version Some(SequenceNumber(${version}))`)
}

function wrongOwner(id: string, owner: string, signer: string): GrpcError {
  return inputError(
    `Transaction was not signed by the correct sender: Object ${id} is owned by account address ${owner}, but given owner/signer address is ${signer}`,
  )
}

function checkPayment(node: Node, data: TransactionData, commands: readonly Command[]): void {
  const { payment, owner, budget } = data.gasData
  if (payment.length > maxGasCoins) {
    throw inputError(`Size limit exceeded: maximum number of gas payment objects is exceeded, limit is ${maxGasCoins}`)
  }
  if (payment.length === 0) {
    if (usesGasCoin(commands)) throw inputError('GasCoin cannot be used when gas is paid from an address balance')
    if (data.expiration.$kind !== 'ValidDuring' && data.expiration.$kind !== 'Validity') {
      throw inputError('Transactions with address balance gas payments must have a ValidDuring expiration')
    }
    return
  }
  let total = 0n
  for (const reference of payment) total += reservedBy(node, reference, owner) ?? coinBalance(node, reference, owner)
  if (total < BigInt(budget)) {
    throw inputError(`Balance of gas object ${total} is lower than the needed amount: ${budget}.`)
  }
}

function coinBalance(node: Node, reference: Reference, owner: string): bigint {
  const { content, id } = checkOwned(node, reference, owner)
  if (content.kind !== 'coin') throw inputError(`Invalid gas object: ${id} is no coin of ${suiType}`)
  return content.balance
}

/** Everything that is taken from an address balance, gas included, must be there. */
function checkWithdrawals(node: Node, data: TransactionData, inputs: readonly CallArg[], lenientGas: boolean): void {
  const { owner, payment, budget } = data.gasData
  const totals = new Map<string, bigint>()
  const add = (address: string, amount: bigint) => totals.set(address, (totals.get(address) ?? 0n) + amount)
  for (const input of inputs) {
    const withdrawal = withdrawalOf(input, data)
    if (withdrawal === undefined) continue
    if (withdrawal.amount === 0n) throw inputError('Invalid withdraw reservation: Balance withdraw reservation amount must be non-zero')
    add(withdrawal.from, withdrawal.amount)
  }
  if (!lenientGas && payment.length === 0) add(owner, BigInt(budget))
  if (!lenientGas) for (const reference of payment) add(owner, readReservation(reference, node.chainIdentifier)?.amount ?? 0n)
  for (const [address, amount] of totals) {
    const holdings = node.state.balance(address)
    if (amount <= holdings) continue
    throw inputError(
      `Invalid withdraw reservation: Available amount in account for object id of ${address} is less than requested: ${holdings} < ${amount}`,
    )
  }
}

function hex(version: string | bigint): string {
  return `0x${BigInt(version).toString(16)}`
}
