import { Type } from 'typebox'

/** Makes the schema of an optional parameter of a query that is text. */
export function text(description: string, ...examples: string[]) {
  return Type.Optional(Type.String({ minLength: 1, maxLength: 200, description, examples }))
}
