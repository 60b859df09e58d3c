import { Redis } from 'ioredis'
import { unavailable } from '../base/codes.ts'
import { redisAddress } from './address.ts'

/** Time that Redis may take to answer at start, in milliseconds. */
const ANSWER_MS = 2_000

/**
 * Pings Redis once, over a connection of its own. While Redis is down, limits are local, and nothing else changes, at start as later; an invalid address is a mistake.
 *
 * @throws SettingsError when the address is none; 503 `REDIS_UNREACHABLE`
 */
export async function pingRedis(url: string): Promise<void> {
  const address = redisAddress(url)
  const redis = new Redis(address.url, {
    ...address.options,
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: ANSWER_MS,
    commandTimeout: ANSWER_MS,
    retryStrategy: () => null,
  })
  let cause: unknown
  redis.on('error', (error) => {
    cause ??= error
  })
  try {
    await redis.connect()
    await redis.ping()
  } catch (error) {
    cause ??= error
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw unavailable('REDIS_UNREACHABLE', `Redis at ${new URL(url).host} does not answer: ${reason}.`, 5, cause)
  } finally {
    redis.disconnect()
  }
}
