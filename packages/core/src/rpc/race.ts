import { type Deadline, setDeadline } from '@svc/contract'
import { Failure } from './failure.ts'

/** Result of one endpoint's attempt: a value, or the failure. */
export type Try<T> = Failure | { readonly value: T }

interface RaceOptions<Entrant, T> {
  /** In the order in which they are tried. */
  readonly entrants: readonly Entrant[]
  /** Tries one entrant. It ends when the signal is aborted. @param earlier number of entrants that were tried before @throws a verdict, which is final */
  ask(entrant: Entrant, signal: AbortSignal, earlier: number): Promise<Try<T>>
  /** Time after which a second entrant is asked as well, in milliseconds; null: never. While `mayAsk` refuses that, it is called again after each quarter of the time. */
  readonly patienceMs: number | null
  /** Tells whether the second entrant may be asked, once the patience is over. @param times number of times that it was refused before */
  mayAsk(entrant: Entrant, times: number): boolean
  /** Called when the second entrant has won, so that the first was given up. */
  overtaken(first: Entrant): void
  /** Called when the second entrant was asked in vain, since the first was quicker, or the second failed. */
  inVain(): void
  /** Makes the error for the caller when no entrant is left, or throws it. */
  refusal(failures: readonly Failure[]): Error
  /** True if there is time to try another entrant. */
  hasTime(): boolean
}

/** Reason of the signal that ends the slower of two attempts. */
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
