/** Running limit on the time that something may take. */
export interface Deadline {
  /** Cancels the limit, so that `over` is not called. */
  clear(): void
}

/**
 * Sets a limit to how long something may take. The limit is over one turn after its timer: after a stall of this process, Node runs the timer before it reads the answers
 * that have arrived meanwhile (timers first, then sockets, then immediates), and such an answer counts as in time.
 *
 * @param over is called when it is over
 * @param options.holds whether it keeps the process from ending @default true
 * @see https://nodejs.org/en/learn/asynchronous-work/event-loop-timers-and-nexttick, "Event loop explained" (read 2026-11-25)
 */
export function setDeadline(milliseconds: number, over: () => void, { holds = true }: { readonly holds?: boolean } = {}): Deadline {
  let turn: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    turn = setImmediate(over)
  }, milliseconds)
  if (!holds) timer.unref()
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
