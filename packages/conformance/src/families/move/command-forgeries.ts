import { u64 } from './bcs.ts'
import { type Change, STRANGE, THIEF } from './change.ts'
import type { Argument, Command, Input, MoveTransaction } from './wire.ts'

/** Makes a change of each part of a command. */
export function commandChanges(tx: MoveTransaction, command: Command, index: number): Change[] {
  const where = `calls[${index}]`
  const change = (what: string, to: Command, at: string | undefined, attack = false): Change => ({
    name: `command ${index}: ${what}`,
    ...(at === undefined ? {} : { at }),
    attack,
    to: { ...tx, commands: tx.commands.with(index, to) },
  })
  const changes = [
    change('a vector instead', { kind: 'vector', args: ['gas'] }, undefined),
    change('a package published instead', { kind: 'publish', module: Uint8Array.of(1) }, undefined),
  ]
  if (command.kind === 'call') {
    changes.push(
      change('another package', { ...command, package: STRANGE }, `${where}.target`, true),
      change('another module', { ...command, module: `${command.module}_other` }, `${where}.target`),
      change('another function', { ...command, function: `${command.function}_non_entry` }, `${where}.method`, true),
      change('a function without a name', { ...command, function: '' }, 'bytes'),
      change('a type argument more', { ...command, types: [...command.types, 2] }, `${where}.method`),
      ...command.types.flatMap((type, at) => [
        change(`another type ${at}`, { ...command, types: command.types.with(at, 2) }, `${where}.method`),
        ...(typeof type === 'number'
          ? []
          : [
              change(
                `type ${at} of another package`,
                { ...command, types: command.types.with(at, { ...type, address: STRANGE }) },
                `${where}.method`,
              ),
            ]),
        change(`without type ${at}`, { ...command, types: command.types.toSpliced(at, 1) }, `${where}.method`),
      ]),
    )
  }
  if ('args' in command) {
    const { args } = command
    for (const [at, argument] of args.entries()) {
      for (const other of otherArguments(tx, index, argument))
        changes.push(change(`argument ${at} is ${said(other)}`, { ...command, args: args.with(at, other) }, undefined))
      changes.push(change(`without argument ${at}`, { ...command, args: args.toSpliced(at, 1) }, undefined))
    }
    changes.push(change('an argument more', { ...command, args: [...args, 'gas'] }, undefined))
    if (args.length > 1) changes.push(change('its arguments the other way round', { ...command, args: args.toReversed() }, undefined))
  }
  if ('coin' in command)
    for (const other of otherArguments(tx, index, command.coin))
      changes.push(change(`the coin is ${said(other)}`, { ...command, coin: other }, undefined))
  if ('recipient' in command)
    for (const other of otherArguments(tx, index, command.recipient))
      changes.push(change(`the recipient is ${said(other)}`, { ...command, recipient: other }, undefined))
  return changes
}

/** Everything that an argument at a command could be, and is not. */
function otherArguments(tx: MoveTransaction, index: number, argument: Argument): Argument[] {
  const all: Argument[] = [
    'gas',
    ...tx.inputs.map((_, at) => ['input', at] as const),
    ['input', tx.inputs.length],
    ...tx.commands.map((_, at) => ['result', at, 0] as const),
    ['result', Math.max(0, index - 1), 1],
    ['result', 0xffff, 0],
  ]
  return all.filter((other) => meaning(other) !== meaning(argument))
}

/** The one result of a command and its first are the same. */
function meaning(argument: Argument): string {
  const [kind, first, second = 0] = argument
  return argument === 'gas' ? argument : kind === 'input' ? `input ${first}` : `result ${first} ${second}`
}

function said(argument: Argument): string {
  return argument === 'gas' ? 'the gas coin' : argument.join(' ')
}

/** Makes changes in which commands and inputs are added, removed and moved. */
export function orderChanges(tx: MoveTransaction): Change[] {
  const { inputs, commands } = tx
  const next = commands.length
  const thief: Input = { kind: 'pure', bytes: Buffer.from(THIEF, 'hex') }
  const sui: Input = { kind: 'pure', bytes: u64(1_000_000_000n) }
  const to = (recipient: number, ...args: Argument[]): Command => ({ kind: 'transfer', args, recipient: ['input', recipient] })
  return [
    {
      name: 'the gas coin sent to somebody else besides',
      at: 'calls',
      attack: true,
      theft: 'call',
      to: { ...tx, inputs: [...inputs, thief], commands: [...commands, to(inputs.length, 'gas')] },
    },
    {
      name: 'a coin split off and sent to somebody else besides',
      at: 'calls',
      attack: true,
      theft: 'call',
      to: {
        ...tx,
        inputs: [...inputs, thief, sui],
        commands: [
          ...commands,
          { kind: 'split', coin: 'gas', args: [['input', inputs.length + 1]] },
          to(inputs.length, ['result', next, 0]),
        ],
      },
    },
    {
      name: 'what the last command made sent to somebody else',
      at: 'calls',
      attack: true,
      theft: 'recipient',
      to: { ...tx, inputs: [...inputs, thief], commands: [...commands, to(inputs.length, ['result', next - 1, 0])] },
    },
    { name: 'the last command twice', at: 'calls', to: { ...tx, commands: [...commands, ...commands.slice(-1)] } },
    { name: 'without the last command', to: { ...tx, commands: commands.slice(0, -1) } },
    { name: 'without the first command', to: { ...tx, commands: commands.slice(1) } },
    { name: 'without commands', at: 'bytes', to: { ...tx, commands: [] } },
    { name: 'without inputs', at: 'bytes', to: { ...tx, inputs: [] } },
    { name: 'an input that no command uses', at: 'bytes', to: { ...tx, inputs: [...inputs, thief] } },
    ...(inputs.length > 1 ? [{ name: 'the inputs the other way round', to: { ...tx, inputs: inputs.toReversed() } }] : []),
    ...(next > 1 ? [{ name: 'the commands the other way round', to: { ...tx, commands: commands.toReversed() } }] : []),
  ]
}

/** Lists all arguments of a command. */
export function argumentsOf(command: Command): readonly Argument[] {
  if (command.kind === 'publish') return []
  const further = 'coin' in command ? [command.coin] : 'recipient' in command ? [command.recipient] : []
  return [...command.args, ...further]
}
