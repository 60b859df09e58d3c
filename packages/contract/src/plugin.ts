import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { connect, createClients, servedOf } from './connect.ts'
import { refuseBadDeclaration } from './declaration.ts'
import type { AnyKit, ClientOf } from './kit.ts'
import { registerLife } from './life/register.ts'
import type { Context, Protocol } from './protocol.ts'
import { registerCraft } from './register-craft.ts'
import { registerExits } from './register-exits.ts'
import { registerInspect } from './register-inspect.ts'
import { readsOn } from './register-reads.ts'
import { registerStandardReads } from './register-standard-reads.ts'
import type { Services } from './services.ts'

/** The contract's number; a host refuses a plugin of another. */
export const CONTRACT = 1

// biome-ignore lint/suspicious/noExplicitAny: the host knows no family, so it cannot name one
export type AnyProtocol = Protocol<any, any>

/** Default export of a plugin package: a real Fastify plugin, and its declaration with it. */
export type ProtocolPlugin = FastifyPluginAsync<{ services: Services }> & {
  readonly contract: typeof CONTRACT
  readonly protocol: AnyProtocol
}

/** Writes the Fastify plugin that a declaration describes. */
export function pluginOf<K extends AnyKit, Net>(protocol: Protocol<K, Net>): ProtocolPlugin {
  refuseBadDeclaration(protocol)
  const plugin: FastifyPluginAsync<{ services: Services }> = async (app, { services }) => registerProtocol(protocol, app, services)
  const labels = { [Symbol.for('fastify.display-name')]: protocol.name, contract: CONTRACT, protocol } as const
  return Object.assign(plugin, labels)
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
  registerStandardReads(protocol, app, services, use, served)
  for (const [name, action] of Object.entries(protocol.actions)) registerCraft(protocol, app, services, use, served, name, action)
  const send = (request: FastifyRequest) => ({ ...use(request), client: servedOf(served, services.network(request)).sending.client })
  registerExits(protocol, app, services, use, send)
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
