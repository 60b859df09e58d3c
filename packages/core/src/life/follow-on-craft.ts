import type { Bounds } from '@svc/contract'
import type { AuditRecord } from '../db/store.ts'
import type { Also } from '../db/work.ts'
import type { RequestNote } from '../http/request.ts'
import { accept, follow, forget } from './transactions.ts'
import { watchCrafted } from './watches.ts'

/** Records of the life of transactions that are saved together with audit records. Each function answers undefined where there is nothing to save. */
export interface LifeRecords {
  /** Makes the work to be saved with the record that precedes the sending or tracking of a transaction. */
  intended(note: RequestNote, record: AuditRecord): Also | undefined
  /** Makes the work to be saved with the record of how the request ended. */
  ended(note: RequestNote, record: AuditRecord): Ended | undefined
  /** Makes the work to be saved with the record that the transaction was not sent after all. */
  unsent(note: RequestNote, record: AuditRecord): Also | undefined
}

/** Work that is saved with a record, and the call that follows once the work is saved. */
interface Ended {
  readonly also: Also
  /** To be called after the commit. */
  readonly saved?: () => void
}

interface LifeRecordsOptions {
  /** The clock that all replicas share. */
  now(): Date
  /** Most wallets that an account watches. */
  readonly mostWatched: number
}

/** Most wallets that are remembered as watched, so that a craft need not ask the database. When there are more, all are forgotten. */
const KNOWN_MOST = 50_000
/** Time for which the wallets of an account that watches as many as it may are not counted again, in milliseconds. */
const FULL_MS = 60_000

/** Makes what an audit record is saved together with: the row of a transaction that is sent or tracked, and the watch on the wallet of a craft. */
export function createLifeRecords({ now, mostWatched }: LifeRecordsOptions): LifeRecords {
  const keys = new Set<string>()
  /** Times at which accounts were found to watch as many wallets as they may, in milliseconds since 1970. */
  const full = new Map<string, number>()

  function watched(note: RequestNote, { account, protocol, network, wallet, status }: AuditRecord): Ended | undefined {
    // Only a craft has noted what its caller was promised.
    if (note.effects === undefined || status >= 300 || protocol === null || network === null || wallet === null) return undefined
    const name = JSON.stringify([account, protocol, network, wallet])
    const at = now()
    const sinceFull = at.getTime() - (full.get(account) ?? Number.NEGATIVE_INFINITY)
    if (keys.has(name) || (sinceFull >= 0 && sinceFull < FULL_MS)) return undefined
    const key = { account, protocol, network, wallet }
    let there = false
    return {
      // The position is read at once, before the transaction can land: the changes that it makes are then seen as changes, and told.
      *also(database) {
        there = yield* watchCrafted(database, key, { at, afterMs: 0, most: mostWatched })
      },
      // Only after the commit: another part of the transaction may undo the watch, and a wallet that is remembered is not asked for again.
      saved() {
        if (!there) full.set(account, at.getTime())
        else {
          if (keys.size >= KNOWN_MOST) keys.clear()
          keys.add(name)
        }
      },
    }
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
          signed: signedText(note.signed),
          firstSeen: now(),
        })
    },
    ended(note, record) {
      const { account, protocol, network } = record
      const { accepted: txHash } = note
      if (txHash === undefined || protocol === null || network === null) return watched(note, record)
      return { also: (database) => accept(database, { account, protocol, network, txHash }, now()) }
    },
    unsent(note, { account, protocol, network, txHash, id }) {
      if (protocol === null || network === null || txHash === null || (note.bounds === undefined && note.tracked !== true)) return undefined
      return (database) => forget(database, { account, protocol, network, txHash }, id)
    },
  }
}

/** Longest text of signed bytes that is kept, in characters: no family accepts more than 128 KiB, which is written in hexadecimal; the rest is room. */
const SIGNED_MOST = 300_000

/** Writes signed bytes as a row keeps them; null: there are none, or more than any transaction has. */
function signedText(signed: RequestNote['signed']): string | null {
  const text = signed === undefined ? null : JSON.stringify(signed)
  return text === null || text.length > SIGNED_MOST ? null : text
}
