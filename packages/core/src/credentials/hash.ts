import type { Options } from '@node-rs/argon2'
import { unavailable } from '../base/codes.ts'
import { loadArgon2 } from './load-argon2.ts'

const { hash: argon2, verify: argon2Verify } = loadArgon2()

/**
 * Argon2id (the library's default algorithm) with the first of OWASP's equivalent settings that uses one thread and two passes.
 *
 * @see https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id (read 2026-11-21)
 */
const SETTINGS: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashes and verifies secrets, a few at a time. */
export interface Hasher {
  /** @returns PHC string. @throws 503 `BUSY` */
  hash(secret: string): Promise<string>
  /**
   * @param lane whose turn this is: one credential's waiting verifications are limited among themselves, so that wrong
   *   secrets for one cannot fill the queue for all
   * @throws 503 `BUSY`; the library's error when `hash` is no argon2 hash
   */
  verify(hash: string, secret: string, lane: string): Promise<boolean>
}

/** Bounds of a hasher. */
interface HasherOptions {
  /**
   * At once. Two of argon2's 8 ms jobs leave room for other work in the thread pool; sixteen would delay every RSA signature from
   * 0.3 to 70 ms (measured on two cores, 2026-11-21).
   * @default 2
   */
  readonly concurrent?: number
  /** Longest queue: a quarter of a second. @default 64 */
  readonly waiting?: number
  /** Longest queue of one lane, counting those that run. @default 4 */
  readonly perLane?: number
}

/** Makes a hasher of keys by argon2id, with a queue of its own; each process needs only one. */
export function createHasher({ concurrent = 2, waiting = 64, perLane = 4 }: HasherOptions = {}): Hasher {
  const queue: (() => void)[] = []
  const lanes = new Map<string, number>()
  let running = 0

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running < concurrent) running++
    else if (queue.length >= waiting) throw busy()
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await work()
    } finally {
      // The place goes straight to the next in the queue, so that nobody who comes later gets in between.
      const next = queue.shift()
      if (next) next()
      else running--
    }
  }

  return {
    hash: (secret) => inTurn(() => argon2(secret, SETTINGS)),
    async verify(hash, secret, lane) {
      const inLane = lanes.get(lane) ?? 0
      if (inLane >= perLane) throw busy()
      lanes.set(lane, inLane + 1)
      try {
        return await inTurn(() => argon2Verify(hash, secret))
      } finally {
        const left = (lanes.get(lane) ?? 1) - 1
        if (left > 0) lanes.set(lane, left)
        else lanes.delete(lane)
      }
    },
  }
}

/** The one of this process. */
export const hasher: Hasher = createHasher()

function busy() {
  return unavailable('BUSY', 'Too many keys are being checked for the first time at this moment; try again in a second.', 1)
}
