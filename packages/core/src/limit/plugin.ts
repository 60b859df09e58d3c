import rateLimit, { normalizeIP, type RateLimitOptions } from '@fastify/rate-limit'
import type { ServiceError } from '@svc/contract'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Redis } from 'ioredis'
import { addressOf } from '../base/client-address.ts'
import { serviceError } from '../base/codes.ts'
import type { Tracing } from '../base/tracing.ts'
import { createSharedBudget } from './redis.ts'
import { createLocalBudget, isCredential, storeOf, WINDOW_MS } from './store.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False for routes that no limit counts; `console` for files that are the same for everybody, which have a budget of their own. */
    limited?: boolean | 'console'
  }
  interface FastifyInstance {
    /** Counts a request by the budget of its route, and refuses it. To be added as an `onRequest` hook. */
    countRequest(request: FastifyRequest, reply: FastifyReply): Promise<void>
  }
}

export interface LimitOptions {
  /** Shares the limits between instances; its owner closes it. Without it each instance counts for itself. */
  readonly redis?: Redis
  /** Makes each question to Redis a span. */
  readonly tracing?: Tracing
  /** ULID of the credential that was verified for this request, or null. An unverified one is null: forged keys open no budget. */
  readonly principal: (request: FastifyRequest) => string | null
  /** Calls per minute, of a verified credential, of an address without one, and of an address to the console's files. */
  readonly max: { readonly key: number; readonly address: number; readonly console: number }
  /** Leading bits of an IPv6 address that are one caller. @default 64 */
  readonly ipv6Prefix?: number
  /** Milliseconds of a clock that never runs backwards. @default performance.now */
  readonly now?: () => number
}

/**
 * Registers @fastify/rate-limit over an exact sliding window. It limits no route by itself: the server adds `app.countRequest` as an `onRequest` hook, after the one that
 * identifies the caller and before the one that refuses strangers, so that a 401 counts.
 *
 * Sets `X-RateLimit-Limit`, `-Remaining` and `-Reset` (seconds until the next request is allowed), the same as `RateLimit-Policy` and `RateLimit`, and `Retry-After` on a
 * refusal.
 *
 * @throws {ServiceError} 429 `RATE_LIMITED`, from the hook
 */
export const limit: FastifyPluginAsync<LimitOptions> = fp(
  async (app: FastifyInstance, { redis, tracing, principal, max, ipv6Prefix = 64, now }: LimitOptions) => {
    const local = createLocalBudget(now)
    const shared = redis && createSharedBudget({ redis, tracing, local, log: app.log })
    const budget = (whose: Pick<RateLimitOptions, 'keyGenerator' | 'max'>, of: (request: FastifyRequest) => string): RateLimitOptions => ({
      ...whose,
      errorResponseBuilder: (request, { max: allowed, ttl }) => refusal(of(request), allowed, Math.ceil(ttl / 1000)),
    })
    // A socket that closed meanwhile has no address any more, and a proxy may write what is none: they share one budget.
    const address = (request: FastifyRequest) => normalizeIP(addressOf(request) ?? 'unknown', ipv6Prefix)
    await app.register(rateLimit, { global: false, timeWindow: WINDOW_MS, store: storeOf(shared ?? local) })
    const ofApi = app.rateLimit(
      budget(
        {
          keyGenerator: (request) => {
            const ulid = principal(request)
            return ulid === null ? `i:${address(request)}` : `k:${ulid}`
          },
          max: (_request, key) => (isCredential(key) ? max.key : max.address),
        },
        (request) => (principal(request) === null ? 'this address without a valid API key' : 'this credential'),
      ),
    )
    const ofConsole = app.rateLimit(
      budget(
        { keyGenerator: (request) => `c:${address(request)}`, max: max.console },
        () => 'this address to the console and its document',
      ),
    )

    app.decorate('countRequest', async (request: FastifyRequest, reply: FastifyReply) => {
      const { limited = true } = request.routeOptions.config ?? {}
      if (limited === false) return
      const [count, policy] = limited === 'console' ? [ofConsole, 'console'] : [ofApi, principal(request) === null ? 'address' : 'key']
      try {
        // biome-ignore lint/suspicious/noExplicitAny: typed as a hook with a callback, of which it takes none.
        await (count as any).call(app, request, reply)
      } finally {
        standardFields(reply, policy)
      }
    })
  },
  { fastify: '5.x', name: '@svc/limit' },
)

/**
 * Sets `RateLimit-Policy` and `RateLimit`.
 *
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ version 10, sections 3 and 4 (read 2026-11-22)
 */
function standardFields(reply: FastifyReply, policy: string): void {
  const [most, left, seconds] = ['limit', 'remaining', 'reset'].map((name) => reply.getHeader(`x-ratelimit-${name}`))
  if (most === undefined) return
  reply.header('ratelimit-policy', `"${policy}";q=${most};w=${WINDOW_MS / 1000}`)
  reply.header('ratelimit', `"${policy}";r=${left};t=${seconds}`)
}

function refusal(whose: string, allowed: number, seconds: number): ServiceError {
  const wait = `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  const message = `The limit of ${allowed} requests per minute for ${whose} is used up; the next is accepted in ${wait}.`
  return serviceError(429, 'RATE_LIMITED', message, { retryAfter: seconds })
}
