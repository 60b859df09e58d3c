import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { connect, createClients, type ServedNetwork, servedOf } from './connect.ts'
import { craft, DecodeMismatch } from './craft.ts'
import { isServiceError } from './errors.ts'
import type { KitContext, NetworkBase, Wire } from './family.ts'
import { readInput } from './input.ts'
import type { AnyKit, ClientOf, DraftOf } from './kit.ts'
import { boundsOf, registerLife } from './life/register.ts'
import { validUntilToWire } from './life/wire.ts'
import { mayHaveArrived } from './may-have-arrived.ts'
import { membersOf } from './members.ts'
import { promisedOf } from './promised.ts'
import type { AnyAction, Context, Protocol } from './protocol.ts'
import { craftBody, openBody, registerAction } from './register.ts'
import { registerInspect } from './register-inspect.ts'
import { answerSealed, readsOn } from './register-reads.ts'
import { createSaid } from './said.ts'
import { networkSchema, schemaRef, snapshotAge } from './schemas.ts'
import type { NetworkSettings, Services } from './services.ts'
import { SettingsError } from './settings.ts'
import { balanceToWire, infoToWire } from './wire.ts'

/** The contract's number; a host refuses a plugin of another. */
export const CONTRACT = 1

/** Longest time between two readings of a condition, in minutes: an epoch of the chain whose epochs are the longest, Solana. */
const MOST_MINUTES = 2880

// biome-ignore lint/suspicious/noExplicitAny: the host knows no family, so it cannot name one
export type AnyProtocol = Protocol<any, any>

/** What a plugin package exports by default: a real Fastify plugin, and its declaration with it. */
export type ProtocolPlugin = FastifyPluginAsync<{ services: Services }> & {
  readonly contract: typeof CONTRACT
  readonly protocol: AnyProtocol
}

/** Writes the Fastify plugin that a declaration describes. */
export function pluginOf<K extends AnyKit, Net>(protocol: Protocol<K, Net>): ProtocolPlugin {
  refuseBadDeclaration(protocol)
  const plugin: FastifyPluginAsync<{ services: Services }> = async (app, { services }) => registerProtocol(protocol, app, services)
  const named = { [Symbol.for('fastify.display-name')]: protocol.name, contract: CONTRACT, protocol } as const
  return Object.assign(plugin, named)
}

/**
 * Registers all that a declaration says on a scope of the host's. A host calls this with its own copy of the contract, and never the function
 * that a package exports: so that no line of a plugin's runs with a Fastify instance in its hands.
 *
 * @throws SettingsError for a declaration that does not fit
 */
export function registerProtocol<K extends AnyKit, Net>(protocol: Protocol<K, Net>, app: FastifyInstance, services: Services): void {
  refuseBadDeclaration(protocol)
  const clients = createClients(protocol, app, services)
  const served = connect(protocol, app, services, clients)
  const use = (request: FastifyRequest): Context<ClientOf<K>, Net> => {
    const settings = services.network(request)
    services.note(request, { network: settings.chainId })
    return { ...servedOf(served, settings).ctx, log: request.log }
  }
  registerReads(protocol, app, services, use, served)
  for (const [name, action] of Object.entries(protocol.actions)) registerCraft(protocol, app, services, use, served, name, action)
  registerExits(protocol, app, services, use)
  registerInspect(protocol, app, services, use)
  registerLife(protocol, app, services, (request) => {
    const settings = services.network(request)
    services.note(request, { network: settings.chainId })
    const { ctx, looks } = servedOf(served, settings)
    return { settings, network: ctx.network, looks }
  })
  protocol.routes?.(readsOn(app, services, use))
  app.addHook('onReady', async () => {
    for (const { snapshot, condition } of served.values()) {
      snapshot.read().catch(() => undefined)
      void condition?.start()
    }
  })
  app.addHook('onClose', async () => {
    for (const { snapshot, condition } of served.values()) {
      snapshot.close()
      condition?.close()
    }
    for (const client of clients.all()) await protocol.kit.close?.(client)
  })
}

