import { STATUS_CODES } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { itemsOf, membersOf } from '@svc/contract'
import { type Document, operationsOf, type Schema } from './shape.ts'

/**
 * Gives every object that has a title a name among the components, once for all that answer it, so that a generated client has one type
 * for it. Where two of a title differ, the later ones stay where they stand.
 */
export function nameSchemas({ components, ...document }: Document): void {
  const schemaOf = (schema: Schema): Schema => {
    const { title, ...rest } = withParts(schema)
    if (typeof title !== 'string' || schema.type !== 'object') return { ...rest, ...(title === undefined ? {} : { title }) }
    components.schemas[title] ??= { ...rest, title }
    return isDeepStrictEqual(components.schemas[title], { ...rest, title }) ? { $ref: `#/components/schemas/${title}` } : { ...rest, title }
  }
  const withParts = (schema: Schema): Schema => ({
    ...schema,
    ...(schema.items ? { items: schemaOf(membersOf(schema.items)) } : {}),
    ...(schema.anyOf ? { anyOf: itemsOf(schema.anyOf).map((each) => schemaOf(membersOf(each))) } : {}),
    ...(schema.properties
      ? {
          properties: Object.fromEntries(
            Object.entries(membersOf(schema.properties)).map(([name, each]) => [name, schemaOf(membersOf(each))]),
          ),
        }
      : {}),
  })
  for (const { operation } of operationsOf({ components, ...document }))
    for (const answer of Object.values(operation.responses))
      for (const media of Object.values(answer.content ?? {})) if (media.schema) media.schema = schemaOf(media.schema)
}

/** Puts refusals that many operations share among the components, under the phrase of their status: `BadGateway`. */
export function nameRefusals(document: Document): void {
  const shared: Record<string, object> = {}
  for (const { operation } of operationsOf(document))
    for (const [status, answer] of Object.entries(operation.responses)) {
      if (Number(status) < 401 || status === '404' || status === '422') continue
      const name = STATUS_CODES[status]?.replaceAll(/\W/g, '') ?? status
      shared[name] ??= answer
      if (isDeepStrictEqual(shared[name], answer)) operation.responses[status] = { $ref: `#/components/responses/${name}` }
    }
  document.components.responses = shared
}
