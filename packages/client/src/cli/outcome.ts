/** What the command says, and how it ends. */
export interface Outcome {
  readonly code: 0 | 1 | 2
  readonly lines: readonly string[]
  readonly errors: readonly string[]
}

/** A mistake of whoever runs the command. Its message is a sentence. */
export class Mistake extends Error {
  override name = 'Mistake'
}
