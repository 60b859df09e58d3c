import { type TSchema, type TUnsafe, Type } from 'typebox'
import type { ExactNumber } from './json.ts'

/** Makes the schema of an amount in tokens whose text on the wire is exact: a number, or a decimal string under the base path `/text`. */
export function TokenAmount(description: string, examples: number[] = [1.5]): TUnsafe<ExactNumber> {
  return Type.Unsafe<ExactNumber>({ type: 'number', description, examples, 'x-exact': true })
}

/** Makes a reference to a shared schema for use in a route's `response`. */
export function schemaRef(id: string): TSchema {
  return Type.Unsafe({ $ref: `${id}#` })
}

/** Makes the members of a route's `response` for the statuses with which it can refuse: each refers to the shared schema of errors. */
export function errorRefs(...statuses: readonly number[]): Readonly<Record<number, TSchema>> {
  return Object.fromEntries(statuses.map((status) => [status, schemaRef('Error')]))
}
