/** A limit that was set. */
export interface Deadline {
  /** It is not over any more. */
  clear(): void
}

/**
 * Sets a limit to how long something may take. After a stall of this process the timer comes before the answers that have arrived meanwhile: Node runs timers,
 * then reads sockets, then runs immediates. So the limit is over at the end of that turn, and what answered in time is not taken for dead.
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
 * Gives the same answer, or an error when it takes longer.
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

/** Waits for a promise, whatever becomes of it, and no longer than so many milliseconds. It never rejects. */
export async function settledWithin(milliseconds: number, ended: PromiseLike<unknown>): Promise<void> {
  await answerWithin(milliseconds, ended, () => new Error(`not ended within ${milliseconds} ms`)).catch(() => undefined)
}
