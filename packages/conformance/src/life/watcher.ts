import { isServiceError, type KitIo, type Subject as Watched } from '@svc/contract'
import { createKeyStore, type Look, looksOf, memoryRecords } from '@svc/core/plugins'
import { type AnyContext, SILENT_LOG } from '../direct.ts'
import type { Endpoint } from '../lies/endpoint.ts'
import { faultOf, groupOf } from '../lies/trial.ts'
import type { Subject } from '../subject.ts'

/** Milliseconds between two looks: longer than a negative has to stand before it is told. */
export const STEP_MS = 6_000

/** Outcome of a look: the state of the transaction, or why that cannot be told. */
export type Outcome =
  | { readonly look: Look; readonly status: 200; readonly said: string }
  | { readonly look: null; readonly status: number; readonly said: string }

/** Looks at one transaction as the host does: with what the look before has kept, and through the failover of its endpoints. */
interface Watcher {
  look(): Promise<Outcome>
  /** Returns what the watcher knows of the transaction by now. */
  known(): Watched
  close(): Promise<void>
}

/**
 * Makes a watcher, who looks at a transaction by the kit alone, as the service does.
 *
 * @param endpoints best first
 * @param watched as it is known at the start
 * @param clock moved on by every look
 */
export function createWatcher(subject: Subject, endpoints: readonly Endpoint[], watched: Watched, clock: Clock): Watcher {
  const { kit, protocol, direct } = subject
  const groups = [groupOf(kit.endpoints, endpoints), ...endpoints.map((each) => groupOf(kit.endpoints, [each]))]
  const clients = groups.map((group): unknown => kit.connect(direct.network, { ...group, log: SILENT_LOG, now: clock.now } satisfies KitIo))
  const [client, ...witnesses] = clients
  const store = createKeyStore(memoryRecords(), 'life', SILENT_LOG)
  const ctx: AnyContext = { ...direct, client, now: clock.now, memo: {}, store }
  const { transaction } = looksOf(protocol, ctx, () => witnesses)
  let { keep } = watched

  return {
    async look() {
      clock.pass(STEP_MS)
      try {
        if (!transaction) throw new TypeError('the kit tells nothing of the life of its transactions')
        const look = await transaction({ ...watched, keep })
        keep = look.keep
        return { look, status: 200, said: saidOf(look) }
      } catch (error) {
        const status = isServiceError(error) ? error.statusCode : 500
        return { look: null, status, said: isServiceError(error) ? `${status} ${error.code}: ${error.message}` : faultOf(error) }
      }
    },
    known: () => ({ ...watched, keep }),
    async close() {
      for (const each of clients) await kit.close?.(each)
      for (const each of groups) each.close()
    },
  }
}

/** A clock that moves when it is told to. */
export interface Clock {
  readonly now: () => Date
  pass(ms: number): void
}

/** Makes a clock that stands still until it is moved. */
export function createClock(start = new Date()): Clock {
  let at = start.getTime()
  return {
    now: () => new Date(at),
    pass(ms) {
      at += ms
    },
  }
}

function saidOf({ status, finality, certainty }: Look): string {
  return `${status} (${finality}, ${certainty})`
}
