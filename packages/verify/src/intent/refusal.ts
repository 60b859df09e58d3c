import { printable } from '../errors.ts'
import type { Mismatch } from '../types.ts'

/** Error for a value that is not as it must be, found before the whole could be compared. Its `mismatch` names the value. */
export class Refused extends Error {
  /** Tells whether an error is a Refused, including one from a second copy of this package, as an intent may bring. */
  static is(error: unknown): error is Refused {
    return error instanceof Error && 'code' in error && error.code === 'REFUSED' && 'mismatch' in error
  }

  readonly code = 'REFUSED'
  readonly mismatch: Mismatch

  constructor(path: string, expected: string, actual: string) {
    const [right, wrong] = [printable(expected), printable(actual)]
    super(`${path}: expected ${right}, found ${wrong}`)
    this.name = 'Refused'
    this.mismatch = { path, expected: right, found: wrong }
  }
}
