import { type Deadline, defineMemo, setDeadline } from '@svc/contract'
import type { VaultContext } from '../network.ts'

/** Time for which nobody waits for a subgraph that was too slow, in milliseconds: it answers again soon, or is asked for long. */
const SLOW_MS = 30_000
/** Time until which nothing waits for the subgraph, in milliseconds since 1970. */
const slowUntil = defineMemo<number>()

/**
 * Waits for an answer of the subgraph.
 *
 * @param isNeeded waits its time even where the subgraph was slow a moment ago: without the answer the request is refused
 * @returns null when there is none in time
 */
export type AnswerInTime<T> = (isNeeded?: boolean) => Promise<T | null>

/** Tells whether an answer of the subgraph came too late within the last while. */
export function wasSlow(ctx: VaultContext): boolean {
  return ctx.now().getTime() < (slowUntil.get(ctx) ?? 0)
}

/**
 * Makes the wait for an answer of the subgraph that a request can do without: it waits no longer than the settings say, counted from now. For a while after a slow answer
 * nobody waits, and only an answer that has already arrived is taken. The question itself is not cut off, so that the service's failover notices an endpoint that hangs,
 * and asks the next one.
 */
export function answerInTime<T>(ctx: VaultContext, answer: Promise<T | null>): AnswerInTime<T> {
  const began = ctx.now().getTime()
  let arrived = false
  answer.then(
    () => {
      arrived = true
      if (ctx.now().getTime() - began < ctx.network.subgraph_wait_ms) slowUntil.delete(ctx)
    },
    () => {
      arrived = true
    },
  )
  return async (isNeeded = false) => {
    if (arrived) return answer
    if (!isNeeded && wasSlow(ctx)) return null
    const left = Math.max(0, began + ctx.network.subgraph_wait_ms - ctx.now().getTime())
    let deadline: Deadline | undefined
    const late = new Promise<null>((resolve) => {
      deadline = setDeadline(left, () => {
        slowUntil.set(ctx, ctx.now().getTime() + SLOW_MS)
        ctx.log.warn({ network: ctx.network.chainId }, 'the subgraph is too slow; for half a minute nothing waits for it')
        resolve(null)
      })
    })
    return Promise.race([answer, late]).finally(() => deadline?.clear())
  }
}
