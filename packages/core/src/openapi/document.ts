import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { TEXT_BASE } from '../base/text-amounts.ts'
import { type Asset, asset, sendAsset } from '../http/asset.ts'
import type { LoadedPlugin } from '../plugins/discover.ts'
import { listCodes } from './codes.ts'
import { showExamples } from './examples.ts'
import { describeHeaders } from './headers.ts'
import { describeOperation } from './operations.ts'
import { nameRefusals, nameSchemas } from './schema-names.ts'
import { type Document, operationsOf } from './shape.ts'
import { textDocument } from './text-document.ts'
import { DESCRIPTION } from './words.ts'

/** Subject of the document, besides the routes. */
export interface About {
  readonly plugins: readonly LoadedPlugin[]
  readonly version: string
  /** Address at which callers reach the service, if it differs from where they found the document. */
  readonly publicUrl?: string | undefined
  /** X-NETWORK of a plugin's networks. */
  networksOf(plugin: string): readonly string[]
}

/** Registers the OpenAPI document at `/openapi.json`, made from the routes' own schemas, and at `/text/openapi.json` the one that generators of clients need. */
export async function registerDocument(app: FastifyInstance, { plugins, version, publicUrl, networksOf }: About): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Staking Transaction Service',
        version,
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } as never,
      },
      servers: [{ url: publicUrl ?? '/', description: 'The service that answered with this document.' }],
      tags: [
        ...plugins.map(({ plugin }) => ({ name: plugin.protocol.prefix.slice(1), description: plugin.protocol.summary })),
        { name: 'API keys', description: 'Management of the API keys of an account, and by operators of any account.' },
        { name: 'Operations', description: 'What a person at the dashboard, or a program in its place, asks of the service.' },
        { name: 'Watch', description: 'Wallets whose positions are watched, so that events tell what changes.' },
        { name: 'Webhooks', description: 'Events of an account, and where they are sent: by Standard Webhooks, signed, at least once.' },
        { name: 'Service', description: 'Health and public keys.' },
      ],
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY', description: 'An API key.' },
          token: { type: 'apiKey', in: 'header', name: 'token', description: 'A management token, or an operator token.' },
          bearer: { type: 'http', scheme: 'bearer', description: 'The same token, as Authorization: Bearer.' },
        },
      },
    },
    transformObject: (input) => {
      if (!('openapiObject' in input)) return input.swaggerObject
      const document = input.openapiObject as unknown as Document
      leaveDefaultsOut(document)
      nameSchemas(document)
      listCodes(document, plugins)
      describeHeaders(document, (path) => path !== '/api/v1/health')
      showExamples(
        document,
        plugins.map(({ name, plugin: { protocol } }) => {
          return { prefix: `/api/v1${protocol.prefix}`, examples: protocol.examples, networks: networksOf(name) }
        }),
      )
      nameRefusals(document)
      return input.openapiObject
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `def-${index}`) },
  })
  app.addHook('onRoute', describeOperation)
  let document: Asset | undefined
  const open = { schema: { hide: true }, config: { credential: 'none', limited: 'console' } } as const
  app.get('/openapi.json', open, async (request, reply) => {
    document ??= asset('application/json; charset=utf-8', JSON.stringify(app.swagger()))
    return sendAsset(request, reply, document)
  })
  let text: Asset | undefined
  app.get(`${TEXT_BASE}/openapi.json`, open, async (request, reply) => {
    text ??= asset('application/json; charset=utf-8', JSON.stringify(textDocument(app.swagger() as unknown as Document, publicUrl)))
    return sendAsset(request, reply, text)
  })
}

/** Marks query parameters with a default as optional, though a handler always finds them. */
function leaveDefaultsOut(document: Document): void {
  for (const { operation } of operationsOf(document))
    for (const parameter of operation.parameters ?? [])
      if (parameter.in === 'query' && parameter.schema && 'default' in parameter.schema) parameter.required = false
}
