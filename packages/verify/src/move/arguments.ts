import { digitsOf } from '../bytes/hex.ts'
import { DecodeError } from '../errors.ts'
import type { Value } from '../types.ts'
import { type Bcs, bcs } from './bcs.ts'
import type { Argument } from './commands.ts'
import type { Input } from './inputs.ts'
import type { Pure, Type } from './method.ts'

/** Reader of the arguments of all commands of a transaction, which checks that its inputs are all used, each as one thing. */
export interface Arguments {
  /** Returns an argument in the form of effects, if it is of the type. */
  read(argument: Argument, type: Type, where: string): Value
  /** Returns an argument of an unknown command, for reports only. */
  raw(argument: Argument, where: string): string
  refuseUnused(): void
}

/** Longer values are not shown whole. */
const MAX_SHOWN = 64

/**
 * Makes the reader of a transaction's arguments. It also checks that every input is used.
 *
 * @throws DecodeError from every member, when an argument is not of its type, or an input is missing, not used, or used as two types
 */
export function argumentsOf(inputs: readonly Input[]): Arguments {
  const used = new Set<number>()
  const types = new Map<number, Pure>()

  function inputOf(index: number, where: string): Input {
    const entry = inputs[index]
    if (entry === undefined) {
      throw new DecodeError(`${where} is input ${index} of ${inputs.length}; it must be below their number`)
    }
    used.add(index)
    return entry
  }

  function raw(argument: Argument, where: string): string {
    if (argument.kind === 'gas') return 'GasCoin'
    if (argument.kind === 'result') return `Result(${argument.command},${argument.result})`
    const input = inputOf(argument.index, where)
    if (input.kind === 'object') return input.id
    if (input.kind === 'withdrawal') return input.text
    const { length } = input.bytes
    return `pure 0x${digitsOf(input.bytes.subarray(0, MAX_SHOWN))}${length > MAX_SHOWN ? `… (${length} bytes)` : ''}`
  }

  return {
    raw,
    read: (argument, type, where) => {
      const text = raw(argument, where)
      const input = argument.kind === 'input' ? inputOf(argument.index, where) : null
      const fits = type === 'argument' ? input?.kind !== 'pure' : input?.kind === (type === 'object' ? 'object' : 'pure')
      if (!fits) throw new DecodeError(`${where} is ${text}; it must be ${SAID[type] ?? `a pure value of type ${type}`}`)
      if (argument.kind !== 'input' || input?.kind !== 'pure' || type === 'object' || type === 'argument') return text

      const before = types.get(argument.index) ?? type
      if (before !== type)
        throw new DecodeError(`input ${argument.index} is used as ${before} and, by ${where}, as ${type}; it must have one type`)
      types.set(argument.index, type)
      const from = bcs(input.bytes, where)
      const value = PURES[type](from)
      from.end()
      return value
    },
    refuseUnused: () => {
      inputs.forEach((_, i) => {
        if (!used.has(i)) throw new DecodeError(`input ${i} is not used by any command; it must not be there`)
      })
    },
  }
}

const SAID: Readonly<Partial<Record<Type, string>>> = {
  object: 'an input that is an object',
  argument: 'the gas coin, a result, an object or a withdrawal',
}

/** Each value in the encoding of its Move type. */
const PURES: Readonly<Record<Pure, (from: Bcs) => Value>> = {
  u8: (from) => BigInt(from.u8('its 8 bits')),
  u16: (from) => BigInt(from.u16('its 16 bits')),
  u32: (from) => BigInt(from.u32('its 32 bits')),
  u64: (from) => from.u64('its 64 bits'),
  bool: (from) => from.bool('the value'),
  address: (from) => from.address('its address'),
  id: (from) => from.address('its id'),
  bytes: (from) => `0x${digitsOf(from.block('its bytes'))}`,
}
