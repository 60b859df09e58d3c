import { parseUnits } from './amounts.ts'
import { Refused } from './refusal.ts'

/** Kind of a body's member. It is exported since the declarations of an intent's package name it. */
export interface Kind<T, G = T> {
  readonly kind: 'text' | 'amount' | 'integer' | 'flag'
  /** Decimal places of an amount that is not of the native token. */
  readonly decimals?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly optional?: boolean
  /** Types of the member, used by the compiler only: of the value that effects get, and of the one that a caller may give. */
  readonly types?: { readonly input: T; readonly given: G }
}

/** Amount in a caller's form: decimal text, or base units; a number only where it is exact. */
export type GivenAmount = string | bigint | number

/** Members of a body, by name. */
// biome-ignore lint/suspicious/noExplicitAny: a shape's members differ in what they are
export type Shape = Readonly<Record<string, Kind<any, any>>>

type OptionalNames<S extends Shape> = { [K in keyof S]: S[K] extends { readonly optional: true } ? K : never }[keyof S]
type Input<K> = K extends Kind<infer T, unknown> ? T : never
type Given<K> = K extends { readonly types?: { readonly given: infer G } } ? G : never

/** Body in the form that effects get: amounts in base units. */
export type InputOf<S extends Shape> = { readonly [K in Exclude<keyof S, OptionalNames<S>>]: Input<S[K]> } & {
  readonly [K in OptionalNames<S>]?: Input<S[K]> | undefined
}

/** Body in the form that a caller may give. */
export type GivenOf<S extends Shape> = { readonly [K in Exclude<keyof S, OptionalNames<S>>]: Given<S[K]> } & {
  readonly [K in OptionalNames<S>]?: Given<S[K]> | undefined
}

/** Kind of a member that is an address, a public key or an id. */
export const text: Kind<string> & { readonly kind: 'text' } = { kind: 'text' }
/** Kind of a member that is an amount of the native token; effects get base units. */
export const amount: Kind<bigint, GivenAmount> & { readonly kind: 'amount' } = { kind: 'amount' }
export const flag: Kind<boolean> & { readonly kind: 'flag' } = { kind: 'flag' }

/** Declares a member that is an amount of a token with the given decimals. */
export function amountOf(decimals: number): Kind<bigint, GivenAmount> & { readonly kind: 'amount' } {
  return { kind: 'amount', decimals }
}

/** Declares a member that is a whole number between two bounds, each of them allowed. */
export function integer(minimum: number, maximum: number): Kind<number> & { readonly kind: 'integer' } {
  return { kind: 'integer', minimum, maximum }
}

/** Declares a member that a caller may leave out; effects then find undefined. */
export function optional<T, G>(kind: Kind<T, G>): Kind<T, G> & { readonly optional: true } {
  return { ...kind, optional: true }
}

/**
 * Reads the body that a caller gave into the form that effects take.
 *
 * @param decimals of the native token
 * @throws Refused with a sentence that names the member and what would be right
 */
export function readInput<S extends Shape>(shape: S, body: Readonly<Record<string, unknown>>, decimals: number): InputOf<S> {
  for (const name of Object.keys(body)) {
    if (!Object.hasOwn(shape, name) && body[name] !== undefined) {
      throw new Refused(`input.${name}`, `one of ${Object.keys(shape).join(', ')}`, `a member ${JSON.stringify(name)}`)
    }
  }
  const input: Record<string, unknown> = {}
  for (const [name, kind] of Object.entries(shape)) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined
    if (value === undefined) {
      if (kind.optional !== true) throw new Refused(`input.${name}`, describe(kind), 'nothing')
      continue
    }
    input[name] = readMember(`input.${name}`, kind, value, kind.decimals ?? decimals)
  }
  return input as InputOf<S>
}

function readMember(path: string, kind: Shape[string], value: unknown, decimals: number): unknown {
  if (kind.kind === 'amount') return readAmount(path, value, decimals)
  const fits =
    kind.kind === 'text'
      ? typeof value === 'string' && value !== ''
      : kind.kind === 'flag'
        ? typeof value === 'boolean'
        : Number.isInteger(value) && Number(value) >= (kind.minimum ?? 0) && Number(value) <= (kind.maximum ?? Number.MAX_SAFE_INTEGER)
  if (!fits) throw new Refused(path, describe(kind), String(value))
  return value
}

function readAmount(path: string, value: unknown, decimals: number): bigint {
  if (typeof value === 'bigint' && value >= 0n) return value
  const isExact = typeof value === 'number' && Number.isSafeInteger(value)
  const units = typeof value === 'string' || isExact ? parseUnits(String(value), decimals) : null
  if (units === null) {
    const right = `decimal text with ${decimals} decimals at most, such as "1.5", a whole number, or base units as a bigint`
    throw new Refused(path, right, typeof value === 'string' ? JSON.stringify(value) : String(value))
  }
  return units
}

function describe({ kind, minimum, maximum }: Shape[string]): string {
  if (kind === 'text') return 'a text'
  if (kind === 'flag') return 'true or false'
  if (kind === 'amount') return 'an amount'
  return `a whole number from ${minimum ?? 0} to ${maximum ?? Number.MAX_SAFE_INTEGER}`
}
