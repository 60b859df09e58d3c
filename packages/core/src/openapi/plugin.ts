import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { registerConsole } from './console.ts'
import { type About, registerDocument } from './document.ts'

/** The OpenAPI document at `/openapi.json` and the console at `/docs`, both from the routes' own schemas. */
export const openapi = fp(
  async (app: FastifyInstance, about: About) => {
    await registerDocument(app, about)
    await registerConsole(app)
  },
  { fastify: '5.x', name: '@svc/openapi' },
)
