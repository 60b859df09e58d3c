import type { Bounds } from '@svc/contract'
import type { AuditRecord } from '../db/store.ts'
import type { Also } from '../db/work.ts'
import type { RequestNote } from '../request.ts'
import { accept, follow, forget } from './transactions.ts'
import { watchCrafted } from './watches.ts'

/** What the life of transactions has to save together with audit records. Each answers undefined where that is nothing. */
export interface LifeRecords {
  /** With the record that is saved before a transaction is sent, or is tracked. */
  intended(note: RequestNote, record: AuditRecord): Also | undefined
  /** With the record of how it ended. */
  ended(note: RequestNote, record: AuditRecord): Also | undefined
  /** With the record that says that it was not sent after all. */
  unsent(note: RequestNote, record: AuditRecord): Also | undefined
}

export interface LifeRecordsOptions {
  /** The clock that all replicas share. */
  now(): Date
  /** Most wallets that an account watches. */
  readonly mostWatched: number
}

/** Wallets that are known to be watched; beyond it, each craft asks the database again. */
const KNOWN_MOST = 50_000

export function createLifeRecords({ now, mostWatched }: LifeRecordsOptions): LifeRecords {
  const known = new Set<string>()

  function watched(note: RequestNote, { account, protocol, network, wallet, status }: AuditRecord): Also | undefined {
    // A craft alone says what its caller was promised.
    if (note.effects === undefined || status >= 300 || protocol === null || network === null || wallet === null) return undefined
    const name = JSON.stringify([account, protocol, network, wallet])
    if (known.has(name)) return undefined
    if (known.size >= KNOWN_MOST) known.clear()
    known.add(name)
    const key = { account, protocol, network, wallet }
    // Read before what was crafted can land, so that what comes of that is news.
    return (database) => watchCrafted(database, key, { at: now(), afterMs: 0, most: mostWatched })
  }

  return {
    intended(note, record) {
      const { protocol, network, txHash } = record
      if (protocol === null || network === null || txHash === null || (note.bounds === undefined && note.tracked !== true)) return undefined
      const bounds: Bounds | null = note.bounds ?? null
      const { account, id, unsignedHash, identity, requestId, sentence } = record
      return (database) =>
        follow(database, {
          ...{ account, protocol, network, txHash, unsignedHash, identity, requestId, sentence, bounds },
          origin: note.tracked ? 'track' : 'broadcast',
          audit: id,
          wallet: bounds?.wallet ?? record.wallet,
          promised: note.moves ?? null,
          firstSeen: now(),
        })
    },
    ended(note, record) {
      const { account, protocol, network } = record
      const { accepted: txHash } = note
      if (txHash === undefined || protocol === null || network === null) return watched(note, record)
      return (database) => accept(database, { account, protocol, network, txHash }, now())
    },
    unsent(note, { account, protocol, network, txHash, id }) {
      if (protocol === null || network === null || txHash === null || (note.bounds === undefined && note.tracked !== true)) return undefined
      return (database) => forget(database, { account, protocol, network, txHash }, id)
    },
  }
}
