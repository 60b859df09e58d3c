import type { Context } from '@svc/contract'
import { type AnyKit, type ClientOf, type Protocol, refuseBadDeclaration } from '@svc/contract/host'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { connect, createClients, servedOf } from './network/connect.ts'
import { registerCraft } from './routes/craft.ts'
import { registerInspect } from './routes/inspect.ts'
import { registerLife } from './routes/life.ts'
import { registerPrepareAndBroadcast } from './routes/prepare-broadcast.ts'
import { readsOn } from './routes/reads.ts'
import { registerStandardReads } from './routes/standard-reads.ts'
import type { Services } from './services.ts'

/**
 * Registers the parts of a protocol's declaration in a scope of the host. The host calls this with its own copy of the contract, and never the function that a package
 * exports: no line of a plugin runs with a Fastify instance in its hands.
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
  registerPrepareAndBroadcast(protocol, app, services, use, send)
  registerInspect(protocol, app, services, use)
  registerLife(protocol, app, services, (request) => {
    const settings = services.network(request)
    services.note(request, { network: settings.chainId })
    const { ctx, looks, sending } = servedOf(served, settings)
    return { settings, network: ctx.network, looks, sending }
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
