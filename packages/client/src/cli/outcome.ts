/** Output and exit code of the command. */
export interface Outcome {
  readonly code: 0 | 1 | 2
  readonly lines: readonly string[]
  readonly errors: readonly string[]
}

/** A mistake of whoever runs the command. Its message is a sentence. */
export class Mistake extends Error {
  override name = 'Mistake'
}

/** Writes the warnings of a check as lines that stand before the rest. */
export function bewareOf({ warnings }: { readonly warnings: readonly string[] }): readonly string[] {
  return warnings.map((warning) => `Beware: ${warning}`)
}
