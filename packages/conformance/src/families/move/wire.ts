import { block, type Hex32, hex, list, NOTHING, type Reader, reader, text, u16, u32, u64 } from './bcs.ts'

/** One object in one state. */
export interface Reference {
  readonly id: Hex32
  readonly version: bigint
  readonly digest: Hex32
}

/** The type `<address>::<module>::<name><…>`, or a primitive by its number. */
type TypeTag = number | { readonly address: Hex32; readonly module: string; readonly name: string; readonly types: readonly TypeTag[] }

export type Input =
  | { readonly kind: 'pure'; readonly bytes: Uint8Array }
  | ({ readonly kind: 'owned' | 'receiving' } & Reference)
  | { readonly kind: 'shared'; readonly id: Hex32; readonly version: bigint; readonly mutable: number }
  | { readonly kind: 'withdrawal'; readonly amount: bigint; readonly type: TypeTag; readonly source: number }

/** `gas`, `input 0`, `result 0`, `result 0 1`. */
export type Argument = 'gas' | readonly ['input' | 'result', number] | readonly ['result', number, number]

export type Command =
  | {
      readonly kind: 'call'
      readonly package: Hex32
      readonly module: string
      readonly function: string
      readonly types: readonly TypeTag[]
      readonly args: readonly Argument[]
    }
  | { readonly kind: 'transfer'; readonly args: readonly Argument[]; readonly recipient: Argument }
  | { readonly kind: 'split' | 'merge'; readonly coin: Argument; readonly args: readonly Argument[] }
  /** MakeMoveVec without a type; of objects. */
  | { readonly kind: 'vector'; readonly args: readonly Argument[] }
  | { readonly kind: 'publish'; readonly module: Uint8Array }

export type Expiration =
  | { readonly kind: 'none' }
  | { readonly kind: 'epoch'; readonly epoch: bigint }
  | {
      readonly kind: 'during' | 'validity'
      /** First and last epoch, first and last time. */
      readonly bounds: readonly (bigint | null)[]
      readonly chain: Hex32
      readonly nonce: number
    }

/** A programmable transaction. */
export interface MoveTransaction {
  readonly inputs: readonly Input[]
  readonly commands: readonly Command[]
  readonly sender: Hex32
  readonly payment: readonly Reference[]
  readonly owner: Hex32
  readonly price: bigint
  readonly budget: bigint
  readonly expiration: Expiration
}

const INPUTS = ['pure', 'object', 'withdrawal'] as const
const OBJECTS = ['owned', 'shared', 'receiving'] as const
const COMMANDS = ['call', 'transfer', 'split', 'merge', 'publish', 'vector'] as const
const EXPIRATIONS = ['none', 'epoch', 'during', 'validity'] as const
const STRUCT = 7

/**
 * Writes a programmable transaction of version 1 as BCS.
 *
 * @see https://github.com/MystenLabs/sui/blob/main/crates/sui-types/src/transaction.rs (read 2026-11-21)
 */
export function writeTransaction(tx: MoveTransaction): Uint8Array {
  const { inputs, commands, sender, payment, owner, price, budget, expiration } = tx
  return Buffer.concat([
    Uint8Array.of(0, 0),
    list(inputs, writeInput),
    list(commands, writeCommand),
    hex(sender),
    list(payment, writeReference),
    hex(owner),
    u64(price),
    u64(budget),
    writeExpiration(expiration),
  ])
}

function writeInput(input: Input): Uint8Array {
  if (input.kind === 'pure') return Buffer.concat([Uint8Array.of(0), block(input.bytes)])
  if (input.kind === 'withdrawal')
    return Buffer.concat([Uint8Array.of(2, 0), u64(input.amount), Uint8Array.of(0), writeType(input.type), Uint8Array.of(input.source)])
  const head = Uint8Array.of(1, OBJECTS.indexOf(input.kind))
  if (input.kind === 'shared') return Buffer.concat([head, hex(input.id), u64(input.version), Uint8Array.of(input.mutable)])
  return Buffer.concat([head, writeReference(input)])
}

function writeReference({ id, version, digest }: Reference): Uint8Array {
  return Buffer.concat([hex(id), u64(version), block(hex(digest))])
}

function writeCommand(command: Command): Uint8Array {
  const head = Uint8Array.of(COMMANDS.indexOf(command.kind))
  switch (command.kind) {
    case 'call':
      return Buffer.concat([
        head,
        hex(command.package),
        text(command.module),
        text(command.function),
        list(command.types, writeType),
        list(command.args, writeArgument),
      ])
    case 'transfer':
      return Buffer.concat([head, list(command.args, writeArgument), writeArgument(command.recipient)])
    case 'split':
    case 'merge':
      return Buffer.concat([head, writeArgument(command.coin), list(command.args, writeArgument)])
    case 'vector':
      return Buffer.concat([head, Uint8Array.of(0), list(command.args, writeArgument)])
    case 'publish':
      return Buffer.concat([head, list([command.module], block), list([], block)])
  }
}

