import type { ProtocolPlugin } from '@svc/contract'
import type { AnyKit, AnyProtocol, RequirementResult } from '@svc/contract/host'
import type { NetworkSettings } from '@svc/core/plugins'
import { createCheck } from './check.ts'
import { type AnyContext, type CapturedCraft, capture, connect, observed, probe } from './direct.ts'
import type { AnyFamily } from './family.ts'
import type { Client } from './http.ts'
import { once } from './once.ts'
import type { ConformanceOptions, StageOptions } from './options.ts'
import { createPlayer, type Player } from './player.ts'
import { actionOf } from './present.ts'
import { openState, type Service, type ServiceOptions, startService } from './service.ts'
import { createUpstream, type Upstream } from './upstream.ts'
import { startWorld, type World } from './world.ts'

/** A wallet for which an action succeeds, and the body for it. */
export interface Ready {
  readonly player: Player
  readonly body: Readonly<Record<string, unknown>>
}

/** Subject of a group: the plugin in a running service on a running chain. */
export interface Subject {
  readonly options: ConformanceOptions
  readonly plugin: ProtocolPlugin
  readonly protocol: AnyProtocol
  readonly kit: AnyKit
  readonly family: AnyFamily
  readonly world: World
  readonly upstream: Upstream
  readonly service: Service
  /** A caller with a key of an account that may use everything. */
  readonly client: Client
  /** The plugin's client on the chain, alongside the service. */
  readonly direct: AnyContext
  /** Another client of the plugin on the chain, which the caller closes. @param blamed takes what the endpoint is blamed for @param heads takes what it tells of its head */
  connect(blamed?: unknown[], heads?: Date[]): AnyContext
  /** Asks the chain's endpoint for each requirement of the plugin, as `svc check` does. @param send reaches the endpoint */
  probe(send: typeof fetch): Promise<readonly RequirementResult[]>
  /** Names of the actions. */
  readonly actions: readonly string[]
  /** Actions whose guard has refused a request so far. */
  readonly guarded: ReadonlySet<string>
  /** A fresh wallet that was given funds. */
  player(check?: Player['check'], measured?: boolean): Promise<Player>
  /** The example of an action, set up once. Crafting it changes nothing, so that groups share it. @throws when it cannot be set up */
  example(action: string): Promise<Ready>
  /** The example of an action, set up anew, to be used up. */
  freshExample(action: string): Promise<Ready>
  /** The example's transaction with all that it is checked against. */
  captured(action: string): Promise<CapturedCraft>
  /** Another service with the same plugin, or another, on the same chain. Closed by the caller. */
  serve(change?: Change): Promise<Service>
  close(): Promise<void>
}

/** Difference between another service and the subject's own. */
export interface Change extends Partial<Omit<ServiceOptions, 'networks'>> {
  /** In place of the chain's own. */
  readonly endpoints?: readonly string[]
  /** Endpoint groups besides the chain's own, in place of the scenario's; null for one that the operator did not name. */
  readonly further?: Readonly<Record<string, readonly string[] | null>>
  /** Several networks on the same chain. */
  readonly chainIds?: readonly string[]
  /** Settings on top of the subject's. */
  readonly settings?: Readonly<Record<string, unknown>>
}

/** What a fresh wallet is given where the options say nothing, in native units. */
export const FUNDS = '100000'

/**
 * Starts the service with a plugin on its local chain, without any group: for a plugin's own tests. Closing it closes the chain.
 *
 * @throws SandboxError when the chain cannot be started; what a server would refuse to start for
 */
export async function startStage(options: StageOptions): Promise<Subject> {
  const world = await startWorld(options.scenario)
  try {
    const subject = await startSubject({ examples: {}, journeys: [], refusals: [], ...options }, world)
    const close = async () => {
      await subject.close()
      await world.close()
    }
    return { ...subject, close }
  } catch (error) {
    await world.close()
    throw error
  }
}

/** Starts the service with the plugin on a chain that runs. @throws what a server would refuse to start for */
export async function startSubject(options: ConformanceOptions, world: World): Promise<Subject> {
  const { family } = options
  const { protocol } = options.plugin
  const guarded = new Set<string>()
  const plugin = observed(options.plugin, guarded)
  const upstream = createUpstream()
  const settings = { ...world.settings, ...options.settings }
  const network: NetworkSettings = {
    chainId: world.chainId,
    name: 'conformance',
    path: `plugins.${protocol.name}.networks.${world.chainId}`,
    settings,
  }

  const state = await openState()
  const serve: Subject['serve'] = ({ endpoints, further, chainIds = [world.chainId], settings: changed, ...change } = {}) => {
    const own = endpoints ?? [world.rpcUrl]
    const groups = {
      ...world.endpoints,
      ...((endpoints ? undefined : options.endpoints?.(world.rpcUrl)) ?? { [protocol.kit.endpoints]: own }),
      ...further,
    }
    const networks = Object.fromEntries(
      chainIds.map((chainId, index) => [
        chainId,
        {
          name: `conformance ${index + 1}`,
          endpoints: Object.fromEntries(Object.entries(groups).flatMap(([name, urls]) => (urls ? [[name, [...urls]]] : []))),
          ...settings,
          ...changed,
        },
      ]),
    )
    return startService({ plugin, networks, fetch: upstream.fetch, state, ...change })
  }

  const service = await serve().catch(async (error: unknown) => {
    await state.store.close()
    throw error
  })
  try {
    const client = await service.client()
    const connectAgain: Subject['connect'] = (blamed, heads) => connect(protocol, network, world, upstream.fetch, blamed, heads)
    const direct = connectAgain()
    const examples = new Map<string, Promise<Ready>>()
    const captures = new Map<string, Promise<CapturedCraft>>()

    const subject: Subject = {
      options,
      plugin,
      protocol,
      kit: protocol.kit,
      family,
      world,
      upstream,
      service,
      client,
      direct,
      connect: connectAgain,
      probe: (send) => probe(protocol, network, world, send),
      actions: Object.keys(protocol.actions),
      guarded,
      async player(check = createCheck(), measured = false) {
        const player = createPlayer(subject, check, measured)
        await player.fund(options.funds ?? FUNDS)
        return player
      },
      example: (action) => once(examples, action, () => subject.freshExample(action)),
      async freshExample(action) {
        const example = options.examples[action]
        if (!example) throw new TypeError(`examples has no member ${action}: give a state in which the action succeeds`)
        const player = await subject.player()
        await example.setup?.(player)
        return { player, body: player.body(example.body) }
      },
      captured: (action) =>
        once(captures, action, async () => {
          const { body } = await subject.example(action)
          return capture(protocol, direct, actionOf(protocol, action), JSON.stringify(body))
        }),
      serve,
      async close() {
        await protocol.kit.close?.(direct.client)
        await service.close()
        await state.store.close()
      },
    }
    return subject
  } catch (error) {
    await service.close()
    await state.store.close()
    throw error
  }
}
