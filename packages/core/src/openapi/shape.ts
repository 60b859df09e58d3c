/** Parts of an OpenAPI document that the finishing step needs; every other part passes unchanged. */
export interface Document {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { schemas: Record<string, Schema>; headers?: Record<string, object>; responses?: Record<string, object> }
}

export interface Operation {
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: Parameter[]
  readonly requestBody?: { content?: Record<string, Media> }
  readonly responses: Record<string, Answer>
}

interface Parameter {
  readonly name: string
  readonly in: string
  required?: boolean
  readonly schema?: Schema
  example?: unknown
}

interface Answer {
  /** In place of all others. */
  $ref?: string
  description?: string
  headers?: Record<string, object>
  content?: Record<string, Media>
}

interface Media {
  schema?: Schema
  example?: unknown
}

export type Schema = { readonly [member: string]: unknown }

/** Lists every operation of a document, in its order. */
export function operationsOf(document: Document): readonly { path: string; method: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  )
}
