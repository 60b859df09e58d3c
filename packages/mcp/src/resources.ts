import type { McpServer } from '@modelcontextprotocol/server'
import { ERRORS } from '@svc/client/error-codes'
import { flat } from './data.ts'
import { type BoundProtocol, inWords } from './protocols.ts'
import { inputSchema } from './schema.ts'

/** Puts resources into a server. */
type Resources = (server: McpServer) => void

/** The service reads its terms of staking anew once an hour. */
const HOUR_MS = 3_600_000
const JSON_TYPE = 'application/json'

interface Content {
  readonly name: string
  readonly uri: string
  readonly title: string
  readonly description: string
  read(): Promise<unknown>
}

/** Makes what a host may show its person, or a model, without a tool: networks with their pinned terms, each protocol, and what every refusal means. */
export function resources(bound: readonly BoundProtocol[], broadcast: boolean): Resources {
  const all: readonly Content[] = [
    {
      name: 'networks',
      uri: 'staking://networks',
      title: 'Protocols and networks',
      description: 'The protocols and networks of this server, with the terms that its operator pinned.',
      read: async () => ({ protocols: bound.map(inWords), broadcast }),
    },
    ...bound.map((each) => ({
      name: `protocol-${each.name}`,
      uri: `staking://protocols/${each.name}`,
      title: `Protocol ${each.name}`,
      description: `${each.name} on ${each.terms.caip2}: its actions with their bodies, its pinned terms, and what staking means as the service answers it.`,
      read: () => protocolOf(each),
    })),
    {
      name: 'errors',
      uri: 'staking://errors',
      title: 'Errors',
      description:
        'What each code of a refusal means, with its HTTP status: under `protocols` what it means of the one that was asked for, and under `service` of whatever is of none.',
      read: async () => ({
        service: meaningsOf('service'),
        protocols: Object.fromEntries(bound.map(({ name, intent }) => [name, meaningsOf(intent.family.name, intent.path)])),
      }),
    },
  ]
  return (server) => {
    for (const { name, uri, title, description, read } of all) {
      const cacheHint = { ttlMs: HOUR_MS, cacheScope: 'private' as const }
      server.registerResource(name, uri, { title, description, mimeType: JSON_TYPE, cacheHint }, async () => ({
        contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(await read()) }],
      }))
    }
  }
}

/** Codes by whoever declares them: a stranger's plugin is not among them. */
const tables: Readonly<Record<string, Readonly<Record<string, readonly [status: number, meaning: string]>>>> = ERRORS

/** Meanings of codes by who declares them: what a plugin says of one goes before what its family says, since that is what it means there. */
function meaningsOf(...owners: readonly string[]) {
  const codes = owners.flatMap((owner) => Object.entries(tables[owner] ?? {}))
  return Object.fromEntries(codes.map(([code, [status, meaning]]) => [code, { status, meaning }]))
}

async function protocolOf(bound: BoundProtocol) {
  const { intent, terms, calls } = bound
  const actions = Object.entries(intent.actions).map(([action, { input }]) => [action, inputSchema(intent, input, terms)])
  return { ...inWords(bound), actions: Object.fromEntries(actions), origin: 'service', info: flat(await calls.info()) }
}
