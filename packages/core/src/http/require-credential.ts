import auth from '@fastify/auth'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import { unauthorized } from '../base/codes.ts'

/** Adds `app.auth` of @fastify/auth, by which `requirePrincipal` refuses requests. */
export const authentication = fp(
  async (app: FastifyInstance) => {
    await app.register(auth)
  },
  { fastify: '5.x', name: '@svc/authentication' },
)

/** Makes the hook that refuses a request without an accepted credential; `accounts` tells which accounts still exist. */
export function requirePrincipal(app: FastifyInstance, accounts: { has(account: string): boolean }): onRequestHookHandler {
  const required = async (request: FastifyRequest) => {
    const kind = request.routeOptions.config.credential ?? 'key'
    if (kind === 'none') return
    if (request.undecided) throw request.undecided
    if (!request.principal) throw refusal(request, kind)
    if (request.principal.kind !== 'operator' && !accounts.has(request.principal.account)) {
      request.claimed = request.principal
      request.principal = null
      throw unauthorized('KEY_INVALID', 'The account of this credential is no longer configured here.')
    }
  }
  return app.auth([required]) as onRequestHookHandler
}

function refusal(request: FastifyRequest, kind: 'key' | 'token') {
  if (kind === 'key') {
    return request.presented
      ? unauthorized('KEY_INVALID', 'The API key in X-API-KEY is not accepted: it is wrong, deactivated, revoked or expired.')
      : unauthorized('KEY_MISSING', 'This needs an API key in the header X-API-KEY.')
  }
  return request.presented
    ? unauthorized('TOKEN_INVALID', 'The management token is not accepted: it is wrong, deactivated, revoked or expired.')
    : unauthorized('TOKEN_MISSING', 'This needs a management token, in the header token or as Authorization: Bearer.')
}
