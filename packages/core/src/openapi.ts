import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { schemaRef } from '@svc/contract'
import type { FastifyInstance, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import type { LoadedPlugin } from './discover.ts'

const DESCRIPTION = `Crafts unsigned staking transactions, assembles signed ones from signatures made elsewhere, broadcasts them, and serves staking data.
It never sees a private key.

**Four steps.** Craft (\`/action/…\`), sign outside, \`/action/prepare\`, \`/action/broadcast\`. Craft, prepare and reads are safe to repeat.

**Amounts** are exact. In requests a number is read digit by digit, or send the decimal as a string. In responses a number's text is the exact decimal;
a parser that makes doubles gets the nearest one.

**\`x-signature\`** is on every response: base64 RSASSA-PKCS1-v1_5 with SHA-256 over the exact bytes of the body. The public key is at \`/api/v1/public-key\`.

**\`x-request-id\`** is on every response; quote it when you ask about a request.`

/** The console's heading, drawn here so that the page needs nothing from outside. */
const LOGO = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 330 40"><text x="0" y="27" font-family="sans-serif" font-size="22" fill="#fff">Staking Transaction Service</text></svg>`,
)

/** Statuses that every route of the API can answer. */
const common = { 401: schemaRef('Error'), 429: schemaRef('Error'), 500: schemaRef('Error') }

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: 'Success.',
  201: 'Created.',
  400: 'The request, or the state of the chain, does not allow it; `error` says why.',
  401: 'No credential, or one that is not accepted.',
  404: 'There is nothing under that path or identifier.',
  422: 'Understood, and not possible; `error` says why.',
  429: 'The limit of requests per minute is used up; see `Retry-After`.',
  500: 'A fault of the service.',
  502: "The chain's endpoints are down or answer nonsense; try again.",
  503: 'Not now; see `Retry-After`.',
  504: "The chain's endpoints are too slow; try again.",
}

/** The OpenAPI document at `/openapi.json` and the console at `/docs`, both from the routes' own schemas. */
export const openapi = fp(
  async (app: FastifyInstance, { plugins, version }: { plugins: readonly LoadedPlugin[]; version: string }) => {
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: {
          title: 'Staking Transaction Service',
          version,
          description: DESCRIPTION,
          license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } as never,
        },
        tags: [
          ...plugins.map(({ plugin }) => ({ name: plugin.protocol.prefix.slice(1), description: plugin.protocol.summary })),
          { name: 'API keys', description: 'Management of the API keys of an account.' },
          { name: 'Service', description: 'Health and public key.' },
        ],
        components: {
          securitySchemes: {
            apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY', description: 'An API key.' },
            token: { type: 'apiKey', in: 'header', name: 'token', description: 'A management token.' },
            bearer: { type: 'http', scheme: 'bearer', description: 'The same management token, as Authorization: Bearer.' },
          },
        },
      },
      transformObject: (made) => {
        const document = 'openapiObject' in made ? made.openapiObject : made.swaggerObject
        leaveDefaultsOut(document.paths ?? {})
        return document
      },
      refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `def-${index}`) },
    })
    app.addHook('onRoute', describeStatuses)
    await app.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: true,
      theme: { title: 'Staking Transaction Service' },
      logo: { type: 'image/svg+xml', content: LOGO, href: '/docs' },
      uiConfig: {
        url: '/openapi.json',
        deepLinking: true,
        docExpansion: 'list',
        tryItOutEnabled: true,
        persistAuthorization: true,
        displayRequestDuration: true,
      },
    })
    let document: string | undefined
    app.get('/openapi.json', { schema: { hide: true }, config: { credential: 'none', limited: false } }, async (_request, reply) => {
      document ??= JSON.stringify(app.swagger())
      return reply.type('application/json; charset=utf-8').send(document)
    })
  },
  { fastify: '5.x', name: '@svc/openapi' },
)

/** A query parameter with a default may be left out, though a handler always finds it. */
function leaveDefaultsOut(paths: object): void {
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item as object)))
    for (const parameter of (operation as { parameters?: { in: string; required?: boolean; schema?: object }[] }).parameters ?? [])
      if (parameter.in === 'query' && parameter.schema && 'default' in parameter.schema) parameter.required = false
}

/** Statuses that the host itself can answer, and a sentence for each status of each route. */
function describeStatuses(route: RouteOptions): void {
  const { schema } = route
  if (!schema?.response || schema.hide || route.url.startsWith('/docs')) return
  schema.operationId ??= operationId([route.method].flat()[0]!, route.url)
  const open = (route.config as { credential?: string } | undefined)?.credential === 'none'
  const all = { ...(open ? {} : common), ...(schema.response as Record<string, object>) }
  schema.response = Object.fromEntries(Object.entries(all).map(([status, body]) => [status, withDescription(body, DESCRIPTIONS[status])]))
}

/** `POST /api/v1/evm-three/native/action/delegate` is `postEvmThreeNativeActionDelegate`: a name for generated clients. */
function operationId(method: string, url: string): string {
  const words = url
    .replace('/api/v1', '')
    .split(/[/-]/)
    .filter(Boolean)
    .map((word) => (word.startsWith(':') ? `by-${word.slice(1)}` : word))
    .join('-')
    .split('-')
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function withDescription(schema: object, description: string | undefined): object {
  if (!description || 'description' in schema) return schema
  return { ...schema, description }
}
