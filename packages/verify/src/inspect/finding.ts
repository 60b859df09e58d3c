import type { Difference } from './agreement.ts'

/** Unusual feature of a staking transaction. */
export interface Finding {
  /** Gravity. `bad`: nobody should sign the transaction without knowing why the feature is there. `ask`: only the reader can say whether it is right. `odd`: worth a look. */
  readonly level: 'bad' | 'ask' | 'odd'
  readonly title: string
  /** Reason why the feature matters, a sentence or two. */
  readonly why: string
  /** Difference between the usual value and the actual one. */
  readonly difference?: Difference
}
