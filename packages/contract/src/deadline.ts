/** Running limit on the time that something may take. */
export interface Deadline {
  /** Cancels the limit, so that `over` is not called. */
  clear(): void
}

/** Most parts of a limit, each with a timer of its own, and the least length of one, in milliseconds: a short limit, whose end is no failure as a rule, is one part. */
const MOST_PARTS = 4
const PART_MS = 250

/**
 * Sets a limit to how long something may take, by the time in which this process runs: however long it stalls, of its own work, on a busy machine or because it was stopped, the
 * stall counts as one part of the limit, which is a fourth of a limit of a second or more. Each part is over one turn after its timer: after a stall, Node runs the timer before it reads the answers that have arrived
 * meanwhile (timers first, then sockets, then immediates), and such an answer counts as in time.
 *
 * @param over is called when it is over
 * @param options.holds whether it keeps the process from ending @default true
 * @see https://nodejs.org/en/learn/asynchronous-work/event-loop-timers-and-nexttick, "Event loop explained" (read 2026-11-25)
 */
export function setDeadline(milliseconds: number, over: () => void, { holds = true }: { readonly holds?: boolean } = {}): Deadline {
  let turn: NodeJS.Immediate | undefined
  let timer: NodeJS.Timeout
  const parts = Math.min(MOST_PARTS, Math.max(1, Math.floor(milliseconds / PART_MS)))
  const begin = (left: number) => {
    timer = setTimeout(() => {
      turn = setImmediate(() => (left > 1 ? begin(left - 1) : over()))
    }, milliseconds / parts)
    if (!holds) timer.unref()
  }
  begin(parts)
  return {
    clear() {
      clearTimeout(timer)
      clearImmediate(turn)
    },
  }
}

/**
 * Waits for an answer, at most `milliseconds`, and returns it.
 *
 * @param late makes the error
 * @throws what the answer throws, or that error
 */
export async function answerWithin<T>(
  milliseconds: number,
  answer: PromiseLike<T>,
  late: () => Error,
  options: { readonly holds?: boolean } = {},
): Promise<T> {
  let deadline: Deadline | undefined
  const over = new Promise<never>((_resolve, reject) => {
    deadline = setDeadline(milliseconds, () => reject(late()), options)
  })
  try {
    return await Promise.race([answer, over])
  } finally {
    deadline?.clear()
  }
}

/** Waits until a promise has settled, either way, or so many milliseconds have passed. It never rejects. */
export async function settledWithin(milliseconds: number, ended: PromiseLike<unknown>): Promise<void> {
  await answerWithin(milliseconds, ended, () => new Error(`not ended within ${milliseconds} ms`)).catch(() => undefined)
}
