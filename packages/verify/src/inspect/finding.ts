import type { Difference } from './agreement.ts'

/** Something that a staking transaction does not have as a rule. */
export interface Finding {
  /** `bad`: nobody should sign it without knowing why it is there. `ask`: only the reader can say whether it is right. `odd`: worth a look. */
  readonly level: 'bad' | 'ask' | 'odd'
  readonly title: string
  /** The rule's reason, a sentence or two. */
  readonly why: string
  /** Difference between what would be usual and what is there. */
  readonly difference?: Difference
}
