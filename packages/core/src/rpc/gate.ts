import { setDeadline } from '@svc/contract'
import { Failure } from './failure.ts'

/** Lets a limited number of pieces of work run at once; the others wait their turn. */
export interface Gate {
  /**
   * Waits for a place.
   *
   * @param waitMs longest wait
   * @returns a function that gives the place back, to be called once
   * @throws Failure `busy` when too many wait already, or the wait was too long
   * @throws the reason of the signal
   */
  enter(waitMs: number, signal: AbortSignal | undefined): Promise<() => void>
  readonly running: number
  readonly waiting: number
}

/**
 * Makes a gate that runs at most `most` pieces of work at once, and lets the others wait in their order.
 *
 * @param most pieces of work at once
 * @param mostWaiting of those that wait; one more is refused at once
 */
export function createGate(most: number, mostWaiting: number): Gate {
  const queue = new Set<() => void>()
  let running = 0

  const leave = () => {
    const [next] = queue
    if (next) next()
    else running--
  }
  const place = () => {
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      leave()
    }
  }

  return {
    get running() {
      return running
    },
    get waiting() {
      return queue.size
    },
    enter(waitMs, signal) {
      if (running < most) {
        running++
        return Promise.resolve(place())
      }
      if (queue.size >= mostWaiting) return Promise.reject(crowded())
      return new Promise((resolve, reject) => {
        const end = () => {
          queue.delete(next)
          deadline.clear()
          signal?.removeEventListener('abort', giveUp)
        }
        // Takes over the place of the one who left, so that the count stays.
        const next = () => {
          end()
          resolve(place())
        }
        const giveUp = () => {
          end()
          reject(signal?.reason)
        }
        const deadline = setDeadline(waitMs, () => {
          end()
          reject(crowded())
        })
        queue.add(next)
        signal?.addEventListener('abort', giveUp, { once: true })
      })
    },
  }
}

/** Makes the failure of a call for which there is no room. It is we who ask too much of the endpoint: no reason to leave it alone. */
function crowded(): Failure {
  return new Failure('busy', 1, { partial: true })
}
