import { bytesOfBase58 } from '../../../src/bytes/base58.ts'
import type { MoveCraft } from '../../../src/move/index.ts'
import { bytes } from '../../support/vectors.ts'

/** The data of a transaction by its parts, every one of which may be wrong. */
export interface Draft {
  readonly inputs: readonly Uint8Array[]
  readonly commands: readonly Uint8Array[]
  readonly sender: string
  readonly payment: readonly Uint8Array[]
  readonly owner: string
  readonly price: bigint
  readonly budget: bigint
  readonly expiration: Uint8Array
}

export function craftOf(draft: Draft): MoveCraft {
  return { unsigned_tx_b64: wire(draft).toString('base64') }
}

export function wire({ inputs, commands, sender, payment, owner, price, budget, expiration }: Draft): Buffer {
  return Buffer.concat([
    Uint8Array.of(0, 0),
    vector(inputs),
    vector(commands),
    address(sender),
    vector(payment),
    address(owner),
    u64(price),
    u64(budget),
    expiration,
  ])
}

export function uleb(value: number): Buffer {
  const groups: number[] = []
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 128)) groups.push((rest % 128) | 0x80)
  return Buffer.from([...groups, Math.floor(value / 128 ** groups.length)])
}

export function u16(value: number): Buffer {
  return Buffer.of(value & 0xff, value >> 8)
}

export function u32(value: number): Buffer {
  const data = Buffer.alloc(4)
  data.writeUInt32LE(value)
  return data
}

export function u64(value: bigint): Buffer {
  const data = Buffer.alloc(8)
  data.writeBigUInt64LE(value)
  return data
}

/** Short forms are filled with zeros in front: `0x5`. */
export function address(text: string): Uint8Array {
  return bytes(text.slice(2).padStart(64, '0'))
}

/** As the reader has them. */
export function full(text: string): string {
  return `0x${text.slice(2).padStart(64, '0')}`
}

export function vector(items: readonly Uint8Array[]): Buffer {
  return Buffer.concat([uleb(items.length), ...items])
}

export function block(content: Uint8Array | string): Buffer {
  const data = Buffer.from(content)
  return Buffer.concat([uleb(data.length), data])
}

export function option(value: Uint8Array | null): Buffer {
  return value === null ? Buffer.of(0) : Buffer.concat([Uint8Array.of(1), value])
}

export function digest(text: string): Buffer {
  return block(bytesOfBase58(text)!)
}

// Inputs

export function pure(content: Uint8Array): Buffer {
  return Buffer.concat([Uint8Array.of(0), block(content)])
}

export function reference(id: string, version: bigint, state: string): Buffer {
  return Buffer.concat([address(id), u64(version), digest(state)])
}

export function owned(id: string, version: bigint, state: string): Buffer {
  return Buffer.concat([Uint8Array.of(1, 0), reference(id, version, state)])
}

export function shared(id: string, version: bigint, mutability = 1): Buffer {
  return Buffer.concat([Uint8Array.of(1, 1), address(id), u64(version), Uint8Array.of(mutability)])
}

export function receiving(id: string, version: bigint, state: string): Buffer {
  return Buffer.concat([Uint8Array.of(1, 2), reference(id, version, state)])
}

export function withdrawal(amount: bigint, type: Uint8Array, source: Uint8Array = Uint8Array.of(0)): Buffer {
  return Buffer.concat([Uint8Array.of(2, 0), u64(amount), Uint8Array.of(0), type, source])
}

// Types

export function struct(id: string, module: string, name: string, ...types: readonly Uint8Array[]): Buffer {
  return Buffer.concat([Uint8Array.of(7), address(id), block(module), block(name), vector(types)])
}

export const SUI = struct('0x2', 'sui', 'SUI')

// Arguments

export const GAS: Uint8Array = Uint8Array.of(0)

export function input(index: number): Buffer {
  return Buffer.concat([Uint8Array.of(1), u16(index)])
}

export function result(command: number): Buffer {
  return Buffer.concat([Uint8Array.of(2), u16(command)])
}

export function nested(command: number, index: number): Buffer {
  return Buffer.concat([Uint8Array.of(3), u16(command), u16(index)])
}

// Commands

export function moveCall(target: string, args: readonly Uint8Array[], types: readonly Uint8Array[] = []): Buffer {
  const [id, module, name] = target.split('::') as [string, string, string]
  return Buffer.concat([Uint8Array.of(0), address(id), block(module), block(name), vector(types), vector(args)])
}

export function transfer(objects: readonly Uint8Array[], recipient: Uint8Array): Buffer {
  return Buffer.concat([Uint8Array.of(1), vector(objects), recipient])
}

export function split(coin: Uint8Array, amounts: readonly Uint8Array[]): Buffer {
  return Buffer.concat([Uint8Array.of(2), coin, vector(amounts)])
}

export function merge(into: Uint8Array, coins: readonly Uint8Array[]): Buffer {
  return Buffer.concat([Uint8Array.of(3), into, vector(coins)])
}

export function publish(modules: readonly Uint8Array[], dependencies: readonly string[]): Buffer {
  return Buffer.concat([Uint8Array.of(4), vector(modules.map(block)), vector(dependencies.map(address))])
}

export function makeVector(type: Uint8Array | null, elements: readonly Uint8Array[]): Buffer {
  return Buffer.concat([Uint8Array.of(5), option(type), vector(elements)])
}

export function upgrade(modules: readonly Uint8Array[], dependencies: readonly string[], id: string, ticket: Uint8Array): Buffer {
  return Buffer.concat([Uint8Array.of(6), vector(modules.map(block)), vector(dependencies.map(address)), address(id), ticket])
}

// Expirations

export const NONE: Uint8Array = Uint8Array.of(0)

export function epoch(last: bigint): Buffer {
  return Buffer.concat([Uint8Array.of(1), u64(last)])
}

export function validDuring(
  bounds: readonly [first: bigint | null, last: bigint | null, from: bigint | null, to: bigint | null],
  chain: string,
  nonce: number,
): Buffer {
  const given = bounds.map((bound) => option(bound === null ? null : u64(bound)))
  return Buffer.concat([Uint8Array.of(2), ...given, digest(chain), u32(nonce)])
}
