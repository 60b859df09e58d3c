import { present } from '@svc/sandbox'
import { frameworkPackage, suiType, systemPackage } from '../constants.ts'
import { typeOf } from '../objects.ts'
import type { Argument, Command } from '../tx/data.ts'
import { Arguments, type Slot } from './arguments.ts'
import { balanceFunctions, coinFunctions, transferFunctions } from './coins.ts'
import { argumentFailure, ExecutionFailure } from './failure.ts'
import type { MoveFunction } from './function.ts'
import { stakingPoolFunctions } from './staking-pool.ts'
import { systemFunctions } from './system.ts'
import { encodeValue, hasDrop, type Value } from './values.ts'
import type { World } from './world.ts'

/** Output of a command: what it gave back and what it changed of what it was lent, as type and BCS. */
export interface CommandOutput {
  readonly returned: readonly { type: string; bytes: Uint8Array }[]
  readonly lent: readonly { argument: Argument; type: string; bytes: Uint8Array }[]
}

const modules: Readonly<Record<string, Readonly<Record<string, MoveFunction>>>> = {
  [`${systemPackage}::sui_system`]: systemFunctions,
  [`${systemPackage}::staking_pool`]: stakingPoolFunctions,
  [`${frameworkPackage}::coin`]: coinFunctions,
  [`${frameworkPackage}::balance`]: balanceFunctions,
  [`${frameworkPackage}::transfer`]: transferFunctions,
}

/**
 * Runs the commands of a transaction, one after the other.
 *
 * @throws ExecutionFailure with the place of the command
 */
export function runCommands(
  world: World,
  commands: readonly Command[],
  slots: { gas: Slot | undefined; inputs: readonly Slot[] },
): CommandOutput[] {
  const results: Slot[][] = []
  const outputs: CommandOutput[] = []
  for (const [index, command] of commands.entries()) {
    try {
      const { used, args, returned } = run(world, command, (argument, at) => slotOf(argument, at, { ...slots, results }))
      outputs.push({
        returned: returned.map(encodeValue),
        lent: args.lent.map((at) => ({ argument: present(used[at], `an argument ${at}`), ...encodeValue(args.read(at)) })),
      })
      results.push(returned.map((value) => ({ value, origin: 'result', mutable: true, shared: false })))
    } catch (error) {
      if (error instanceof ExecutionFailure) error.command = index
      throw error
    }
  }
  if (world.checked) refuseLeftovers(results)
  return outputs
}

type Find = (argument: Argument, at: number) => Slot

function run(world: World, command: Command, find: Find): { used: readonly Argument[]; args: Arguments; returned: readonly Value[] } {
  const over = (used: readonly Argument[]) => ({ used, args: new Arguments(used.map(find)) })
  switch (command.$kind) {
    case 'SplitCoins': {
      const { used, args } = over([command.SplitCoins.coin, ...command.SplitCoins.amounts])
      const coin = args.lend(0, 'coin')
      const returned = command.SplitCoins.amounts.map((_, index) => {
        const amount = args.u64(index + 1)
        if (amount > coin.content.balance) {
          throw new ExecutionFailure('INSUFFICIENT_COIN_BALANCE', 'Insufficient coin balance for operation.')
        }
        coin.content = { kind: 'coin', balance: coin.content.balance - amount }
        return world.newCoin(amount)
      })
      return { used, args, returned }
    }
    case 'MergeCoins': {
      const { used, args } = over([command.MergeCoins.destination, ...command.MergeCoins.sources])
      const coin = args.lend(0, 'coin')
      for (const index of command.MergeCoins.sources.keys()) {
        const source = args.takeObject(index + 1, 'coin')
        world.destroy(source)
        coin.content = { kind: 'coin', balance: coin.content.balance + source.content.balance }
      }
      return { used, args, returned: [] }
    }
    case 'TransferObjects': {
      const { objects, address } = command.TransferObjects
      const { used, args } = over([...objects, address])
      const to = args.address(objects.length)
      for (const index of objects.keys()) world.transfer(args.takeToTransfer(index), to)
      return { used, args, returned: [] }
    }
    case 'MakeMoveVec': {
      const { used, args } = over(command.MakeMoveVec.elements)
      const items = command.MakeMoveVec.elements.map((_, index) => args.takeAny(index))
      const types = new Set(items.map(({ content }) => typeOf(content)))
      if (types.size > 1) throw argumentFailure(1, 'TYPE_MISMATCH', 'The elements of a vector are of one type')
      return { used, args, returned: [{ kind: 'vector', items }] }
    }
    case 'MoveCall': {
      const { package: from, module, function: name, typeArguments, arguments: used } = command.MoveCall
      const definition = functionOf(world, `${from}::${module}`, name)
      if (used.length !== definition.parameters) throw new ExecutionFailure('ARITY_MISMATCH', 'Arity mismatch for Move function')
      const args = new Arguments(used.map(find))
      checkTypes(definition, typeArguments, args)
      return { used, args, returned: definition.run(world, args) }
    }
    default:
      throw new ExecutionFailure('INVARIANT_VIOLATION', `the sandbox runs no ${command.$kind}`)
  }
}

