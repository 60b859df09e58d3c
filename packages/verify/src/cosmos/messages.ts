import { digitsOf } from '../bytes/hex.ts'
import { DecodeError, shown } from '../errors.ts'
import type { Call, Value } from '../types.ts'
import { bytesOfGroups, readBech32 } from './bech32.ts'
import { amountOf } from './coin.ts'
import { ANY } from './envelope.ts'
import { type CompiledMessage, type CosmosFields, type CosmosKind, wireOf } from './layout.ts'
import { readMessage } from './protobuf.ts'

/** Facts against which a message is read. */
interface Reading {
  readonly signer: string
  readonly prefix: string
  readonly denom: string
}

/** Account addresses have 20 bytes where they come from a key, and 32 otherwise; a validator's has those of its operator. */
const ADDRESS_LENGTHS = [20, 32]

/**
 * Reads one message of a transaction, wrapped in an `Any`.
 *
 * @param messages layouts by type
 * @returns a call with the method `unknown message` for a type without a layout
 * @throws DecodeError for a message in another form than the canonical one of its layout, or for another signer
 */
export function readCall(bytes: Uint8Array, path: string, messages: ReadonlyMap<string, CompiledMessage>, reading: Reading): Call {
  const { type_url: target, value: content } = readMessage(bytes, ANY, path)
  const message = messages.get(target)
  if (message === undefined) return { target, method: 'unknown message', args: { value: `0x${digitsOf(content)}` }, value: 0n }
  // fromEntries defines properties, so that an argument may even be called __proto__.
  const args = Object.fromEntries(readFields(content, message.fields, path, reading))
  const { spends, method } = message
  // In another unit than the native one they are not a native amount.
  const value = spends && args[spends.denom] === reading.denom ? args[spends.amount] : 0n
  return { target, method, args, value: typeof value === 'bigint' ? value : 0n }
}

function readFields(bytes: Uint8Array, fields: CosmosFields, path: string, reading: Reading): readonly (readonly [string, Value])[] {
  const members: Readonly<Record<string, unknown>> = readMessage(bytes, wireOf(fields), path)
  return Object.entries(fields).flatMap(([name, field]): readonly (readonly [string, Value])[] => {
    const where = `${path}.${name}`
    const value = members[name]
    if (field.kind === 'message') return readFields(value as Uint8Array, field.fields, where, reading)
    if (field.kind === 'messages') {
      const items = (value as readonly Uint8Array[]).map((item, i) => readFields(item, field.fields, `${where}[${i}]`, reading))
      return [[name, items.map((item) => item.map(([, each]) => each))]]
    }
    const absent = value === '' || value === 0n || (value instanceof Uint8Array && value.length === 0)
    return [[name, absent ? ABSENT[field.kind] : READERS[field.kind](value as never, where, reading)]]
  })
}

/** Values as which absent fields are read: a field of its default value leaves no bytes. */
const ABSENT: Readonly<Record<CosmosKind, Value>> = {
  signer: '',
  account: '',
  validator: '',
  amount: 0n,
  text: '',
  bytes: '0x',
  uint64: 0n,
  int64: 0n,
  bool: false,
}

const READERS: Readonly<Record<CosmosKind, (value: never, path: string, reading: Reading) => Value>> = {
  signer: (text: string, path, { signer }) => {
    if (text === signer) return text
    throw new DecodeError(
      `${path} is ${shown(text)}, who would have to sign, too; it must be the address of the only signer, ${shown(signer)}`,
    )
  },
  account: (text: string, path, { prefix }) => checkAddress(text, prefix, path),
  validator: (text: string, path, { prefix }) => checkAddress(text, `${prefix}valoper`, path),
  amount: (text: string, path) => amountOf(text, path),
  text: (text: string) => text,
  bytes: (bytes: Uint8Array) => `0x${digitsOf(bytes)}`,
  uint64: (value: bigint) => value,
  int64: (value: bigint) => BigInt.asIntN(64, value),
  bool: (value: bigint, path) => {
    if (value !== 1n) throw new DecodeError(`${path} is ${value}; a truth value is 1, or left out`)
    return true
  },
}

function checkAddress(text: string, prefix: string, path: string): string {
  const read = readBech32(text, path)
  if (read.prefix !== prefix || text !== text.toLowerCase()) {
    throw new DecodeError(`${path} is ${shown(text)}; it must begin with ${shown(`${prefix}1`)}`)
  }
  const bytes = bytesOfGroups(read.groups)
  if (bytes === null || !ADDRESS_LENGTHS.includes(bytes.length)) {
    throw new DecodeError(`${path} is ${shown(text)}; an address has ${ADDRESS_LENGTHS.join(' or ')} bytes`)
  }
  return text
}
