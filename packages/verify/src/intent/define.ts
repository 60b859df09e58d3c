import { readInput } from './input.ts'
import { review } from './review.ts'
import { reviewSent, reviewSigned } from './signed.ts'
import type { Intent } from './types.ts'

/** An intent whose actions are known by name. */
export type DefinedIntent<T, A extends Intent['actions']> = Omit<Intent<T>, 'actions'> & { readonly actions: A }

/** Binds the parts of an intent to each other by type, and adds the functions that review a craft by it. */
export function defineIntent<T, const A extends Intent['actions']>(intent: DefinedIntent<T, A>): DefinedIntent<T, A> {
  return { ...intent, reader: { readInput, review, reviewSigned, reviewSent } }
}
