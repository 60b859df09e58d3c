import { DecodeError, shown } from '../errors.ts'
import type { Call } from '../types.ts'
import { bytesOfGroups, readBech32 } from './bech32.ts'
import { readCoin } from './coin.ts'
import { ANY, CANCELLATION, DELEGATION, WITHDRAWAL } from './layouts.ts'
import { readMessage } from './protobuf.ts'

/** What a message is read against. */
export interface Reading {
  readonly signer: string
  readonly prefix: string
  readonly denom: string
}

type Reader = (bytes: Uint8Array, path: string, reading: Reading) => Omit<Call, 'target'>

/** Every message that is known. A Map, so that no inherited name of an object passes for one. */
const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['/cosmos.staking.v1beta1.MsgDelegate', readDelegate],
  ['/cosmos.staking.v1beta1.MsgUndelegate', readUndelegate],
  ['/cosmos.staking.v1beta1.MsgCancelUnbondingDelegation', readCancel],
  ['/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward', readWithdraw],
])

/** Account addresses have 20 bytes where they come from a key, and 32 otherwise; a validator's has those of its operator. */
const ADDRESS_LENGTHS = [20, 32]

/**
 * Reads one message of a transaction, wrapped in an `Any`.
 *
 * @throws DecodeError for a message of an unknown type, in another form than the canonical, or of another delegator than the signer
 */
export function readCall(bytes: Uint8Array, path: string, reading: Reading): Call {
  const { type_url: target, value } = readMessage(bytes, ANY, path)
  const read = READERS.get(target)
  if (read === undefined) {
    throw new DecodeError(`${path} is a message of the type ${shown(target)}; it must be one of ${[...READERS.keys()].join(', ')}`)
  }
  return { target, ...read(value, path, reading) }
}

function readDelegate(bytes: Uint8Array, path: string, reading: Reading): Omit<Call, 'target'> {
  const args = delegationArgs(readMessage(bytes, DELEGATION, path), path, reading)
  // The only one of these messages that takes coins out of the account; in another unit than the native one they are no native amount.
  const value = args.denom === reading.denom ? args.amount : 0n
  return { method: 'MsgDelegate(delegator, validator, denom, amount)', args, value }
}

function readUndelegate(bytes: Uint8Array, path: string, reading: Reading): Omit<Call, 'target'> {
  const args = delegationArgs(readMessage(bytes, DELEGATION, path), path, reading)
  return { method: 'MsgUndelegate(delegator, validator, denom, amount)', args, value: 0n }
}

function readCancel(bytes: Uint8Array, path: string, reading: Reading): Omit<Call, 'target'> {
  const message = readMessage(bytes, CANCELLATION, path)
  const creationHeight = message.creation_height
  if (creationHeight >= 1n << 63n) {
    throw new DecodeError(`${path}.creation_height is ${BigInt.asIntN(64, creationHeight)}; it must be a block height, above 0`)
  }
  const args = { ...delegationArgs(message, path, reading), creationHeight }
  return { method: 'MsgCancelUnbondingDelegation(delegator, validator, denom, amount, creationHeight)', args, value: 0n }
}

function readWithdraw(bytes: Uint8Array, path: string, reading: Reading): Omit<Call, 'target'> {
  const args = partyArgs(readMessage(bytes, WITHDRAWAL, path), path, reading)
  return { method: 'MsgWithdrawDelegatorReward(delegator, validator)', args, value: 0n }
}

interface Parties {
  readonly delegator_address: string
  readonly validator_address: string
}

function delegationArgs(message: Parties & { readonly amount: Uint8Array }, path: string, reading: Reading) {
  return { ...partyArgs(message, path, reading), ...readCoin(message.amount, `${path}.amount`) }
}

function partyArgs(message: Parties, path: string, { signer, prefix }: Reading): { delegator: string; validator: string } {
  const { delegator_address: delegator, validator_address: validator } = message
  if (delegator !== signer) {
    throw new DecodeError(
      `${path}.delegator_address is ${shown(delegator)}, who would have to sign, too; it must be the address of the only signer, ${shown(signer)}`,
    )
  }
  checkAddress(validator, `${prefix}valoper`, `${path}.validator_address`)
  return { delegator, validator }
}

function checkAddress(text: string, prefix: string, path: string): void {
  const read = readBech32(text, path)
  if (read.prefix !== prefix || text !== text.toLowerCase()) {
    throw new DecodeError(`${path} is ${shown(text)}; it must begin with ${shown(`${prefix}1`)}`)
  }
  const bytes = bytesOfGroups(read.groups)
  if (bytes === null || !ADDRESS_LENGTHS.includes(bytes.length)) {
    throw new DecodeError(`${path} is ${shown(text)}; an address has ${ADDRESS_LENGTHS.join(' or ')} bytes`)
  }
}