function refuseBadDeclaration<K extends AnyKit, Net>(protocol: Protocol<K, Net>): void {
  const refuse = (why: string) => {
    throw new SettingsError(`${protocol.name}: ${why}`)
  }
  if (!/^\/[a-z0-9-]+\/[a-z0-9-]+$/.test(protocol.prefix))
    refuse(`prefix "${protocol.prefix}" is not two kebab-case segments such as /evm-three/native.`)
  const { condition, conditionMinutes: minutes } = protocol
  if (minutes !== undefined && !(condition && Number.isInteger(minutes) && minutes >= 1 && minutes <= MOST_MINUTES))
    refuse(`conditionMinutes is ${minutes}; it says how often \`condition\` is asked, in whole minutes from 1 to ${MOST_MINUTES}.`)
  for (const [name, action] of Object.entries(protocol.actions)) {
    if (!/^[a-z][a-z0-9-]*$/.test(name)) refuse(`action "${name}" is not a kebab-case word.`)
    if (name === 'prepare' || name === 'broadcast') refuse(`action "${name}" belongs to the kit.`)
    if (name === 'track') refuse(`action "${name}" belongs to every protocol whose kit has a life.`)
    if (name === 'inspect') refuse(`action "${name}" belongs to every protocol that has an intent.`)
    if (!(protocol.kit.signer in action.body))
      refuse(`action "${name}" has no member ${protocol.kit.signer} in its body, which names who signs.`)
    if (action.obstacles && !condition) refuse(`action "${name}" names obstacles, which only a protocol with a \`condition\` has.`)
    if (typeof action.effects !== 'function') refuse(`action "${name}" declares no effects; without them its bytes cannot be checked.`)
  }
}

function registerReads<K extends AnyKit, Net>(
  protocol: Protocol<K, Net>,
  app: FastifyInstance,
  services: Services,
  use: (request: FastifyRequest) => Context<ClientOf<K>, Net>,
  served: Map<NetworkSettings, ServedNetwork<ClientOf<K>, Net>>,
): void {
  const { kit } = protocol
  const upstream = { 502: schemaRef('Error'), 503: schemaRef('Error'), 504: schemaRef('Error') }

  app.get(
    '/networks',
    {
      schema: {
        summary: 'Networks enabled for the account',
        description: 'The `chain_id` of each is a value for X-NETWORK. The one with `is_default` is taken where X-NETWORK is left out.',
        response: { 200: Type.Array(networkSchema(protocol.networkTitle ?? 'Network')) },
      },
    },
    async (request, reply) => {
      const networks = services.enabled(request).map(({ network: { name, chainId }, isDefault }) => ({
        name,
        type: kit.type,
        chain_id: chainId,
        is_default: isDefault,
      }))
      return answerSealed(services, request, reply, networks)
    },
  )

  app.get(
    '/staking-info',
    {
      schema: {
        summary: 'Terms of staking',
        description:
          'From a snapshot that is refreshed every hour; `x-snapshot-age` says how old its oldest value is. null means that a value does not apply.',
        response: {
          200: { ...schemaRef('StakingInfo'), headers: { 'x-snapshot-age': snapshotAge } },
          400: schemaRef('Error'),
          ...upstream,
        },
      },
    },
    async (request, reply) => {
      const settings = services.network(request)
      services.note(request, { network: settings.chainId })
      const { snapshot, readPrice } = servedOf(served, settings)
      const { terms, takenAt } = await snapshot.read()
      const price = terms.tvl === null ? null : await readPrice()
      const oldest = Math.min(takenAt.getTime(), price?.at.getTime() ?? Number.POSITIVE_INFINITY)
      reply.header('x-snapshot-age', Math.max(0, Math.floor((services.now().getTime() - oldest) / 1000)))
      return answerSealed(services, request, reply, infoToWire(terms, kit.decimals, price))
    },
  )

  app.get<{ Params: { address: string } }>(
    '/staking-balance/:address',
    {
      schema: {
        summary: "An address's position",
        description:
          'Read from the chain for this request. The buckets add up to all that the address has; null means that one does not apply to the protocol.',
        params: Type.Object({ address: kit.wire.address }),
        response: { 200: schemaRef('StakingBalance'), 400: schemaRef('Error'), ...upstream },
      },
    },
    async (request, reply) => {
      const balance = await protocol.balance(use(request), kit.address(request.params.address))
      return answerSealed(services, request, reply, balanceToWire(balance, kit.decimals))
    },
  )
}

