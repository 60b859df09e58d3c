import type { AuditRecord, Log } from '../db/store.ts'

/** A refused credential, as the first one of its kind is recorded. */
type Refused = Omit<AuditRecord, 'rev' | 'count'>

/** Counts refused credentials, so that the audit log tells who tries and a flood cannot fill the disk. */
interface Strangers {
  note(refusal: Refused): void
  /** Writes the counts that are not written yet. */
  close(): void
}

/** Time for which equal refusals are counted together, in milliseconds. */
const WINDOW_MS = 60_000
/**
 * Most records per window that name an address; all further addresses are counted in one more record. With a record of about 300 bytes a flood
 * from any number of addresses is 9 MB a day and replica.
 */
const MOST = 20

/**
 * Makes the counter of refused strangers. The first refusal of an address, a code and a key is recorded at once; further ones within a minute are added to its count when
 * the minute is over.
 *
 * @param write never throws
 */
export function createStrangers(write: (record: AuditRecord) => void, log: Pick<Log, 'warn'>): Strangers {
  let counts = new Map<string, AuditRecord>()
  let timer: NodeJS.Timeout | undefined

  function end(): void {
    clearTimeout(timer)
    timer = undefined
    const ended = counts
    counts = new Map()
    for (const record of ended.values()) if (record.count > 1) write({ ...record, rev: 1 })
    const others = ended.get(OTHERS)
    if (others) log.warn({ count: others.count }, 'more addresses than are told apart had their credentials refused')
  }

  return {
    note(refusal) {
      timer ??= setTimeout(end, WINDOW_MS).unref()
      const own = `${refusal.address} ${refusal.error} ${refusal.key}`
      const name = counts.has(own) || counts.size < MOST ? own : OTHERS
      const earlier = counts.get(name)
      if (earlier) return void counts.set(name, { ...earlier, count: earlier.count + 1 })
      const record = { ...refusal, rev: 0, count: 1, ...(name === OTHERS ? NOBODY : {}) }
      counts.set(name, record)
      write(record)
    },
    close: end,
  }
}

/** Key under which all further callers are counted together, in a record that names nobody. */
const OTHERS = 'others'
const NOBODY = {
  address: null,
  account: '',
  key: '',
  identity: null,
  route: 'unknown',
  network: null,
  error: 'KEY_INVALID',
  reason: null,
} as const
