import type { Context, NetworkBase } from '@svc/contract'
import type { AnyKit, ClientOf, Protocol, Upstream } from '@svc/contract/host'
import type { FastifyInstance } from 'fastify'
import type { Looks } from '../life/follow.ts'
import { looksOf } from '../life/look-functions.ts'
import type { Price } from '../price.ts'
import type { NetworkSettings, Services } from '../services.ts'
import { type ConditionKeeper, createConditionKeeper } from './condition-keeper.ts'
import { createKeyStore, placeOf } from './key-store.ts'
import { priceIdOf, resolveNetwork } from './settings.ts'
import { createSnapshot, type Snapshot } from './snapshot.ts'

/** State that the plugin keeps for each distinct set of settings. */
export interface ServedNetwork<Client, Net> {
  readonly ctx: Context<Client, Net>
  /** The same context with a client that believes each endpoint by itself, for calls that change the chain. */
  readonly sending: Context<Client, Net>
  readonly snapshot: Snapshot
  /** Keeper of the network's conditions; null where the plugin tells none. */
  readonly condition: ConditionKeeper | null
  readonly looks: Looks
  readonly readPrice: () => Promise<Price | null>
}

/**
 * Makes the clients of a protocol's chains: one for each chain; one whose endpoints are believed singly, where two have to agree otherwise; and one for each endpoint where
 * a witness is wanted.
 */
export function createClients<K extends AnyKit, Net>(protocol: Protocol<K, Net>, app: FastifyInstance, services: Services) {
  const { kit } = protocol
  const clients = new Map<string, ClientOf<K>>()
  const alone = new Map<string, ClientOf<K>>()
  const witnesses = new Map<string, readonly ClientOf<K>[]>()
  const connected = (network: NetworkBase & Net, upstream: Upstream) =>
    kit.connect(network, { ...upstream, log: app.log, now: () => services.now() }) as ClientOf<K>
  return {
    of(network: NetworkBase & Net): ClientOf<K> {
      const client = clients.get(network.chainId) ?? connected(network, services.upstream(network.chainId, kit.endpoints))
      clients.set(network.chainId, client)
      return client
    },
    /** For broadcasts, and for looks at transactions: these ask every endpoint by itself before they tell an end. */
    alone(network: NetworkBase & Net): ClientOf<K> {
      const upstream = services.upstream(network.chainId, kit.endpoints)
      if (upstream.alone === undefined || (upstream.agreement ?? 1) === 1) return this.of(network)
      const client = alone.get(network.chainId) ?? connected(network, upstream.alone)
      alone.set(network.chainId, client)
      return client
    },
    witnesses(network: NetworkBase & Net): readonly ClientOf<K>[] {
      const group =
        witnesses.get(network.chainId) ?? services.endpoints(network.chainId, kit.endpoints).map((each) => connected(network, each))
      witnesses.set(network.chainId, group)
      return group
    },
    all: (): readonly ClientOf<K>[] => [...clients.values(), ...alone.values(), ...[...witnesses.values()].flat()],
  }
}

/** Connects a protocol to its networks: one entry for each distinct set of settings. */
export function connect<K extends AnyKit, Net>(
  protocol: Protocol<K, Net>,
  app: FastifyInstance,
  services: Services,
  clients: ReturnType<typeof createClients<K, Net>>,
) {
  const served = new Map<NetworkSettings, ServedNetwork<ClientOf<K>, Net>>()
  for (const settings of services.networks) {
    const network = resolveNetwork<Net>(protocol, settings)
    const log = app.log
    const store = createKeyStore(services.records, placeOf(protocol.name, network), log)
    const ctx: Context<ClientOf<K>, Net> = {
      client: clients.of(network),
      network,
      log,
      now: () => services.now(),
      memo: {},
      store,
      upstream: (group) => (services.hasEndpoints(settings.chainId, group) ? services.upstream(settings.chainId, group) : null),
    }
    const snapshot = createSnapshot(() => protocol.info(ctx), { log, store, now: () => services.now() })
    services.showInfo?.(settings, snapshot.peek)
    const { condition: tell, conditionMinutes: minutes } = protocol
    // What staking-info says of earning follows from the same state: it is not to say an hour long what the condition denies.
    const changed = () => snapshot.renew()
    const condition = tell ? createConditionKeeper(() => tell(ctx), { minutes, changed, log, store, now: () => services.now() }) : null
    if (condition) services.showCondition?.(settings, condition.peek)
    const sending = { ...ctx, client: clients.alone(network) }
    const looks = looksOf(protocol, ctx, () => clients.witnesses(network), sending)
    services.life.offer(settings, looks)
    const priceId = priceIdOf(protocol, settings)
    served.set(settings, {
      ctx,
      sending,
      snapshot,
      condition,
      looks,
      readPrice: priceId === null ? async () => null : services.watchPrice(priceId),
    })
  }
  return served
}

/** Returns the entry of a network. @throws Error when the host names a network that it did not announce, which is a fault of the host */
export function servedOf<T>(served: Map<NetworkSettings, T>, settings: NetworkSettings): T {
  const entry = served.get(settings)
  if (!entry) throw new Error(`the host handed over a network that it did not announce: ${settings.path}`)
  return entry
}
