import { digitsOf } from '../bytes/hex.ts'
import { EncodeError, shown } from '../errors.ts'
import type { Value } from '../types.ts'
import type { AbiType, Param } from './signature.ts'

/**
 * Encodes arguments in canonical ABI form.
 *
 * @param values in the order of `params`
 * @returns hex digits without `0x`
 * @throws EncodeError when a value does not fit its type
 * @see https://docs.soliditylang.org/en/latest/abi-spec.html (read 2026-11-21)
 */
export function writeArguments(params: readonly Param[], values: readonly Value[]): string {
  return writeMembers(params, values, '')
}

function writeMembers(params: readonly Param[], values: readonly Value[], path: string): string {
  let heads = ''
  let tails = ''
  const size = params.reduce((sum, param) => sum + param.type.head, 0)
  params.forEach(({ name, type }, i) => {
    const part = writePart(type, values[i], path === '' ? name : `${path}.${name}`)
    heads += type.dynamic ? word(BigInt(size + tails.length / 2)) : part
    if (type.dynamic) tails += part
  })
  return heads + tails
}

function writeItems(item: AbiType, values: readonly Value[], path: string): string {
  let heads = ''
  let tails = ''
  values.forEach((value, i) => {
    const part = writePart(item, value, `${path}[${i}]`)
    heads += item.dynamic ? word(BigInt(32 * values.length + tails.length / 2)) : part
    if (item.dynamic) tails += part
  })
  return heads + tails
}

function writePart(type: AbiType, value: Value | undefined, name: string): string {
  switch (type.kind) {
    case 'uint':
      if (typeof value !== 'bigint' || BigInt.asUintN(type.bits, value) !== value) throw unfit(value, type, name)
      return word(value)
    case 'int':
      if (typeof value !== 'bigint' || BigInt.asIntN(type.bits, value) !== value) throw unfit(value, type, name)
      return word(BigInt.asUintN(256, value))
    case 'bool':
      if (typeof value !== 'boolean') throw unfit(value, type, name)
      return word(value ? 1n : 0n)
    case 'address':
      return hexDigits(value, 20, type, name).padStart(64, '0')
    case 'bytesN':
      return hexDigits(value, type.size, type, name).padEnd(64, '0')
    case 'bytes':
      return sized(hexDigits(value, null, type, name))
    case 'string':
      // A lone surrogate has no UTF-8; the platform's encoder would quietly write another character.
      if (typeof value !== 'string' || !value.isWellFormed()) throw unfit(value, type, name)
      return sized(digitsOf(new TextEncoder().encode(value)))
    case 'tuple':
      if (!Array.isArray(value) || value.length !== type.params.length) throw unfit(value, type, name)
      return writeMembers(type.params, value, name)
    case 'array': {
      if (!Array.isArray(value) || (type.length !== null && value.length !== type.length)) throw unfit(value, type, name)
      // Spread, because a list with holes would otherwise be written shorter than its length.
      const items = writeItems(type.item, [...value], name)
      return type.length === null ? word(BigInt(value.length)) + items : items
    }
  }
}

function hexDigits(value: Value | undefined, size: number | null, type: AbiType, name: string): string {
  if (typeof value !== 'string' || !/^0x(?:[0-9a-fA-F]{2})*$/.test(value)) throw unfit(value, type, name)
  if (size !== null && value.length !== 2 + 2 * size) throw unfit(value, type, name)
  return value.slice(2).toLowerCase()
}

function sized(digits: string): string {
  return word(BigInt(digits.length / 2)) + digits.padEnd(64 * Math.ceil(digits.length / 64), '0')
}

function word(value: bigint): string {
  return value.toString(16).padStart(64, '0')
}

function unfit(value: unknown, type: AbiType, name: string): EncodeError {
  return new EncodeError(
    `${name} is ${shown(value)}, which is no ${type.text}; integers are bigints, addresses and bytes are 0x hex of the full length`,
  )
}
