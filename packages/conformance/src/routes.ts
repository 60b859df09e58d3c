import type { AnyProtocol } from '@svc/contract/host'
import { registerProtocol, type Services, sharedSchemas } from '@svc/core/plugins'
import Fastify from 'fastify'

/** A route of a plugin. */
export interface RouteSeen {
  readonly method: string
  /** Below the plugin's prefix, parameters as `:name`. */
  readonly path: string
}

/** Lists the routes that a declaration registers, in their order, HEAD among them. They are registered on a scope of their own, which serves nobody. */
export async function routesOf(protocol: AnyProtocol): Promise<readonly RouteSeen[]> {
  const routes: RouteSeen[] = []
  const app = Fastify()
  for (const schema of sharedSchemas) app.addSchema(schema)
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) routes.push({ method: each, path: url })
  })
  registerProtocol(protocol, app, NOBODY)
  await app.close()
  return routes
}

const unused = (): never => {
  throw new Error('a plugin asks its host for nothing while its routes are registered')
}

/** A host without a network, whose routes are never called. */
const NOBODY: Services = {
  networks: [],
  network: unused,
  sends: unused,
  craftedFor: unused,
  enabled: unused,
  upstream: unused,
  hasEndpoints: unused,
  endpoints: unused,
  life: { offer: unused, status: unused, track: unused, ended: unused },
  records: { read: unused, write: unused },
  watchPrice: () => async () => null,
  pendingControl: unused,
  now: () => new Date(),
  seal: unused,
  note: unused,
  intend: unused,
}
