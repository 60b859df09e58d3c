import { readFileSync } from 'node:fs'
import type { EvmCraft } from '../../src/evm/index.ts'
import type { Value } from '../../src/index.ts'

/** A value in a vector file: integers are `{ "int": "12" }`, since JSON's own are not exact. */
export type JsonValue = string | boolean | { readonly int: string } | readonly JsonValue[]
export type JsonArgs = Readonly<Record<string, JsonValue>>

export interface TransactionVector {
  readonly name: string
  readonly source: string
  readonly craft: EvmCraft
  readonly chainId: string
  readonly maxFee: string
  readonly call: { readonly target: string; readonly method: string; readonly args: JsonArgs; readonly value: string }
}

export function readVectors<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8')) as T
}

export const transactions = readVectors<{ vectors: readonly TransactionVector[] }>('evm-transactions').vectors

export function fromJson(json: JsonValue): Value {
  if (typeof json === 'string' || typeof json === 'boolean') return json
  return 'int' in json ? BigInt(json.int) : json.map(fromJson)
}

export function argsOf(json: JsonArgs): Record<string, Value> {
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, fromJson(value)]))
}

export function bytes(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex.replace(/^0x/, ''), 'hex'))
}

export function hex(data: Uint8Array): string {
  return `0x${Buffer.from(data).toString('hex')}`
}
