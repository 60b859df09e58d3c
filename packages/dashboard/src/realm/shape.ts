/** A test of what a value is. */
export type Shape<T> = (value: unknown) => value is T

/** What a shape lets through. */
export type Of<S> = S extends Shape<infer T> ? T : never

/** Accepts a text. */
export const text: Shape<string> = (value): value is string => typeof value === 'string'
/** Accepts a number; NaN and the infinite ones too. */
export const number: Shape<number> = (value): value is number => typeof value === 'number'
/** Accepts an amount in base units. */
export const units: Shape<bigint> = (value): value is bigint => typeof value === 'bigint'
/** Accepts bytes. */
export const bytes: Shape<Uint8Array> = (value): value is Uint8Array => value instanceof Uint8Array

/** Makes the shape of a value that is one of these texts. */
export function word<const T extends string>(...words: readonly T[]): Shape<T> {
  return (value): value is T => words.some((each) => each === value)
}

/** Accepts null besides what a shape accepts. */
export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return (value): value is T | null => value === null || shape(value)
}

/** Accepts what one of two shapes accepts. */
export function either<A, B>(one: Shape<A>, other: Shape<B>): Shape<A | B> {
  return (value): value is A | B => one(value) || other(value)
}

/** Accepts an array of any length, all of whose items are of one shape. */
export function list<T>(shape: Shape<T>): Shape<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every((each) => shape(each))
}

/** Makes the shape of an object whose members, whatever their names, are of one shape. */
export function record<T>(shape: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return (value): value is Readonly<Record<string, T>> => isObject(value) && Object.values(value).every((each) => shape(each))
}

type Shapes = Readonly<Record<string, Shape<unknown>>>

/** Makes the shape of an object that has these members, and those of `optional` if it has them; what else it has is not looked at. */
export function members<S extends Shapes, O extends Shapes = Record<never, never>>(
  shapes: S,
  optional?: O,
): Shape<{ readonly [K in keyof S]: Of<S[K]> } & { readonly [K in keyof O]?: Of<O[K]> }> {
  return (value): value is { readonly [K in keyof S]: Of<S[K]> } & { readonly [K in keyof O]?: Of<O[K]> } =>
    isObject(value) &&
    Object.entries(shapes).every(([name, shape]) => shape(value[name])) &&
    Object.entries(optional ?? {}).every(([name, shape]) => !(name in value) || shape(value[name]))
}

/** Requires that a value has a shape, and returns it. @param what names it in the message @throws Error for another one */
export function shaped<T>(shape: Shape<T>, value: unknown, what: string): T {
  if (shape(value)) return value
  throw new Error(`An intent of an installed plugin has changed ${what} into something that it cannot be; nothing of it is shown.`)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
