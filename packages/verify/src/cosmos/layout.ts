import { DecodeError, shown } from '../errors.ts'
import { checkNames, layoutList, record } from '../layout.ts'
import type { Call, Value } from '../types.ts'
import type { Field, Layout } from './protobuf.ts'

/**
 * Kind of a field, which says how the field is read. `signer` is the address of the one who signs, and no other; `account` and `validator` are addresses of the
 * chain; `amount` is a positive integer in decimal digits, as a coin has it; `text` and `bytes` are what they are; the rest are varints.
 */
export type CosmosKind = keyof typeof WIRE

/** A field of a message. */
export type CosmosField =
  | {
      /** Number of the field in the message's definition. */
      readonly number: number
      readonly kind: CosmosKind
      /** True if a field of its default value (0, an empty text) leaves no bytes; without this the field must be there. */
      readonly optional?: true
    }
  | {
      readonly number: number
      /** An embedded message. Its fields are arguments like the others, by their own names. */
      readonly kind: 'message'
      readonly fields: CosmosFields
    }
  | {
      readonly number: number
      /** Embedded messages, any number of them: one argument, a list with a list of values for each. */
      readonly kind: 'messages'
      readonly fields: CosmosFields
    }

/** All fields of a message, by the names of its arguments. */
export type CosmosFields = Readonly<Record<string, CosmosField>>

/** Layout of a type of message, as an intent declares it. Fields that the layout lacks cannot be in the bytes. */
export interface CosmosMessage {
  /** Type URL: `/cosmos.staking.v1beta1.MsgDelegate`. */
  readonly type: string
  readonly fields: CosmosFields
  /** Names of the two arguments with the denom and the amount that leave the account, where anything does: `value`, if it is the native denom. */
  readonly spends?: { readonly denom: string; readonly amount: string }
}

/** Checked layout of a message. */
export interface CompiledMessage {
  readonly method: string
  readonly fields: CosmosFields
  readonly spends: CosmosMessage['spends']
}

/** The kinds, and what each is on the wire. */
const WIRE = {
  signer: 'text',
  account: 'text',
  validator: 'text',
  amount: 'text',
  text: 'text',
  bytes: 'bytes',
  uint64: 'integer',
  int64: 'integer',
  bool: 'integer',
} as const
/** Names of all kinds of fields. */
export const KINDS: readonly string[] = ['message', 'messages', ...Object.keys(WIRE)]
/** Highest number that a field can have. @see https://protobuf.dev/programming-guides/proto3 (read 2026-11-21) */
const MOST = 2 ** 29 - 1
/** Levels of messages within a message; enough for every module of the SDK. */
const MOST_DEPTH = 8

/** Fields of `cosmos.base.v1beta1.Coin`, for a layout: `{ number: 3, kind: 'message', fields: coin }`. */
export const coin = {
  denom: { number: 1, kind: 'text' },
  amount: { number: 2, kind: 'amount' },
} as const satisfies CosmosFields

/**
 * Makes the promise that a transaction holds one message of a layout, for `effects` of an intent.
 *
 * @param args by the names of the layout's fields
 * @param value what leaves the account besides the fee, in base units of the native denom
 */
export function call(message: CosmosMessage, args: Readonly<Record<string, Value>>, value = 0n): Call {
  return { target: message.type, method: methodOf(message), args, value }
}

/** Returns the name of the message in calls: `MsgDelegate(delegator, validator, denom, amount)`. */
function methodOf({ type, fields }: Pick<CosmosMessage, 'type' | 'fields'>): string {
  return `${type.slice(type.lastIndexOf('.') + 1)}(${namesOf(fields).join(', ')})`
}

/** Compiles the layouts, keyed by message type. @throws DecodeError when one of them is no layout, or two are of one type */
export function compile(layouts: unknown): ReadonlyMap<string, CompiledMessage> {
  // A Map, so that no inherited name of an object passes for a type.
  const byType = new Map<string, CompiledMessage>()
  layoutList(layouts).forEach((layout, i) => {
    const { type, message } = compileOne(record(layout, `layouts[${i}]`), i)
    if (byType.has(type)) throw new DecodeError(`layouts[${i}] is a second one of the type ${type}; there must be one`)
    byType.set(type, message)
  })
  return byType
}

