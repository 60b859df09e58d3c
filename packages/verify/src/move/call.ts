import { at } from '../at.ts'
import type { Call, Value } from '../types.ts'
import type { Arguments } from './arguments.ts'
import type { Argument, Command } from './commands.ts'
import { type Functions, PTB } from './layout.ts'
import { typesText } from './type-tag.ts'

/**
 * Reads one command of a transaction as a call.
 *
 * @param functions which say what the arguments of a function are
 * @returns a call with the method `unknown …` for a function without a layout, and for commands that staking does not need
 * @throws DecodeError when an argument is not of the type it must have
 */
export function readCall(command: Command, index: number, args: Arguments, functions: Functions): Call {
  const where = (name: string) => `${name} of command ${index}`
  const read = (argument: Argument, name: string) => args.read(argument, 'argument', where(name))

  switch (command.kind) {
    case 'SplitCoins':
      return call(PTB, 'SplitCoins(argument coin, u64[] amounts)', {
        coin: read(command.coin, 'the coin'),
        amounts: command.amounts.map((amount, i) => args.read(amount, 'u64', where(`amount ${i}`))),
      })
    case 'MergeCoins':
      return call(PTB, 'MergeCoins(argument into, argument[] coins)', {
        into: read(command.into, 'the coin'),
        coins: command.coins.map((coin, i) => read(coin, `coin ${i}`)),
      })
    case 'TransferObjects':
      return call(PTB, 'TransferObjects(argument[] objects, address recipient)', {
        objects: command.objects.map((object, i) => read(object, `object ${i}`)),
        recipient: args.read(command.recipient, 'address', where('the recipient')),
      })
    case 'other':
      return call(PTB, `unknown ${command.name}`, { ...command.details, arguments: rawAll(command.args, args, where) })
    case 'MoveCall':
      return readMoveCall(command, args, functions, where)
  }
}

function readMoveCall(
  { target, function: name, types, args: operands }: Extract<Command, { kind: 'MoveCall' }>,
  args: Arguments,
  functions: Functions,
  where: (name: string) => string,
): Call {
  const method = functions(target, name, typesText(types), operands.length)
  if (method === undefined) {
    return call(target, `unknown ${name}${typesText(types)}`, { arguments: rawAll(operands, args, where) })
  }
  const entries = method.params.map(({ type, name }, i): [string, Value] => [
    name,
    args.read(at(operands, i), type, where(`argument ${name}`)),
  ])
  // fromEntries defines properties, so that a parameter may even be called __proto__.
  return call(target, method.text, Object.fromEntries(entries))
}

function rawAll(operands: readonly Argument[], args: Arguments, where: (name: string) => string): readonly string[] {
  return operands.map((argument, i) => args.raw(argument, where(`argument ${i}`)))
}

function call(target: string, method: string, args: Readonly<Record<string, Value>>): Call {
  return { target, method, args, value: 0n }
}
