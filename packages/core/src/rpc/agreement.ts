import { type Comparison, isServiceError } from '@svc/contract'
import type { Repeatable } from '@svc/contract/host'
import { badGateway } from '../base/codes.ts'
import { RARE_COUNTERS } from '../base/metrics.ts'
import type { Server } from './endpoints.ts'
import { Failure } from './failure.ts'
import type { createHedge, ReadingMeans } from './hedge.ts'
import type { Send } from './try-one.ts'

/** A reading on which two endpoints have to agree. */
interface AgreedCall<T> {
  readonly work: (send: Send, endpoint: number, again?: unknown) => Promise<T>
  readonly reading: Repeatable<T>
  /** Time by the group's clock until which the whole reading has to end. */
  readonly deadline: number
}

/** Result from one endpoint: the value that the work returned, or the verdict that it threw. */
type Word<T> = { readonly value: T } | { readonly verdict: unknown }

const DISAGREEMENTS_HELP =
  'Readings in which two endpoints did not agree, by member and end: settled when they were asked once more, or refused.'

/**
 * Makes readings that need the word of two endpoints: both are asked at the same time, and believed where they agree. Where they do not, both are asked once more, since
 * the chain may have advanced between the two; then the reading is refused.
 */
export function createAgreement(
  { name, pool, tries, now, metrics, log, refused }: ReadingMeans,
  { learn, look, earn }: Pick<ReturnType<typeof createHedge>, 'learn' | 'look' | 'earn'>,
) {
  const count = (member: string, end: 'settled' | 'refused') =>
    metrics?.count(RARE_COUNTERS.disagreements, DISAGREEMENTS_HELP, { upstream: name, member, end })

  /** Two endpoints' words, each of another endpoint. One that fails is followed by the next that nobody has asked. */
  async function twoWords<T>({ work, reading: { kind }, deadline }: AgreedCall<T>, servers: readonly Server[], again: unknown) {
    const queue = [...servers]
    const failures: Failure[] = []
    const end = new AbortController()
    const word = async (): Promise<Word<T>> => {
      for (let server = queue.shift(); server !== undefined && deadline - now() > 0; server = queue.shift()) {
        try {
          const asked = (send: Send, endpoint: number) => work(send, endpoint, again)
          const result = await tries.tryOne({ work: asked, server, deadline, kind, signal: end.signal })
          if (!(result instanceof Failure)) return result
          failures.push(result)
        } catch (error) {
          if (!isServiceError(error) || end.signal.aborted) throw error
          return { verdict: error }
        }
      }
      throw refused(failures, deadline)
    }
    try {
      return await Promise.all([word(), word()])
    } finally {
      end.abort(new DOMException('one of two endpoints is missing', 'AbortError'))
    }
  }

  return async function agreed<T>(call: AgreedCall<T>): Promise<T> {
    const { reading } = call
    const { servers, probe } = pool.readingOrder(reading.kind)
    earn()
    // One of the two that are asked is learnt of in any case.
    if (probe && !servers.slice(0, 2).includes(probe)) learn(probe, { ...call, work: (send, endpoint) => call.work(send, endpoint) })
    const words = twoWords(call, servers, undefined)
    look({ work: (send, endpoint) => call.work(send, endpoint) }, words)
    const first = compared(reading, await words)
    if (!('member' in first)) return outcome(first)
    const second = compared(reading, await twoWords(call, servers, first.again))
    const { member } = first
    if (!('member' in second)) {
      count(member, 'settled')
      return outcome(second)
    }
    count(second.member, 'refused')
    log.warn({ upstream: name, member: second.member }, 'upstream endpoints disagree')
    throw badGateway(
      'UPSTREAM_DISAGREES',
      `The endpoints of ${name} do not agree about ${second.member}, so that neither is believed; try again in a few seconds.`,
    )
  }
}

/** Compares the words of two endpoints: the word that both give, or the member in which they differ. */
function compared<T>(
  { compare }: Repeatable<T>,
  [one, other]: readonly [Word<T>, Word<T>],
): Word<T> | Extract<Comparison<T>, { member: string }> {
  if ('value' in one && 'value' in other) return compare(one.value, other.value)
  if ('verdict' in one && 'verdict' in other && codeOf(one.verdict) === codeOf(other.verdict)) return one
  return { member: 'what the chain says to it' }
}

function codeOf(verdict: unknown): string {
  return isServiceError(verdict) ? verdict.code : ''
}

function outcome<T>(word: Word<T>): T {
  if ('verdict' in word) throw word.verdict
  return word.value
}
