import type { FastifyInstance } from 'fastify'
import { surround } from './compose/around.ts'
import type { ServerOptions } from './compose/options.ts'
import { createParts } from './compose/parts.ts'
import { registerRoutes } from './compose/routes.ts'
import './http/request.ts'

export type { HostExtension, ServerOptions } from './compose/options.ts'

/**
 * Makes the service, ready to listen.
 *
 * @throws SettingsError when a plugin or its settings do not fit
 */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const parts = createParts(options)
  const { app } = parts
  try {
    await surround(parts, options)
    await registerRoutes(parts, options)
    await app.ready()
    return app
  } catch (error) {
    await app.close()
    throw error
  }
}
