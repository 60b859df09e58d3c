import { hash as digestOf, randomBytes, timingSafeEqual } from 'node:crypto'
import { isServiceError } from '@svc/contract'
import { lastUsed } from '../base/last-used.ts'
import { databaseUnavailable } from '../db/faults.ts'
import type { Credential, CredentialKind, Log, Store } from '../db/store.ts'
import { type Hasher, hasher as processHasher } from './hash.ts'
import { createRows } from './rows.ts'
import { createUses } from './uses.ts'
import { type Peppers, readValue, splitValue } from './value.ts'

/** Dependencies of a checker. */
interface CheckerOptions {
  readonly store: Pick<Store, 'findCredential' | 'touchLastUsed' | 'onCredentialChange'>
  readonly peppers: Peppers
  readonly log: Log
  /** Wall clock, for expiry. */
  readonly now?: () => Date
  /** Monotonic milliseconds, for the age of what is remembered. */
  readonly ticks?: () => number
  /** Longest time for which a use is only noted in memory, in milliseconds. @default 60000 */
  readonly flushMs?: number
  /** Most credentials, and most refusals, that are remembered. @default 20000 */
  readonly capacity?: number
  /** @default the one of this process */
  readonly hasher?: Hasher
}

/** Checks API keys and management tokens. */
export interface Checker {
  /**
   * @returns the credential, active and not expired; null: not accepted, for whatever reason
   * @throws 503 `DATABASE_UNAVAILABLE` when it cannot be known, `BUSY` when too many are being checked for the first time
   */
  check(kind: CredentialKind, text: string): Promise<Credential | null>
  /**
   * Tells what is known of a credential that is not accepted: that the credential was issued here, and to which account, where its row was there lately.
   *
   * @returns null when it was never issued here
   */
  issued(kind: CredentialKind, text: string): { readonly ulid: string; readonly account: string } | null
  /** The row is read again before it is next relied on; `*`: every row. The store's own notices arrive here by themselves. */
  forget(ulid: string): void
  /** Last use that is not yet in the row; undefined: the row is up to date. */
  lastUsedAt(ulid: string): Date | undefined
  /** Writes the times of last use. */
  flush(): Promise<void>
  /** Writes the times of last use and stops listening. */
  close(): Promise<void>
}

/** A value whose secret was verified. */
interface Verified {
  readonly digest: Buffer
  /** The hash that it was verified against; another one in the row means argon2 again. */
  readonly hash: string
  row: Credential
  readAt: number
  heard: number
}

interface Refusal {
  readonly until: number
  readonly heard: number
}

/** Oldest row that a check goes by, in milliseconds. With a database that answers within a second, a change is seen within 5 s. */
const RECHECK_MS = 4_000
/** A wrong secret stays wrong until the row changes. */
const WRONG_SECRET_MS = 60_000

/**
 * Makes a credential checker on a store. Argon2 runs once per credential and process; from then on, a value is recognised by a digest with a key that never leaves this
 * process's memory, and only its row is read again. When the row cannot be read, the check fails rather than use an old one, since a revocation must take effect within 5
 * s.
 */
