import { type TSchema, type TUnsafe, Type } from 'typebox'
import type { ExactNumber } from './json.ts'

/** A number on the wire whose text is exact, in tokens; a decimal string under the base path `/text`. */
export function TokenAmount(description: string, examples: number[] = [1.5]): TUnsafe<ExactNumber> {
  return Type.Unsafe<ExactNumber>({ type: 'number', description, examples, 'x-exact': true })
}

/** A reference to a shared schema for use in a route's `response`. */
export function schemaRef(id: string): TSchema {
  return Type.Unsafe({ $ref: `${id}#` })
}
