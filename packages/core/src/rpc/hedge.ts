import type { Repeatable } from '@svc/contract/host'
import type { Pool, Server } from './endpoints.ts'
import type { Failure } from './failure.ts'
import type { Gate } from './gate.ts'
import { race } from './race.ts'
import { createSpare } from './spare.ts'
import type { Attempt, Reports, Tries } from './try-one.ts'

/** The parts of a group of endpoints that readings need. */
export interface ReadingMeans extends Reports {
  readonly pool: Pool
  readonly tries: Tries
  readonly gates: readonly Gate[]
  readonly timeoutMs: number
  readonly mostInFlight: number
  readonly isHedged: boolean
  now(): number
  /** Makes the error for the caller when no endpoint is left. */
  refused(failures: readonly Failure[], deadline: number): Error
}

/** A reading, with its deadline by the group's clock. */
interface ReadingCall<T> {
  readonly work: Attempt<T>['work']
  readonly reading: Repeatable<T>
  readonly deadline: number
}

/** Calls of the budget that are reserved for readings that take even longer. Each time that a late reading asks for a call again, it may use `STEP` more of the reserve. */
const RESERVE = 10
const STEP = 2

/** Name of the metric that counts the outcomes of asking a second endpoint. */
const HEDGES = 'svc_upstream_hedges_total'
const HEDGES_HELP =
  'Readings that were asked of a second endpoint since the first took too long, by outcome: won, lost; denied: not asked, the budget was used up.'

/**
 * Makes hedged readings: when the first endpoint takes too long, the whole reading is also asked of the second, and the first outcome counts. The additional readings stay
 * within a tenth of all.
 */
export function createHedge(means: ReadingMeans) {
  const { name, pool, tries, gates, timeoutMs, mostInFlight, isHedged, now, metrics } = means
  const spare = createSpare()
  const count = (outcome: 'won' | 'lost' | 'denied') => metrics?.count(HEDGES, HEDGES_HELP, { upstream: name, outcome })

  /** Tests an endpoint in the background, so that no customer waits for an answer that does not come. The test of an endpoint that is well leaves RESERVE calls to readings that are late now. */
  function learn<T>(server: Server, { work, reading: { kind } }: ReadingCall<T>): void {
    if (!spare.take(server.isWell() ? RESERVE : 0)) return
    tries.tryOne({ work, server, deadline: now() + timeoutMs, kind }).catch(() => undefined)
  }

  /**
   * Asks those in the background whom nobody has asked for a while, once a reading has been answered, whatever is left to spend: without it the first one's word for how
   * far the chain is would be the only one.
   */
  function look<T>({ work }: Pick<ReadingCall<T>, 'work'>, answer: Promise<unknown>): void {
    const ask = (server: Server) => tries.tryOne({ work, server, deadline: now() + timeoutMs })
    answer.then(() => Promise.all(pool.unseen().map(ask))).catch(() => undefined)
  }

  async function hedged<T>(call: ReadingCall<T>): Promise<T> {
    const { work, deadline, reading } = call
    const { kind } = reading
    const { servers, probe } = pool.readingOrder(kind)
    spare.earn()
    const startedMs = now()
    const patience = isHedged && servers.length > 1 ? (servers[0]?.pace(kind).patienceMs() ?? null) : null
    const answer = race<Server, T>({
      entrants: servers,
      ask: (server, signal, resends) => tries.tryOne({ work, server, deadline, kind, resends, signal }),
      patienceMs: patience === null ? null : Math.min(patience, timeoutMs / 2),
      mayAsk(server, times) {
        const running = gates[server.number - 1]?.running
        if (!server.isWell() || server.isBehind() || running === undefined || running > mostInFlight / 2) return false
        // Many that are a little late are answered in the meantime, and those that are very late find a call left.
        const isAllowed = spare.take(Math.max(0, RESERVE - STEP * times))
        if (!isAllowed && RESERVE === STEP * times) count('denied')
        return isAllowed
      },
      overtaken(first) {
        count('won')
        // At least so long: without it the answers that are remembered would be the quick ones.
        first.pace(kind).note(now() - startedMs)
        first.overtaken()
      },
      inVain: () => count('lost'),
      hasTime: () => deadline - now() > 0,
      refusal: (failures) => means.refused(failures, deadline),
    })
    // One that is well costs a call to know better, one that rests is to come back.
    if (probe && (isHedged || !probe.isWell())) learn(probe, call)
    look(call, answer)
    return answer
  }

  return { hedged, learn, look, earn: spare.earn }
}
