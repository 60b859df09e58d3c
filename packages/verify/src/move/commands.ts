import { DecodeError } from '../errors.ts'
import type { Value } from '../types.ts'
import type { Bcs } from './bcs.ts'
import { readType } from './type-tag.ts'

/** Argument that a command takes. */
export type Argument =
  | { readonly kind: 'gas' }
  | { readonly kind: 'input'; readonly index: number }
  /** Result number `result` of an earlier command. */
  | { readonly kind: 'result'; readonly command: number; readonly result: number }

/** One step of a programmable transaction. */
export type Command =
  | {
      readonly kind: 'MoveCall'
      readonly target: string
      readonly function: string
      readonly types: readonly string[]
      readonly args: readonly Argument[]
    }
  | { readonly kind: 'TransferObjects'; readonly objects: readonly Argument[]; readonly recipient: Argument }
  | { readonly kind: 'SplitCoins'; readonly coin: Argument; readonly amounts: readonly Argument[] }
  | { readonly kind: 'MergeCoins'; readonly into: Argument; readonly coins: readonly Argument[] }
  /** Command that staking does not need, read only to find its end and to name it. */
  | { readonly kind: 'other'; readonly name: string; readonly args: readonly Argument[]; readonly details: Readonly<Record<string, Value>> }

/**
 * The chain refuses more: `max_arguments`, https://github.com/MystenLabs/sui/blob/main/crates/sui-protocol-config/src/lib.rs
 * (read 2026-11-21).
 */
const MAX_ARGUMENTS = 512

/**
 * Reads one command of a programmable transaction.
 *
 * @param index of the command, which may use what those before it made
 * @throws DecodeError when there is no such command, or an argument cannot be one
 * @see https://github.com/MystenLabs/sui/blob/main/crates/sui-types/src/transaction.rs `Command` (read 2026-11-21)
 */
export function readCommand(from: Bcs, index: number): Command {
  const what = `command ${index}`
  const one = (name: string) => readArgument(from, index, `${name} of ${what}`)
  const many = (name: string) => {
    const args = from.list((i) => one(`${name} ${i}`), `arguments of ${what}`)
    if (args.length > MAX_ARGUMENTS) throw new DecodeError(`${what} has ${args.length} arguments; it may have ${MAX_ARGUMENTS}`)
    return args
  }
  const blocks = () => BigInt(from.list((i) => from.block(`module ${i} of ${what}`), `modules of ${what}`).length)
  const dependencies = () => from.list((i) => from.address(`dependency ${i} of ${what}`), `dependencies of ${what}`)

  const kind = from.size(`the kind of ${what}`)
  switch (kind) {
    case 0: {
      const target = `${from.address(`the package of ${what}`)}::${from.identifier(`the module of ${what}`)}`
      return {
        kind: 'MoveCall',
        target,
        function: from.identifier(`the function of ${what}`),
        types: from.list((i) => readType(from, `type ${i} of ${what}`), `types of ${what}`),
        args: many('argument'),
      }
    }
    case 1:
      return { kind: 'TransferObjects', objects: many('object'), recipient: one('the recipient') }
    case 2:
      return { kind: 'SplitCoins', coin: one('the coin'), amounts: many('amount') }
    case 3:
      return { kind: 'MergeCoins', into: one('the coin'), coins: many('coin') }
    case 4:
      return { kind: 'other', name: 'Publish', details: { modules: blocks(), dependencies: dependencies() }, args: [] }
    case 5: {
      const type = from.option(() => readType(from, `the type of ${what}`), `the type of ${what}`)
      return { kind: 'other', name: 'MakeMoveVec', details: type === null ? {} : { type }, args: many('element') }
    }
    case 6: {
      const details = { modules: blocks(), dependencies: dependencies(), package: from.address(`the package of ${what}`) }
      return { kind: 'other', name: 'Upgrade', details, args: [one('the ticket')] }
    }
    default:
      throw new DecodeError(`${what} is of kind ${kind}; it must be a command of a kind from 0 to 6`)
  }
}

function readArgument(from: Bcs, commands: number, what: string): Argument {
  const kind = from.size(`the kind of ${what}`)
  if (kind === 0) return { kind: 'gas' }
  if (kind === 1) return { kind: 'input', index: from.u16(what) }
  if (kind !== 2 && kind !== 3) {
    throw new DecodeError(`${what} is of kind ${kind}; it must be 0, the gas coin, 1, an input, or 2 or 3, a result`)
  }
  const command = from.u16(what)
  if (command >= commands) throw new DecodeError(`${what} is a result of command ${command}; it must be one of an earlier command`)
  return { kind: 'result', command, result: kind === 3 ? from.u16(what) : 0 }
}
