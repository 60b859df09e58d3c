import { bcs } from '@mysten/sui/bcs'
import { balanceType, coinType, frameworkPackage } from '../constants.ts'
import { type Content, contentsOf, typeOf } from '../objects.ts'

/** An object inside a transaction: its content changes until the end. */
export interface ObjectValue {
  readonly kind: 'object'
  readonly id: string
  content: Content
}

/** Value that an argument can be. Objects and balances move; the rest is copied. */
export type Value =
  | ObjectValue
  /** `Balance<SUI>`, in MIST. */
  | { readonly kind: 'balance'; readonly amount: bigint }
  /** `Withdrawal<Balance<SUI>>`: leave to take from an address balance. */
  | { readonly kind: 'withdrawal'; readonly amount: bigint; readonly from: string }
  /** Bytes of the transaction, of whatever type they are used as. */
  | { readonly kind: 'pure'; readonly bytes: Uint8Array }
  | { readonly kind: 'data'; readonly type: string; readonly bytes: Uint8Array }
  | { readonly kind: 'vector'; readonly items: readonly Value[] }

/** Makes a value of the type u64, in the form of a transaction's input. */
export const u64Value = (value: bigint): Value => ({ kind: 'data', type: 'u64', bytes: bcs.u64().serialize(value).toBytes() })
/** Makes a value of the type address. */
export const addressValue = (value: string): Value => ({ kind: 'data', type: 'address', bytes: bcs.Address.serialize(value).toBytes() })

/** Tells whether a value is used up by the command that takes it. */
export function moves(value: Value): boolean {
  return value.kind === 'object' || value.kind === 'balance' || value.kind === 'withdrawal' || value.kind === 'vector'
}

/** Tells whether a value may be left unused. */
export function hasDrop(value: Value): boolean {
  if (value.kind === 'vector') return value.items.every(hasDrop)
  return value.kind !== 'object' && value.kind !== 'balance'
}

/** Writes a value's type and bytes, as a simulation shows results. */
export function encodeValue(value: Value): { type: string; bytes: Uint8Array } {
  switch (value.kind) {
    case 'object':
      return { type: typeOf(value.content), bytes: contentsOf(value.id, value.content) }
    case 'balance':
      return { type: balanceType, bytes: bcs.u64().serialize(value.amount).toBytes() }
    case 'withdrawal': {
      const bytes = [bcs.Address.serialize(value.from).toBytes(), bcs.u256().serialize(value.amount).toBytes()]
      return { type: `${frameworkPackage}::funds_accumulator::Withdrawal<${balanceType}>`, bytes: new Uint8Array(Buffer.concat(bytes)) }
    }
    case 'pure':
      return { type: 'vector<u8>', bytes: value.bytes }
    case 'data':
      return { type: value.type, bytes: value.bytes }
    case 'vector': {
      const items = value.items.map(encodeValue)
      const bytes = [bcs.uleb128().serialize(items.length).toBytes(), ...items.map((item) => item.bytes)]
      return { type: `vector<${items[0]?.type ?? coinType}>`, bytes: new Uint8Array(Buffer.concat(bytes)) }
    }
  }
}
