import {
  type Context,
  declareErrors,
  isEndpointError,
  isServiceError,
  type KitIo,
  type ProtocolPlugin,
  protocol as protocolOf,
} from '@svc/contract'
import {
  type AnyAction,
  type AnyKit,
  type AnyProtocol,
  parseJson,
  type RequirementResult,
  readInput,
  singleEndpoint,
  type Upstream,
} from '@svc/contract/host'
import { craft, createKeyStore, inspectRequirements, memoryRecords, type NetworkSettings, resolveNetwork } from '@svc/core/plugins'
import type { Bounds, Effects } from '@svc/verify'
import type { World } from './world.ts'

const { badGateway } = declareErrors({ UPSTREAM_UNAVAILABLE: [502, 'No endpoint answers.'] })

// biome-ignore lint/suspicious/noExplicitAny: the tests know no family, so they cannot name one
export type AnyContext = Context<any, any>

/** A crafted transaction with everything it was checked against. */
export interface CapturedCraft {
  readonly unsigned: unknown
  readonly effects: Effects
  readonly bounds: Bounds
}

const quiet = () => undefined
/** Log that discards everything. */
export const SILENT_LOG = {
  fatal: quiet,
  error: quiet,
  warn: quiet,
  info: quiet,
  debug: quiet,
  trace: quiet,
  silent: quiet,
} as unknown as KitIo['log']
Object.assign(SILENT_LOG, { level: 'silent', child: () => SILENT_LOG })

type Endpoints = Pick<World, 'rpcUrl' | 'endpoints'>

/**
 * Connects a plugin's own client to one endpoint, without the service around it. Close the client with the kit's `close`.
 *
 * @param blamed receives the errors for which the endpoint is blamed
 * @param heads receives the times that it tells of its head
 */
export function connect(
  protocol: AnyProtocol,
  settings: NetworkSettings,
  world: Endpoints,
  send: typeof fetch,
  blamed: unknown[] = [],
  heads: Date[] = [],
): AnyContext {
  const network = resolveNetwork<object>(protocol, settings)
  const on = (url: string) => watched(singleEndpoint(onEndpoint(url, send)), blamed, heads)
  const io: KitIo = { ...on(world.rpcUrl), log: SILENT_LOG, now: () => new Date() }
  const further = (group: string) => {
    const url = group === protocol.kit.endpoints ? world.rpcUrl : world.endpoints[group]?.[0]
    return url === undefined ? null : on(url)
  }
  const store = createKeyStore(memoryRecords(), 'conformance', io.log)
  return {
    client: protocol.kit.connect(network, io),
    network,
    log: io.log,
    now: () => new Date(),
    memo: {},
    store,
    upstream: further,
  }
}

/** Asks one endpoint for each requirement of a plugin, as `svc check` does. @param send reaches the endpoint */
export function probe(
  protocol: AnyProtocol,
  settings: NetworkSettings,
  { rpcUrl }: Endpoints,
  send: typeof fetch,
): Promise<readonly RequirementResult[]> {
  return inspectRequirements(protocol, settings, { ...singleEndpoint(onEndpoint(rpcUrl, send)), log: SILENT_LOG, now: () => new Date() })
}

/** The same endpoint, with what it is blamed for and the heads that it tells noted. */
function watched({ fetch, exchange }: Upstream, blamed: unknown[], heads: Date[]): Upstream {
  const saw = (head: Date) => void heads.push(head)
  return {
    fetch,
    exchange: (work, reading) =>
      exchange(async (send, ...others) => {
        try {
          return await work(
            Object.assign<typeof fetch, object>((...given) => send(...given), { saw }),
            ...others,
          )
        } catch (error) {
          if (isEndpointError(error)) blamed.push(error)
          throw error
        }
      }, reading),
  }
}

/**
 * Crafts through the contract's own pipeline, and also returns the kit's terms, which are not in the bytes.
 *
 * @param body JSON text of the whole body
 * @throws the refusal
 */
export async function capture(
  protocol: AnyProtocol,
  ctx: AnyContext,
  action: AnyAction<unknown, unknown, unknown>,
  body: string,
): Promise<CapturedCraft> {
  const input = readInput(protocol.kit, action.body, parseJson(body), action.invalidBody)
  const { unsigned, effects, terms } = await craft(protocol.kit, action, ctx, input)
  const { chainId, maxFee } = ctx.network
  return { unsigned, effects, bounds: { chainId, maxFee, terms } }
}

/** Makes a copy of a plugin on another kit. */
export function onKit(plugin: ProtocolPlugin, kit: AnyKit): ProtocolPlugin {
  const { kit: _, network, ...declaration } = plugin.protocol
  return protocolOf(kit, network.properties).definePlugin(declaration)
}

/** Makes a copy of a plugin that records the names of actions whose guard refuses a request. */
export function observed(plugin: ProtocolPlugin, guarded: Set<string>): ProtocolPlugin {
  const { kit, network, ...declaration } = plugin.protocol
  const actions = Object.entries(declaration.actions).map(([name, action]) => {
    const { guard } = action
    if (!guard) return [name, action] as const
    const noting = async (...parameters: Parameters<typeof guard>) => {
      try {
        await guard.apply(action, parameters)
      } catch (error) {
        if (isServiceError(error) && error.statusCode < 500) guarded.add(name)
        throw error
      }
    }
    return [name, { ...action, guard: noting }] as const
  })
  return protocolOf(kit, network.properties).definePlugin({ ...declaration, actions: Object.fromEntries(actions) })
}

/** An object that has all of another one's members, methods of classes among them. */
function derived<T extends object>(from: T): T {
  return Object.create(from)
}

/** Makes a copy of a kit with some of its functions replaced. */
export function kitWith(kit: AnyKit, replaced: Partial<AnyKit>): AnyKit {
  return Object.assign(derived(kit), replaced)
}

/** Like the service's own: the base address of a call is ignored, its path and query are kept; what fails is a 502. */
function onEndpoint(rpcUrl: string, send: typeof fetch): typeof fetch {
  return async (input, init) => {
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
}