function registerCraft<K extends AnyKit, Net>(
  protocol: Protocol<K, Net>,
  app: FastifyInstance,
  services: Services,
  use: (request: FastifyRequest) => Context<ClientOf<K>, Net>,
  served: Map<NetworkSettings, ServedNetwork<ClientOf<K>, Net>>,
  name: string,
  action: AnyAction<ClientOf<K>, Net, DraftOf<K>>,
): void {
  const said = createSaid(protocol)
  const promised = promisedOf(protocol, name)
  const { obstacles } = action
  const meet = (request: FastifyRequest, taken: boolean) => servedOf(served, services.network(request)).condition?.met(taken)
  registerAction(app, services, {
    name,
    summary: action.summary,
    description: action.description,
    body: craftBody(action.body),
    response: protocol.kit.wire.unsigned,
    invalidBody: action.invalidBody,
    unprocessable: action.unprocessable,
    beyondSpecification: action.beyondSpecification,
    async handle(request, reply) {
      services.note(request, { action: name })
      const ctx = use(request)
      const input = readInput(protocol.kit, action.body, request.body, action.invalidBody)
      try {
        const { body, unsigned, effects, terms, decoded } = await craft(protocol.kit, action, ctx, input, promised)
        reply.headers(protocol.kit.stated?.(terms) ?? {})
        const { life } = protocol.kit
        if (life) reply.header('x-valid-until', JSON.stringify(validUntilToWire(life.validUntil(unsigned, ctx.network, terms, ctx.now()))))
        const unsignedHash = protocol.kit.names.unsigned(membersOf(unsigned), ctx.network)
        services.note(request, { effects, unsignedHash, ...said.craft(ctx.network, decoded, effects, request.log) })
        if (obstacles) meet(request, true)
        return body
      } catch (error) {
        if (isServiceError(error) && obstacles?.includes(error.code)) meet(request, false)
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
  const said = createSaid(protocol)
  const noteSigner = (request: FastifyRequest, network: NetworkBase, body: Readonly<Record<string, unknown>>) => {
    const signer = said.signer(network, body, request.log)
    if (signer.wallet !== undefined) services.note(request, signer)
  }
  registerAction<Static<Wire['prepare']>>(app, services, {
    name: 'prepare',
    summary: 'Assemble a signed transaction from the unsigned one and its signatures',
    description:
      'Checks each signature against the transaction and puts it in. Sends nothing: the result can be broadcast here or elsewhere. ' +
      'Members that it does not know are ignored, so that a whole craft response can be passed on.',
    body: openBody(kit.wire.prepare),
    response: kit.wire.signed,
    handle: async (request) => {
      services.note(request, { action: 'prepare' })
      const ctx = use(request)
      const { body } = request
      const { network } = ctx
      services.note(request, { unsignedHash: kit.names.unsigned(body, network), ...(await said.sent(network, body, request.log)) })
      const signed = await kit.prepare(ctx, body)
      const answer = JSON.stringify(signed)
      noteSigner(request, network, signed)
      return answer
    },
  })
  registerAction<Static<Wire['broadcast']>>(app, services, {
    name: 'broadcast',
    summary: 'Submit a signed transaction to the chain',
    description:
      'Success means submitted, not final: ask where it stands by its hash. A refusal that leaves open whether the transaction arrived ' +
      'carries `tx_hash`: look it up before you craft another. Sending the same signed transaction twice answers the same hash.',
    body: openBody(kit.wire.broadcast),
    response: schemaRef('TransactionHash'),
    handle: async (request) => {
      services.note(request, { action: 'broadcast' })
      const ctx = use(request)
      const { body } = request
      const { network } = ctx
      const names = kit.names.signed(body, network)
      const bounds = boundsOf(kit, body, network, request.log)
      // What is on the chain and not in the audit log is the one thing that cannot be mended afterwards.
      await services.intend(request, { ...names, ...(await said.sent(network, body, request.log)), ...(bounds ? { bounds } : {}) })
      // While the chain is asked: finding the signer takes as long as all the rest.
      setImmediate(noteSigner, request, network, body)
      try {
        await kit.broadcast(ctx, body)
      } catch (error) {
        throw mayHaveArrived(error, names.txHash)
      }
      if (bounds) services.life.accepted(request, services.network(request), names.txHash)
      return JSON.stringify({ tx_hash: names.txHash })
    },
  })
}
