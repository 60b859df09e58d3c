import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { craft, DecodeMismatch } from './craft.ts'
import { readInput } from './input.ts'
import type { AnyKit, ClientOf, DraftOf, KitContext } from './kit.ts'
import type { AnyAction, Context, Protocol } from './protocol.ts'
import { craftBody, openBody, registerAction } from './register.ts'
import { networkSchema, schemaRef } from './schemas.ts'
import type { NetworkSettings, Services } from './services.ts'
import { resolveNetwork, SettingsError } from './settings.ts'
import { createSnapshot, type Snapshot } from './snapshot.ts'
import { balanceToWire, infoToWire } from './wire.ts'

/** The contract's number; a host refuses a plugin of another. */
export const CONTRACT = 1

// biome-ignore lint/suspicious/noExplicitAny: the host knows no family, so it cannot name one
export type AnyProtocol = Protocol<any, any>

/** What a plugin package exports by default: a real Fastify plugin, and its declaration beside it. */
export type ProtocolPlugin = FastifyPluginAsync<{ services: Services }> & {
  readonly contract: typeof CONTRACT
  readonly protocol: AnyProtocol
}

interface Cell<Client, Net> {
  readonly ctx: Context<Client, Net>
  readonly snapshot: Snapshot
}

/** Writes the Fastify plugin that a declaration describes. */
export function pluginOf<K extends AnyKit, Net>(protocol: Protocol<K, Net>): ProtocolPlugin {
  refuseBadDeclaration(protocol)
  const plugin: FastifyPluginAsync<{ services: Services }> = async (app, { services }) => {
    const cells = connect(protocol, app, services)
    const use = (request: FastifyRequest): Context<ClientOf<K>, Net> => {
      const settings = services.network(request)
      services.note(request, { network: settings.chainId })
      return { ...cellOf(cells, settings).ctx, log: request.log }
    }
    registerReads(protocol, app, services, use, cells)
    for (const [name, action] of Object.entries(protocol.actions)) registerCraft(protocol, app, services, use, name, action)
    registerExits(protocol, app, services, use)
    protocol.routes?.(app, use)
    app.addHook('onReady', async () => {
      for (const { snapshot } of cells.values()) snapshot.read().catch(() => undefined)
    })
    app.addHook('onClose', async () => {
      for (const { snapshot } of cells.values()) snapshot.close()
      for (const client of new Set([...cells.values()].map((cell) => cell.ctx.client))) await protocol.kit.close?.(client)
    })
  }
  const named = { [Symbol.for('fastify.display-name')]: protocol.name, contract: CONTRACT, protocol }
  return Object.assign(plugin, named) as ProtocolPlugin
}

function refuseBadDeclaration<K extends AnyKit, Net>(protocol: Protocol<K, Net>): void {
  const refuse = (why: string) => {
    throw new SettingsError(`${protocol.name}: ${why}`)
  }
  if (!/^\/[a-z0-9-]+\/[a-z0-9-]+$/.test(protocol.prefix))
    refuse(`prefix "${protocol.prefix}" is not two kebab-case segments such as /evm-three/native.`)
  for (const [name, action] of Object.entries(protocol.actions)) {
    if (!/^[a-z][a-z0-9-]*$/.test(name)) refuse(`action "${name}" is not a kebab-case word.`)
    if (name === 'prepare' || name === 'broadcast') refuse(`action "${name}" belongs to the kit.`)
    if (!(protocol.kit.signer in action.body))
      refuse(`action "${name}" has no member ${protocol.kit.signer} in its body, which names who signs.`)
    if (typeof action.effects !== 'function') refuse(`action "${name}" declares no effects; without them its bytes cannot be checked.`)
  }
}

/** One client a chain, one cell for each distinct set of settings. */
function connect<K extends AnyKit, Net>(protocol: Protocol<K, Net>, app: FastifyInstance, services: Services) {
  const clients = new Map<string, ClientOf<K>>()
  const cells = new Map<NetworkSettings, Cell<ClientOf<K>, Net>>()
  for (const settings of services.networks) {
    const network = resolveNetwork<Net>(protocol, settings)
    const log = app.log
    if (!clients.has(settings.chainId)) {
      const io = { fetch: services.fetch(settings.chainId, protocol.kit.endpoints), log }
      clients.set(settings.chainId, protocol.kit.connect(network, io) as ClientOf<K>)
    }
    const client = clients.get(settings.chainId)!
    const ctx: Context<ClientOf<K>, Net> = {
      client,
      network,
      log,
      now: () => services.now(),
      memo: new Map(),
      fetch: (group) => (services.hasEndpoints(settings.chainId, group) ? services.fetch(settings.chainId, group) : null),
    }
    cells.set(settings, { ctx, snapshot: createSnapshot(() => protocol.info(ctx), { log, now: () => services.now() }) })
  }
  return cells
}

