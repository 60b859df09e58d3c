import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import { createWindow, type Hit } from './window.ts'

/** Length of every limit's window, in milliseconds. */
export const WINDOW_MS = 60_000

/** Store in which calls are counted. A caller is `k:` and the ULID of a verified credential, or `i:` and an address. */
export interface Budget {
  take(caller: string, max: number): Hit | Promise<Hit>
}

/** A budget that answers at once, and that a shared one falls back to. */
export interface LocalBudget extends Budget {
  take(caller: string, max: number): Hit
  /** Judges a call without counting it. */
  peek(caller: string, max: number): Hit
  /** Counts a call which another budget accepted at `at`, a time of `now()`. */
  record(caller: string, at: number, max: number): void
  now(): number
}

/**
 * Makes a budget that is counted in this process. Credentials and addresses are kept apart, so that no number of calling addresses can push a credential's count out of
 * memory.
 *
 * @param now milliseconds of a clock that never runs backwards
 */
export function createLocalBudget(now: () => number = () => performance.now()): LocalBudget {
  const credentials = createWindow({ windowMs: WINDOW_MS, now })
  const addresses = createWindow({ windowMs: WINDOW_MS, now })
  const of = (caller: string) => (isCredential(caller) ? credentials : addresses)
  return {
    now,
    take: (caller, max) => of(caller).hit(caller, max),
    peek: (caller, max) => of(caller).peek(caller, max),
    record: (caller, at, max) => of(caller).record(caller, at, max),
  }
}

/** Tells whether a caller is identified by a verified credential rather than by an address. */
export function isCredential(caller: string): boolean {
  return caller.startsWith('k:')
}

/**
 * Makes the store with which @fastify/rate-limit counts. That package's own store has a fixed window, which lets twice the limit pass around a boundary. All routes share
 * one budget, since a limit is per caller and not per route.
 */
export function storeOf(budget: Budget): FastifyRateLimitStoreCtor {
  return class SlidingStore implements FastifyRateLimitStore {
    incr(
      caller: string,
      callback: (error: Error | null, result?: { current: number; ttl: number }) => void,
      _window: number,
      max: number,
    ): void {
      const hit = budget.take(caller, max)
      if (hit instanceof Promise) hit.then((result) => callback(null, result), callback)
      else callback(null, hit)
    }

    child(): FastifyRateLimitStore {
      return this
    }
  }
}
