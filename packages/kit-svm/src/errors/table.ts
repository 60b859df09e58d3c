/** What an error of a program means for the caller. */
export interface ProgramError {
  /** Stable word for programs; without one it is CHAIN_WOULD_REFUSE of a craft and CHAIN_REFUSED of a broadcast. */
  readonly code?: string
  /** What is wrong, and what would be right. */
  readonly sentence: string
  /** 503 where the same request may succeed in a while. @default 400 */
  readonly status?: 400 | 503
}

/** Errors of a program by their numbers. */
export type ErrorTable = Readonly<Record<number, ProgramError>>