/** A message with its type. */
interface Typed {
  readonly type: string
  readonly message: CompiledMessage
}

/** What was made of a layout, for as long as it lives: an intent hands over the same ones for every transaction. */
const compiledBefore = new WeakMap<object, Typed>()

function compileOne(layout: Readonly<Record<string, unknown>>, i: number): Typed {
  const before = compiledBefore.get(layout)
  if (before) return before
  const { type, fields, spends } = layout
  if (typeof type !== 'string' || !/^\/[A-Za-z0-9_.]+$/.test(type))
    throw new DecodeError(`layouts[${i}].type is ${shown(type)}; it must be such as "/cosmos.staking.v1beta1.MsgDelegate"`)
  checkFields(fields, type, 0)
  const names = namesOf(fields as CosmosFields)
  checkNames(names, `the layout of ${type}`)
  if (!Object.values(fields as CosmosFields).some(({ kind }) => kind === 'signer'))
    throw new DecodeError(`the layout of ${type} has no field of kind signer; the bytes must say for whom the message is`)
  if (spends !== undefined) checkSpends(record(spends, `spends of ${type}`), names, type)
  // What was checked is what is kept: a change of the layout afterwards would be read by and never checked.
  const checked = structuredClone({ fields, spends }) as Pick<CompiledMessage, 'fields' | 'spends'>
  const entry = { type, message: { method: methodOf({ type, ...checked }), ...checked } }
  compiledBefore.set(layout, entry)
  return entry
}

/** Converts the fields of a message layout to the form that the protobuf reader takes. */
export function wireOf(fields: CosmosFields): Layout {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]): [string, Field] => {
      const { number, kind } = field
      if (kind === 'messages') return [name, { number, kind: 'list', optional: true }]
      if (kind === 'message') return [name, { number, kind: 'bytes' }]
      return [name, { number, kind: WIRE[kind], ...(field.optional ? { optional: true } : {}) }]
    }),
  )
}

/** Names of the arguments: those of an embedded message stand in its place. */
function namesOf(fields: CosmosFields): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) => (field.kind === 'message' ? namesOf(field.fields) : [name]))
}

function checkFields(input: unknown, where: string, depth: number): void {
  if (depth > MOST_DEPTH) throw new DecodeError(`${where} is nested more than ${MOST_DEPTH} levels deep; it may be as many at most`)
  const numbers = new Set<unknown>()
  for (const [name, field] of Object.entries(record(input, `fields of ${where}`))) {
    const path = `${where}.${name}`
    const { number, kind, optional, fields } = record(field, path)
    if (typeof number !== 'number' || !Number.isInteger(number) || number < 1 || number > MOST)
      throw new DecodeError(`the number of ${path} is ${shown(number)}; it must be that of the field`)
    if (numbers.has(number)) throw new DecodeError(`${path} has the number ${number}, as a field before it; each must have its own`)
    numbers.add(number)
    if (kind === 'message' || kind === 'messages') {
      checkFields(fields, path, depth + 1)
      if (kind === 'messages') checkNames(namesOf(fields as CosmosFields), path)
    } else if (typeof kind !== 'string' || !Object.hasOwn(WIRE, kind) || (kind === 'signer' && depth > 0)) {
      throw new DecodeError(`${path} is of the kind ${shown(kind)}; it must be one of ${KINDS.join(', ')}`)
    }
    if (optional !== undefined && (optional !== true || kind === 'signer' || kind === 'message' || kind === 'messages'))
      throw new DecodeError(`${path} is marked optional; only a plain field may be, by true`)
  }
}

function checkSpends(spends: Readonly<Record<string, unknown>>, names: readonly string[], type: string): void {
  for (const name of ['denom', 'amount']) {
    if (!names.includes(String(spends[name])))
      throw new DecodeError(`spends.${name} of ${type} is ${shown(spends[name])}; it must be the name of an argument`)
  }
}
