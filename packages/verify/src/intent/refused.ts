import type { Mismatch } from '../types.ts'

/** Something that is not as it must be, found before the whole could be compared. Its `mismatch` says what. */
export class Refused extends Error {
  /** Of this kind, also where an intent brings a second copy of this package. */
  static is(error: unknown): error is Refused {
    return error instanceof Error && 'code' in error && error.code === 'REFUSED' && 'mismatch' in error
  }

  readonly code = 'REFUSED'
  readonly mismatch: Mismatch

  constructor(path: string, expected: string, found: string) {
    super(`${path}: expected ${expected}, found ${found}`)
    this.name = 'Refused'
    this.mismatch = { path, expected, found }
  }
}