function writeArgument(argument: Argument): Uint8Array {
  if (argument === 'gas') return Uint8Array.of(0)
  const [kind, first, second] = argument
  return Buffer.concat([
    Uint8Array.of(kind === 'input' ? 1 : second === undefined ? 2 : 3),
    u16(first),
    second === undefined ? NOTHING : u16(second),
  ])
}

function writeType(type: TypeTag): Uint8Array {
  if (typeof type === 'number') return Uint8Array.of(type)
  return Buffer.concat([Uint8Array.of(STRUCT), hex(type.address), text(type.module), text(type.name), list(type.types, writeType)])
}

function writeExpiration(expiration: Expiration): Uint8Array {
  const head = Uint8Array.of(EXPIRATIONS.indexOf(expiration.kind))
  if (expiration.kind === 'none') return head
  if (expiration.kind === 'epoch') return Buffer.concat([head, u64(expiration.epoch)])
  const { bounds, chain, nonce } = expiration
  const options = bounds.map((bound) => (bound === null ? Uint8Array.of(0) : Buffer.concat([Uint8Array.of(1), u64(bound)])))
  const end = expiration.kind === 'validity' ? Uint8Array.of(0) : NOTHING
  return Buffer.concat([head, ...options, block(hex(chain)), u32(nonce), end])
}

/** Reads a transaction in the form in which the service crafts it. @throws RangeError for what it never crafts */
export function readTransaction(bytes: Uint8Array): MoveTransaction {
  const from = reader(bytes)
  if (from.byte() !== 0 || from.byte() !== 0) throw new RangeError('not a programmable transaction of version 1')
  const tx: MoveTransaction = {
    inputs: from.list(readInput),
    commands: from.list(readCommand),
    sender: from.hex(),
    payment: from.list(readReference),
    owner: from.hex(),
    price: from.u64(),
    budget: from.u64(),
    expiration: readExpiration(from),
  }
  if (Buffer.compare(writeTransaction(tx), bytes) !== 0) throw new RangeError('the bytes are not in canonical form')
  return tx
}

function readInput(from: Reader): Input {
  const kind = INPUTS[from.byte()]
  if (kind === 'pure') return { kind, bytes: from.block() }
  if (kind === 'withdrawal') {
    from.byte()
    const amount = from.u64()
    from.byte()
    return { kind, amount, type: readType(from), source: from.byte() }
  }
  const object = OBJECTS[from.byte()]
  if (kind === undefined || object === undefined) throw new RangeError('an input of an unknown kind')
  if (object === 'shared') return { kind: object, id: from.hex(), version: from.u64(), mutable: from.byte() }
  return { kind: object, ...readReference(from) }
}

function readReference(from: Reader): Reference {
  return { id: from.hex(), version: from.u64(), digest: Buffer.from(from.block()).toString('hex') }
}

function readCommand(from: Reader): Command {
  const kind = COMMANDS[from.byte()]
  switch (kind) {
    case 'call':
      return {
        kind,
        package: from.hex(),
        module: from.text(),
        function: from.text(),
        types: from.list(readType),
        args: from.list(readArgument),
      }
    case 'transfer':
      return { kind, args: from.list(readArgument), recipient: readArgument(from) }
    case 'split':
    case 'merge':
      return { kind, coin: readArgument(from), args: from.list(readArgument) }
    default:
      throw new RangeError(`a command of the kind ${kind}`)
  }
}

function readArgument(from: Reader): Argument {
  const kind = from.byte()
  if (kind === 0) return 'gas'
  if (kind === 1) return ['input', from.u16()]
  return kind === 2 ? ['result', from.u16()] : ['result', from.u16(), from.u16()]
}

function readType(from: Reader): TypeTag {
  const kind = from.byte()
  return kind === STRUCT ? { address: from.hex(), module: from.text(), name: from.text(), types: from.list(readType) } : kind
}

function readExpiration(from: Reader): Expiration {
  const kind = EXPIRATIONS[from.byte()]
  if (kind === 'none') return { kind }
  if (kind === 'epoch') return { kind, epoch: from.u64() }
  if (kind !== 'during') throw new RangeError(`an expiration of the kind ${kind}`)
  const bounds = [0, 1, 2, 3].map(() => (from.byte() === 0 ? null : from.u64()))
  return { kind, bounds, chain: Buffer.from(from.block()).toString('hex'), nonce: from.u32() }
}
