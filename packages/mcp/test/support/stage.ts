import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { TrustDocument } from '@svc/client'
import { kitWith, onKit, type Service, startStage } from '@svc/conformance'
import { type EvmWallet, evmFamily } from '@svc/conformance/evm'
import type { AnyKit } from '@svc/contract/host'
import { termsOf } from '@svc/core/plugins'
import { evmThree } from '@svc/intent-evm-three'
import { createMcp, type HttpOptions, type McpOptions, serveHttp } from '@svc/mcp'
import plugin from '@svc/plugin-evm-three'
import { scenario } from '@svc/plugin-evm-three/sandbox'
import t, { type Test } from 'tap'

export const stage = await startStage({ plugin, scenario, family: evmFamily })
t.teardown(() => stage.close())

/** A position with something in every bucket, so that every action succeeds. */
const player = await stage.player()
await player.act('delegate', { amount: 100 })
await player.advance({ epochs: 2 })
await player.act('undelegate', { amount: 1, withdrawId: 1 })
await player.advance({ epochs: 2 })
await player.act('undelegate', { amount: 2, withdrawId: 200 })
await player.act('delegate', { amount: 5 })

export const wallet = player.wallet as EvmWallet
const { address } = wallet

/** Arguments of every action, by its name. */
export const bodies: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  delegate: { address, amount: '1.000000000000000001' },
  undelegate: { address, amount: '1', withdrawId: 9 },
  withdraw: { address, withdrawId: 1 },
  'claim-rewards': { address },
  compound: { address },
}

export const draftOf = (action: string) => `staking_draft_monad_${action}`

/** What the operator of a service would print. */
export function trustOf({ url, signer }: Service): TrustDocument {
  const { protocol, direct } = stage
  return {
    version: 1,
    baseUrl: url,
    account: 'full',
    keys: signer.responses.keys.map(({ jwk }) => jwk),
    protocols: [{ path: protocol.prefix, networks: [{ default: true, terms: termsOf(protocol, direct.network) }] }],
  }
}

/**
 * A service that belongs to a thief: whatever its kit crafts, its own check finds in order, and it is signed with the pinned key. That every attack of every
 * protocol is refused is what conformance shows (`intent`).
 */
export async function stolen(t: Test, forge: (honest: unknown) => unknown): Promise<Service> {
  const { kit } = stage
  let honest: unknown
  const evil: AnyKit = kitWith(kit, {
    async assemble(...given) {
      const assembled = await kit.assemble(...given)
      honest = assembled.unsigned
      return { ...assembled, unsigned: forge(honest) as never }
    },
    decode: (_unsigned, ...rest) => kit.decode(honest as never, ...rest),
  })
  const service = await stage.serve({ plugin: onKit(plugin, evil) })
  t.teardown(() => service.close())
  return service
}

export interface ServedMcp {
  readonly url: string
  readonly client: Client
}

/** The server over HTTP before a service, and a client of MCP that speaks the current revision. */
export async function overHttp(t: Test, service: Service, options: Partial<McpOptions> = {}, http: HttpOptions = {}): Promise<ServedMcp> {
  const trust = trustOf(service)
  const factory = createMcp({ trust, apiKey: await service.key(), protocols: { monad: evmThree }, retries: 0, ...options })
  const server = await serveHttp(factory, { port: 0, ...http })
  t.teardown(() => server.close())
  return { url: server.url, client: await connected(t, server.url) }
}

export const CURRENT = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const

export async function connected(t: Test, url: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '0.0.0' }, CURRENT)
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  t.teardown(() => client.close())
  return client
}

/** What a tool answers; a refusal is `{ error }`. */
export async function call(client: Client, name: string, args: Readonly<Record<string, unknown>> = {}): Promise<any> {
  const { isError, structuredContent, content } = await client.callTool({ name, arguments: { ...args } })
  const [first] = content as readonly { readonly type: string; readonly text: string }[]
  if (isError) return { isError, structuredContent, text: first?.text, ...parsed(first?.text) }
  return structuredContent
}

function parsed(text = ''): object {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** By the wallet of the position, over what the draft says. */
export function sign(payload: string): string {
  return wallet.key.sign(payload).serialized
}
