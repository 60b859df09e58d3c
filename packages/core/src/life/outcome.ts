import { isServiceError } from '@svc/contract'

/**
 * How a look at a transaction, a position or a book ended. `failed`: for a reason of its own, such as a hash of a time that no endpoint keeps, or a fault of the plugin; the others
 * of the network are looked at. `silent`: the chain has not answered.
 */
export type Outcome = 'ok' | 'failed' | 'silent'

/** Judges what a look threw. What endpoints fail by has a code of `UPSTREAM_`. */
export function failureOf(error: unknown): Outcome {
  return error instanceof TypeError || (isServiceError(error) && !error.code.startsWith('UPSTREAM_')) ? 'failed' : 'silent'
}

/** Counts how looks ended, for the metrics. */
export function countsOf(outcomes: readonly Outcome[]): { readonly ok: number; readonly failed: number } {
  const ok = outcomes.filter((each) => each === 'ok').length
  return { ok, failed: outcomes.length - ok }
}

/** Tells whether every look ended without an answer of the chain, so that the network is left alone for a while. */
export function areSilent(outcomes: readonly Outcome[]): boolean {
  return outcomes.every((each) => each === 'silent')
}
