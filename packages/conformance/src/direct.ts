import {
  type AnyAction,
  type AnyKit,
  type AnyProtocol,
  badGateway,
  type Context,
  craft,
  type KitIo,
  type NetworkSettings,
  type ProtocolPlugin,
  parseJson,
  protocol as protocolOf,
  readInput,
  resolveNetwork,
} from '@svc/contract'
import type { Bounds, Effects } from '@svc/verify'
import type { World } from './world.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests know no family, so they cannot name one
export type AnyContext = Context<any, any>

/** A crafted transaction with everything it was checked against. */
export interface Captured {
  readonly unsigned: unknown
  readonly effects: Effects
  readonly bounds: Bounds
}

const quiet = () => undefined
/** A log that keeps nothing. */
const log = { fatal: quiet, error: quiet, warn: quiet, info: quiet, debug: quiet, trace: quiet, silent: quiet, level: 'silent' }
Object.assign(log, { child: () => log })

type Endpoints = Pick<World, 'rpcUrl' | 'endpoints'>

/** A plugin's own client on one endpoint, without the service around it. Close it with the kit's `close`. */
export function connect(protocol: AnyProtocol, settings: NetworkSettings, world: Endpoints, send: typeof fetch): AnyContext {
  const network = resolveNetwork<object>(protocol, settings)
  const io: KitIo = { fetch: onEndpoint(world.rpcUrl, send), log: log as unknown as KitIo['log'] }
  const further = (group: string) => {
    const url = group === protocol.kit.endpoints ? world.rpcUrl : world.endpoints[group]?.[0]
    return url === undefined ? null : onEndpoint(url, send)
  }
  return { client: protocol.kit.connect(network, io), network, log: io.log, now: () => new Date(), memo: new Map(), fetch: further }
}

/**
 * Crafts through the contract's own pipeline, and keeps what the kit noted beside the bytes.
 *
 * @param body JSON text of the whole body
 * @throws the refusal
 */
export async function capture(
  protocol: AnyProtocol,
  ctx: AnyContext,
  action: AnyAction<unknown, unknown, unknown>,
  body: string,
): Promise<Captured> {
  const terms = new Map<unknown, Bounds['terms']>()
  const kit = kitWith(protocol.kit, {
    async assemble(...given) {
      const assembled = await protocol.kit.assemble(...given)
      terms.set(assembled.unsigned, assembled.terms)
      return assembled
    },
  })
  const input = readInput(kit, action.body, parseJson(body) as object, action.invalidBody)
  const { unsigned, effects } = await craft(kit, action, ctx, input)
  const noted = terms.get(unsigned)
  const { chainId, maxFee } = ctx.network
  return { unsigned, effects, bounds: { chainId, maxFee, ...(noted ? { terms: noted } : {}) } }
}

/** The same plugin on another kit. */
export function onKit(plugin: ProtocolPlugin, kit: AnyKit): ProtocolPlugin {
  const { kit: _, network, ...declaration } = plugin.protocol
  return protocolOf(kit, network.properties).definePlugin(declaration)
}

/** The same kit with some of its functions replaced. */
export function kitWith(kit: AnyKit, replaced: Partial<AnyKit>): AnyKit {
  return Object.assign(Object.create(kit) as AnyKit, replaced)
}

/** Like the service's own: the base address of a call is ignored, its path and query are kept; what fails is a 502. */
function onEndpoint(rpcUrl: string, send: typeof fetch): typeof fetch {
  const fetchThere = async (input: string | URL | Request, init?: RequestInit) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    const address = `${rpcUrl.replace(/\/$/, '')}${pathname}${search}`
    try {
      const response = await send(input instanceof Request ? new Request(address, input) : address, init)
      if (response.ok) return response
    } catch {
      // Whatever it was, the service says the same about it.
    }
    throw badGateway('UPSTREAM_UNAVAILABLE', 'the endpoint failed')
  }
  return fetchThere as typeof fetch
}