function functionOf(world: World, module: string, name: string): MoveFunction {
  const functions = Object.hasOwn(modules, module) ? modules[module] : undefined
  const definition = functions !== undefined && Object.hasOwn(functions, name) ? functions[name] : undefined
  if (definition === undefined) throw new ExecutionFailure('FUNCTION_NOT_FOUND', `Function Not Found: ${module}::${name}`)
  if (definition.private === true && world.checked) {
    throw new ExecutionFailure('NON_ENTRY_FUNCTION_INVOKED', `Non Entry Function Invoked: ${module}::${name}`)
  }
  return definition
}

function checkTypes(definition: MoveFunction, typeArgs: readonly string[], args: Arguments): void {
  if (typeArgs.length !== (definition.generic === true ? 1 : 0)) {
    throw new ExecutionFailure('TYPE_ARITY_MISMATCH', 'Type arity mismatch for Move function')
  }
  const [type] = typeArgs
  if (type === undefined) return
  const value = definition.anyType === true ? args.read(0) : undefined
  const typeName = value?.kind === 'object' ? typeOf(value.content) : suiType
  if (inFull(type) !== typeName) throw argumentFailure(0, 'TYPE_MISMATCH', `The type argument must be ${typeName}`)
}

/** Writes a type with every address in full and without spaces. */
export function inFull(type: string): string {
  return type.replaceAll(/\s/g, '').replaceAll(/0x[0-9a-f]+/gi, (short) => `0x${short.slice(2).toLowerCase().padStart(64, '0')}`)
}

function slotOf(
  argument: Argument,
  at: number,
  from: { gas: Slot | undefined; inputs: readonly Slot[]; results: readonly Slot[][] },
): Slot {
  const [result, subresult] =
    argument.$kind === 'NestedResult' ? argument.NestedResult : [argument.$kind === 'Result' ? argument.Result : undefined, undefined]
  if (result === undefined) {
    const slot = argument.$kind === 'Input' ? from.inputs[argument.Input] : from.gas
    if (slot === undefined) throw argumentFailure(at, 'INDEX_OUT_OF_BOUNDS', 'There is no such input')
    return slot
  }
  const results = from.results[result]
  if (results === undefined) throw argumentFailure(at, 'INDEX_OUT_OF_BOUNDS', `There is no result ${result} yet`)
  if (subresult === undefined && results.length !== 1) {
    throw argumentFailure(at, 'INVALID_RESULT_ARITY', `Result ${result} has ${results.length} values`)
  }
  const slot = results[subresult ?? 0]
  if (slot === undefined) throw argumentFailure(at, 'SECONDARY_INDEX_OUT_OF_BOUNDS', `Result ${result} has no value ${subresult}`)
  return slot
}

function refuseLeftovers(results: readonly Slot[][]): void {
  for (const [result, slots] of results.entries()) {
    for (const [subresult, { value }] of slots.entries()) {
      if (value === undefined || hasDrop(value)) continue
      const message = `Unused result without the drop ability. Command result ${result}, return value ${subresult}`
      throw new ExecutionFailure('UNUSED_VALUE_WITHOUT_DROP', message, { result, subresult })
    }
  }
}
