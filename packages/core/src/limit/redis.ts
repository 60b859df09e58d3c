import { answerWithin } from '@svc/contract/host'
import type { FastifyBaseLogger } from 'fastify'
import { Redis, type Result } from 'ioredis'
import { type CallDescription, type Tracing, traced } from '../base/tracing.ts'
import { redisAddress } from '../redis/address.ts'
import { type Budget, type LocalBudget, WINDOW_MS } from './store.ts'
import type { Hit } from './window.ts'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    svcTake(key: string, windowMs: number, max: number): Result<[current: number, ttl: number], Context>
  }
}

/** Time that a call waits for Redis before it is counted here, in milliseconds. A healthy Redis answers in well under one. */
const TIMEOUT_MS = 250

/** Pause after a failure of Redis, in milliseconds; then one call asks Redis again while others are counted here. */
const PAUSE_MS = 1000

/**
 * The sliding window as a Redis list of accepted times in microseconds, newest first. Redis's own clock counts, so that
 * instances with different clocks agree. One key per call: it works on a cluster.
 */
const SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local window = ARGV[1] * 1000
local max = tonumber(ARGV[2])
local oldest = redis.call('LINDEX', KEYS[1], -1)
while oldest and now - oldest >= window do
  redis.call('RPOP', KEYS[1])
  oldest = redis.call('LINDEX', KEYS[1], -1)
end
local size = redis.call('LLEN', KEYS[1])
if size >= max then
  local freeing = redis.call('LINDEX', KEYS[1], max - size - 1)
  return { max + 1, math.ceil(((freeing or now) + window - now) / 1000) }
end
redis.call('LPUSH', KEYS[1], string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return { size + 1, math.ceil(((oldest or now) + window - now) / 1000) }
`

/**
 * Connects to Redis for limits: without a connection a command fails at once, and none is sent a second time.
 *
 * @param text `redis://` or `rediss://`, as `redisAddress` reads it
 */
export function connectLimits(text: string): Redis {
  const { url, options } = redisAddress(text)
  const redis = new Redis(url, {
    ...options,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectTimeout: 2000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
  })
  redis.on('error', () => undefined)
  return redis
}

/** By the conventions for databases; the key, which has a caller in it, is left out. @see https://opentelemetry.io/docs/specs/semconv/database/redis/ (read 2026-11-27) */
const SPAN: CallDescription = { name: 'EVALSHA', attributes: { 'db.system.name': 'redis', 'db.operation.name': 'EVALSHA' } }

/** Start of every key in Redis. */
const PREFIX = 'svc:limit:'

interface SharedBudgetOptions {
  readonly redis: Redis
  readonly tracing?: Tracing | undefined
  /** Counts while Redis is away, and knows what this instance accepted before that. */
  readonly local: LocalBudget
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'info'>
}

/**
 * Makes a budget that all instances share in Redis. Every call accepted there is also counted here, and a budget used up here is refused without asking: so an outage
 * neither gives a caller a fresh budget on this instance, nor is the use during an outage forgotten afterwards.
 */
export function createSharedBudget({ redis, tracing, local, log }: SharedBudgetOptions): Budget {
  // Without a listener ioredis writes every failed attempt to the console; the outage is logged below, once.
  redis.on('error', () => undefined)
  redis.defineCommand('svcTake', { numberOfKeys: 1, lua: SCRIPT })
  let pausedUntil = 0
  let away = false

  async function take(caller: string, max: number): Promise<Hit> {
    const hit = local.peek(caller, max)
    if (hit.current > max) return hit
    const at = local.now()
    if (away && at < pausedUntil) return local.take(caller, max)
    // Claims the next question for this call; the others are counted here until it is answered.
    if (away) pausedUntil = at + PAUSE_MS
    try {
      // A deadline of our own: a connection that was handed over may have none, or a long one.
      const ask = () => answerWithin(TIMEOUT_MS, redis.svcTake(PREFIX + caller, WINDOW_MS, max), tooLate)
      const [current, ttl] = await (tracing ? traced(tracing, () => SPAN, ask) : ask())
      if (away) {
        away = false
        log.info('rate limits are shared through Redis again')
      }
      if (current <= max) local.record(caller, at, max)
      return { current, ttl }
    } catch (error) {
      pausedUntil = local.now() + PAUSE_MS
      if (!away) {
        away = true
        log.warn(
          { reason: error instanceof Error ? error.message : String(error) },
          'Redis does not answer: each instance limits on its own',
        )
      }
      return local.take(caller, max)
    }
  }

  return { take }
}

const tooLate = () => new Error(`no answer from Redis within ${TIMEOUT_MS} ms`)
