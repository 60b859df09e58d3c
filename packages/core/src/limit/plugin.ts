import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import { ServiceError } from '@svc/contract'
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Redis } from 'ioredis'
import { createSharedBudget } from './redis.ts'
import { createLocalBudget, isCredential, storeOf, WINDOW_MS } from './store.ts'

export interface LimitOptions {
  /** Shares the limits between instances; its owner closes it. Without it each instance counts for itself. */
  readonly redis?: Redis
  /** ULID of the credential that was verified for this request, or null. An unverified one is null: forged keys open no budget. */
  readonly principal: (request: FastifyRequest) => string | null
  /** Calls per minute, of a verified credential and of an address without one. */
  readonly max: { readonly key: number; readonly address: number }
  /** Starts every key in Redis. @default 'svc:limit:' */
  readonly namespace?: string
  /** Milliseconds of a clock that never runs backwards. @default performance.now */
  readonly now?: () => number
}

/**
 * Registers @fastify/rate-limit over an exact sliding window. No route is limited by itself: the server adds `app.rateLimit()` as
 * an `onRequest` hook, after the one that identifies the caller and before the one that refuses strangers, so that a 401 counts.
 *
 * Sets `X-RateLimit-Limit`, `-Remaining` and `-Reset` (seconds until the next place is free), and `Retry-After` on a refusal.
 *
 * @throws {ServiceError} 429 `RATE_LIMITED`, from the hook
 */
export const limit: FastifyPluginAsync<LimitOptions> = fp(
  async (app: FastifyInstance, { redis, principal, max, namespace, now }: LimitOptions) => {
    const local = createLocalBudget(now)
    const shared = redis && createSharedBudget({ redis, local, log: app.log, ...(namespace === undefined ? {} : { namespace }) })
    await app.register(rateLimit, {
      global: false,
      timeWindow: WINDOW_MS,
      store: storeOf(shared ?? local),
      keyGenerator: (request) => caller(request, principal(request)),
      max: (_request, key) => (isCredential(key) ? max.key : max.address),
      errorResponseBuilder: (request, { max: allowed, ttl }) => refusal(principal(request) !== null, allowed, Math.ceil(ttl / 1000)),
    })
  },
  { fastify: '5.x', name: '@svc/limit' },
)

/** An IPv6 subscriber owns a /64 and could take a fresh address for every call, so the whole of it is one caller. */
function caller(request: FastifyRequest, ulid: string | null): string {
  // A socket that closed meanwhile has no address any more.
  return ulid === null ? `i:${normalizeIP(request.ip ?? 'unknown')}` : `k:${ulid}`
}

function refusal(verified: boolean, allowed: number, seconds: number): ServiceError {
  const whose = verified ? 'this credential' : 'this address without a valid API key'
  const wait = `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  const message = `The limit of ${allowed} requests per minute for ${whose} is used up; the next is accepted in ${wait}.`
  return new ServiceError(429, 'RATE_LIMITED', message, { retryAfter: seconds })
}