function cellOf<T>(cells: Map<NetworkSettings, T>, settings: NetworkSettings): T {
  const cell = cells.get(settings)
  if (!cell) throw new Error(`the host handed over a network that it did not announce: ${settings.path}`)
  return cell
}

function registerReads<K extends AnyKit, Net>(
  protocol: Protocol<K, Net>,
  app: FastifyInstance,
  services: Services,
  use: (request: FastifyRequest) => Context<ClientOf<K>, Net>,
  cells: Map<NetworkSettings, Cell<ClientOf<K>, Net>>,
): void {
  const { kit } = protocol
  const upstream = { 502: schemaRef('Error'), 503: schemaRef('Error'), 504: schemaRef('Error') }

  app.get(
    '/networks',
    {
      schema: {
        summary: 'Networks enabled for the account',
        response: { 200: Type.Array(networkSchema(protocol.networkTitle ?? 'Network')) },
      },
    },
    async (request) =>
      services.enabled(request).map(({ network, isDefault }) => ({
        name: network.name,
        type: kit.type,
        chain_id: network.chainId,
        is_default: isDefault,
      })),
  )

  app.get(
    '/staking-info',
    { schema: { summary: 'Terms of staking', response: { 200: schemaRef('StakingInfo'), 400: schemaRef('Error'), ...upstream } } },
    async (request) => {
      const settings = services.network(request)
      services.note(request, { network: settings.chainId })
      return infoToWire(await cellOf(cells, settings).snapshot.read(), kit.decimals)
    },
  )

  app.get<{ Params: { address: string } }>(
    '/staking-balance/:address',
    {
      schema: {
        summary: "An address's position",
        params: Type.Object({ address: kit.wire.address }),
        response: { 200: schemaRef('StakingBalance'), 400: schemaRef('Error'), ...upstream },
      },
    },
    async (request) => {
      const ctx = use(request)
      return balanceToWire(await protocol.balance(ctx, kit.address(request.params.address)), kit.decimals)
    },
  )
}

function registerCraft<K extends AnyKit, Net>(
  protocol: Protocol<K, Net>,
  app: FastifyInstance,
  services: Services,
  use: (request: FastifyRequest) => Context<ClientOf<K>, Net>,
  name: string,
  action: AnyAction<ClientOf<K>, Net, DraftOf<K>>,
): void {
  registerAction(app, {
    name,
    summary: action.summary,
    description: action.description,
    body: craftBody(action.body),
    response: protocol.kit.wire.unsigned,
    invalidBody: action.invalidBody,
    unprocessable: action.unprocessable,
    async handle(request) {
      services.note(request, { action: name })
      const ctx = use(request)
      const input = readInput(protocol.kit, action.body, request.body as object, action.invalidBody)
      try {
        const { unsigned, effects } = await craft(protocol.kit, action, ctx, input)
        services.note(request, { effects })
        return unsigned
      } catch (error) {
        if (error instanceof DecodeMismatch) services.note(request, { mismatches: error.mismatches })
        throw error
      }
    },
  })
}

function registerExits<K extends AnyKit, Net>(
  protocol: Protocol<K, Net>,
  app: FastifyInstance,
  services: Services,
  use: (request: FastifyRequest) => KitContext<ClientOf<K>>,
): void {
  const { kit } = protocol
  registerAction(app, {
    name: 'prepare',
    summary: 'Assemble a signed transaction from the unsigned one and its signatures',
    body: openBody(kit.wire.prepare),
    response: kit.wire.signed,
    handle: async (request) => {
      services.note(request, { action: 'prepare' })
      return kit.prepare(use(request), request.body as never)
    },
  })
  registerAction(app, {
    name: 'broadcast',
    summary: 'Submit a signed transaction to the chain',
    description:
      'Success means submitted, not final: follow the hash on the network. After a timeout look the hash up before sending again; ' +
      'sending the same signed transaction twice answers the same hash.',
    body: openBody(kit.wire.broadcast),
    response: schemaRef('TransactionHash'),
    handle: async (request) => {
      services.note(request, { action: 'broadcast' })
      const { tx_hash } = await kit.broadcast(use(request), request.body as never)
      services.note(request, { txHash: tx_hash })
      return { tx_hash }
    },
  })
}
