import { type Deadline, setDeadline } from '@svc/contract'
import { Failure } from './failure.ts'

/** One endpoint's success, or why there is none. */
export type Try<T> = Failure | { readonly value: T }

interface RaceOptions<Entrant, T> {
  /** In the order in which they are tried. */
  readonly entrants: readonly Entrant[]
  /** Tries one. It ends when the signal is aborted. @param earlier how many were tried before it @throws a verdict, which is final */
  ask(entrant: Entrant, signal: AbortSignal, earlier: number): Promise<Try<T>>
  /** Time after which a second one is asked as well, in milliseconds; null: never. Where `mayAsk` says no, it is asked again each quarter of that time. */
  readonly patienceMs: number | null
  /** Says, when that time is over, whether the second one may be asked. @param times how often it was not allowed before */
  mayAsk(entrant: Entrant, times: number): boolean
  /** The second one has won, and the first was given up. */
  overtaken(first: Entrant): void
  /** The second one was asked in vain, since the first came first, or since it failed itself. */
  inVain(): void
  /** Makes the refusal when none is left, or throws it. */
  refusal(failures: readonly Failure[]): Error
  /** False when there is no time for another one. */
  hasTime(): boolean
}

/** Reason for which the slower of two is ended. */
const OVER = new DOMException('another endpoint has answered', 'AbortError')

/**
 * Runs attempts one after the other, each after the failure of the one before it; the second one also beside the first when that takes too long. The first outcome that is
 * no failure of an endpoint counts, and ends all other attempts.
 */
export function race<Entrant, T>(options: RaceOptions<Entrant, T>): Promise<T> {
  const { patienceMs } = options
  return new Promise((resolve, reject) => {
    const queue = [...options.entrants]
    const running = new Map<Entrant, AbortController>()
    const failures: Failure[] = []
    let isOver = false
    let tried = 0
    let second: Entrant | undefined
    let deadline: Deadline | undefined
    const [first] = queue

    const finish = (settle: () => void) => {
      isOver = true
      deadline?.clear()
      for (const abort of running.values()) abort.abort(OVER)
      settle()
    }
    const start = (entrant: Entrant) => {
      const abort = new AbortController()
      running.set(entrant, abort)
      options.ask(entrant, abort.signal, tried++).then(
        (result) => {
          running.delete(entrant)
          if (isOver) return
          if (result instanceof Failure) {
            failures.push(result)
            if (running.size === 0) next()
            return
          }
          settled(entrant)
          finish(() => resolve(result.value))
        },
        (error: unknown) => {
          running.delete(entrant)
          if (isOver) return
          settled(entrant)
          finish(() => reject(error))
        },
      )
    }
    const settled = (winner: Entrant) => {
      if (second === undefined) return
      if (winner !== second) options.inVain()
      else if (first !== undefined && running.has(first)) options.overtaken(first)
    }
    const next = () => {
      const entrant = options.hasTime() ? queue.shift() : undefined
      if (entrant === undefined) finish(() => reject(options.refusal(failures)))
      else start(entrant)
    }
    const wait = (ms: number, patienceMs: number, times: number): void => {
      deadline = setDeadline(ms, () => {
        const [candidate] = queue
        // A failure has sent the call on already.
        if (isOver || candidate === undefined || failures.length > 0) return
        if (!options.mayAsk(candidate, times)) return wait(patienceMs / 4, patienceMs, times + 1)
        second = queue.shift()
        start(candidate)
      })
    }
    if (patienceMs !== null) wait(patienceMs, patienceMs, 0)
    next()
  })
}
