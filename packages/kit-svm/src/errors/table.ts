import type { CodeOf, ErrorCodes } from '@svc/contract'

/**
 * Meaning of a program's error for the caller: where it is 503, the same request may succeed in a while.
 *
 * @typeParam Table the codes that it may have: `typeof errorCodes`, as `declareErrors` returned it
 */
export type ProgramError<Table extends ErrorCodes = ErrorCodes> = Lasting<Table> | Passing<Table>

interface Meaning {
  /** Sentence on what is wrong, and what would be right. */
  readonly sentence: string
}

interface Lasting<Table> extends Meaning {
  /** Stable word for programs; without one it is CHAIN_WOULD_REFUSE of a craft and CHAIN_REFUSED of a broadcast. */
  readonly code?: CodeOf<Table, 400>
  /** @default 400 */
  readonly status?: 400
}

interface Passing<Table> extends Meaning {
  readonly code: CodeOf<Table, 503>
  readonly status: 503
}

/** Errors of a program by their numbers. */
export type ErrorTable<Table extends ErrorCodes = ErrorCodes> = Readonly<Record<number, ProgramError<Table>>>