export function createChecker(options: CheckerOptions): Checker {
  const { store, peppers, log, now = () => new Date(), ticks = () => performance.now(), hasher = processHasher } = options
  const { flushMs = 60_000, capacity = 20_000 } = options
  const digestKey = randomBytes(32).toString('base64')
  const rows = createRows(store, ticks)
  const uses = createUses(store, log, flushMs)
  const verified = lastUsed<Verified>(capacity)
  const owners = lastUsed<string>(capacity)
  const refusals = lastUsed<Refusal>(capacity)
  const flights = new Map<string, Promise<Verified | null>>()
  const stopListening = store.onCredentialChange(rows.changed)

  async function check(kind: CredentialKind, text: string): Promise<Credential | null> {
    const parts = splitValue(text, kind)
    if (!parts) return null
    const { ulid, secret } = parts
    const digest = digestOf('sha256', digestKey + text, 'buffer')
    try {
      const earlier = verified.get(ulid)
      if (earlier && timingSafeEqual(earlier.digest, digest) && (await refresh(earlier))) return accept(earlier)
      if (!readValue(text, kind, peppers)) return null
      const entry = await firstTime(kind, ulid, secret, digest)
      return entry && accept(entry)
    } catch (error) {
      throw isServiceError(error) ? error : databaseUnavailable(error)
    }
  }

  /** Active and expiry are looked at on every check: they depend on the moment, not on the secret. */
  function accept({ row }: Verified): Credential | null {
    const at = now()
    if (!isUsable(row, at)) return null
    uses.note(row.ulid, at)
    return row
  }

  /** @returns false when what was verified no longer holds */
  async function refresh(entry: Verified): Promise<boolean> {
    const { ulid } = entry.row
    if (rows.isCurrent(ulid, entry)) {
      const age = ticks() - entry.readAt
      // From three quarters of the time on it is read behind the check's back, so that a busy key never waits for it.
      if (age > RECHECK_MS * 0.75 && age <= RECHECK_MS)
        void renew(entry).catch((err) => log.debug({ err, ulid }, 'a key could not be read again yet'))
      if (age <= RECHECK_MS) return true
    }
    return renew(entry)
  }

  async function renew(entry: Verified): Promise<boolean> {
    const { ulid } = entry.row
    const { row, readAt, heard: report } = await rows.read(ulid)
    if (row === null || row.hash !== entry.hash) {
      if (verified.get(ulid) === entry) verified.delete(ulid)
      return false
    }
    if (readAt >= entry.readAt) Object.assign(entry, { row, readAt, heard: report })
    return true
  }

  /** Everybody who comes with the same value meanwhile shares one row and one argon2. */
  function firstTime(kind: CredentialKind, ulid: string, secret: string, digest: Buffer): Promise<Verified | null> {
    const id = digest.toString('latin1')
    const refusal = refusals.get(id)
    if (refusal && ticks() < refusal.until && rows.isCurrent(ulid, refusal)) return Promise.resolve(null)
    const flight = flights.get(id)
    if (flight) return flight
    const started = verify(kind, ulid, secret, digest, id).finally(() => flights.delete(id))
    flights.set(id, started)
    return started
  }

  async function verify(kind: CredentialKind, ulid: string, secret: string, digest: Buffer, id: string): Promise<Verified | null> {
    const { row, readAt, heard: revision } = await rows.read(ulid)
    if (row) owners.set(ulid, row.account)
    if (row === null || row.kind !== kind || !isUsable(row, now())) {
      refusals.set(id, { until: ticks() + RECHECK_MS, heard: revision })
      return null
    }
    if (!(await matches(row, secret))) {
      refusals.set(id, { until: ticks() + WRONG_SECRET_MS, heard: revision })
      return null
    }
    const entry: Verified = { digest, hash: row.hash, row, readAt, heard: revision }
    verified.set(ulid, entry)
    // The row may have changed while argon2 ran, or while this waited for its turn.
    return (await refresh(entry)) ? entry : null
  }

  async function matches(row: Credential, secret: string): Promise<boolean> {
    try {
      return await hasher.verify(row.hash, secret, row.ulid)
    } catch (err) {
      if (isServiceError(err)) throw err
      log.error({ err, ulid: row.ulid }, 'the stored hash of a key cannot be read; the key is refused')
      return false
    }
  }

  return {
    check,
    issued(kind, text) {
      const parts = readValue(text, kind, peppers)
      return parts && { ulid: parts.ulid, account: owners.get(parts.ulid) ?? '' }
    },
    forget: rows.changed,
    lastUsedAt: uses.last,
    flush: uses.flush,
    async close() {
      stopListening()
      await uses.close()
    },
  }
}

function isUsable(row: Credential, at: Date): boolean {
  return row.active && (row.expirationDate === null || at.getTime() < row.expirationDate.getTime())
}
