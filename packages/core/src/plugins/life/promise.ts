import type { Moved } from '@svc/contract'
import type { Move } from '@svc/verify/intent'
import { differences } from './differences.ts'

/** Reason why a success is not reported as final: it lacks effects that its bytes promise, and two endpoints have not shown that alike. */
const PROMISE_NOT_SEEN = {
  code: 'PROMISE_NOT_SEEN',
  reason:
    'One endpoint says that it succeeded, and shows something else than its bytes promise; no second one says the same. Take it for neither done nor lost, craft no other in its place, and look it up at another node.',
} as const

/** Tells whether a look found, at one endpoint, a success that lacks what its bytes promise. */
export function isNotAsPromised({ error }: { readonly error: { readonly code: string } | null }): boolean {
  return error?.code === PROMISE_NOT_SEEN.code
}

/** Makes the error of a success that lacks what was promised. */
export function promiseNotSeen(): { readonly code: string; readonly reason: string } {
  return PROMISE_NOT_SEEN
}

/**
 * Tells whether the reported moves of a success cannot be what its bytes promise: another amount, or no moves at all where something has to move. A promise without a
 * number, such as of rewards that arrive, may come to nothing.
 *
 * @param moved null: the plugin cannot read what the chain is said to keep
 */
export function breaksPromise(promised: readonly Move[], moved: Moved | null): boolean {
  const cuts = moved?.cuts ?? []
  // An exit of one base unit may be cut to none, and then nothing moves.
  const hasToMove = ({ kind, amount }: Move) => (amount === null ? kind !== 'arrives' : amount > (cuts.includes(kind) ? 1n : 0n))
  if (moved === null) return promised.some(hasToMove)
  return differences(promised, moved).length > 0 || (moved.moves.length === 0 && promised.some(hasToMove))
}
