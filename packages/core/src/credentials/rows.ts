import type { Credential, Store } from '../db/store.ts'

/** A row, and how far it can be trusted. */
interface RowReading {
  readonly row: Credential | null
  /** Monotonic milliseconds at which the reading began. */
  readonly readAt: number
  /** Number of changes that had been heard of when the reading began. */
  readonly heard: number
}

/** Reads credentials, at most once at a time each, and knows which readings a change has overtaken. */
interface Rows {
  /** A reading that began after every change heard of so far; shared by all who ask meanwhile. */
  read(ulid: string): Promise<RowReading>
  /** Tells whether no change to this credential was heard of since the reading began. */
  isCurrent(ulid: string, reading: { readonly heard: number }): boolean
  /** A credential was changed; `*`: any of them may have been. */
  changed(ulid: string): void
  /** Stamp for something learnt now. */
  readonly heard: number
}

/** Remembered changes; what falls out is covered by treating everything as changed. */
const CAPACITY = 10_000

/** Makes the cache of credential rows, each read again after some seconds or when a change was heard. @param ticks monotonic milliseconds */
export function createRows(store: Pick<Store, 'findCredential'>, ticks: () => number): Rows {
  const flights = new Map<string, { readonly heard: number; readonly reading: Promise<RowReading> }>()
  const changes = new Map<string, number>()
  let revision = 0
  let allChangedAt = 0

  const isCurrent = (ulid: string, reading: { readonly heard: number }) =>
    reading.heard >= allChangedAt && reading.heard >= (changes.get(ulid) ?? 0)

  function join(ulid: string): Promise<RowReading> {
    const earlier = flights.get(ulid)
    if (earlier && isCurrent(ulid, earlier)) return earlier.reading
    const stamp = { readAt: ticks(), heard: revision }
    const reading = store.findCredential(ulid).then((row) => ({ row, ...stamp }))
    const flight = { heard: revision, reading }
    flights.set(ulid, flight)
    const landed = () => {
      if (flights.get(ulid) === flight) flights.delete(ulid)
    }
    reading.then(landed, landed)
    return reading
  }

  return {
    async read(ulid) {
      for (;;) {
        const reading = await join(ulid)
        if (isCurrent(ulid, reading)) return reading
      }
    },
    isCurrent,
    changed(ulid) {
      revision++
      if (ulid === '*' || changes.size >= CAPACITY) {
        changes.clear()
        allChangedAt = revision
      } else changes.set(ulid, revision)
    },
    get heard() {
      return revision
    },
  }
}
