import { ServiceError } from '@svc/contract'
import { STAKE_ERRORS } from './errors/stake.ts'
import { STAKE_POOL_ERRORS } from './errors/stake-pool.ts'
import { SYSTEM_ERRORS } from './errors/system.ts'
import type { ErrorTable, ProgramError } from './errors/table.ts'
import { TOKEN_ERRORS } from './errors/token.ts'
import { INSTRUCTION_ERRORS, TRANSACTION_ERRORS } from './errors/transaction.ts'

export type ErrorTables = Readonly<Record<string, ErrorTable>>

/** Programs that staking meets, by address. @see https://docs.solanalabs.com/runtime/programs and https://www.solana-program.com/docs (read 2026-11-21) */
const TABLES: ErrorTables = {
  '11111111111111111111111111111111': SYSTEM_ERRORS,
  Stake11111111111111111111111111111111111111: STAKE_ERRORS,
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: TOKEN_ERRORS,
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: TOKEN_ERRORS,
  SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy: STAKE_POOL_ERRORS,
  DPoo15wWDqpPJJtS2MUZ49aRxqz5ZaaJCJP4z8bLuib: STAKE_POOL_ERRORS,
}

/** What became of a transaction that a node ran. */
export interface Verdict {
  /** As the node writes it: a name, or an object with one member; null when the transaction would succeed. */
  readonly err: unknown
  readonly logs: readonly string[]
}

/** Reads a verdict from the value of a simulation, or the data of an error. @returns null when there is none in it */
export function verdictOf(value: unknown): Verdict | null {
  if (typeof value !== 'object' || value === null || !('err' in value)) return null
  const { err, logs } = value as { err: unknown; logs?: unknown }
  if (err !== null && typeof err !== 'string' && typeof err !== 'object') return null
  return { err, logs: Array.isArray(logs) ? logs.filter((line) => typeof line === 'string') : [] }
}

/**
 * What a refusal of the chain means for the caller.
 *
 * @param programs address of each instruction's program
 * @param more errors of programs that the kit does not know
 */
export function meaningOf({ err, logs }: Verdict, programs: readonly string[], more: ErrorTables = {}): ProgramError {
  if (typeof err === 'string') return lookUp(TRANSACTION_ERRORS, err) ?? { sentence: `It says ${err.slice(0, 100)}.` }
  const [name, details] = Object.entries(err ?? {})[0] ?? []
  if (name !== 'InstructionError' || !Array.isArray(details))
    return lookUp(TRANSACTION_ERRORS, name ?? '') ?? { sentence: `It says ${JSON.stringify(err).slice(0, 200)}.` }

  const [index, what] = details as [unknown, unknown]
  const program = failedProgram(logs) ?? programs[Number(index)] ?? 'that is not named'
  if (typeof what === 'string')
    return lookUp(INSTRUCTION_ERRORS, what) ?? { sentence: `Its instruction ${index}, of the program ${program}, failed with ${what}.` }
  const number = (what as { Custom?: unknown } | null)?.Custom
  const known = typeof number === 'number' ? lookUp({ ...TABLES, ...more }, program)?.[number] : undefined
  const said = typeof number === 'number' ? `its error ${number}` : JSON.stringify(what)
  return known ?? { sentence: `Its instruction ${index}, of the program ${program}, failed with ${said}.` }
}

/** The refusal as the service answers it. @param generic code of what has none of its own */
export function refused({ code, sentence, status = 400 }: ProgramError, lead: string, generic: string, cause?: unknown): ServiceError {
  return new ServiceError(status, code ?? generic, `${lead}: ${sentence[0]!.toLowerCase()}${sentence.slice(1)}`, {
    ...(status === 503 ? { retryAfter: RETRY_SECONDS } : {}),
    cause,
  })
}

const RETRY_SECONDS = 60

/**
 * Whose error it is: a program that was called by another one passes its error on to that, so that the instruction's program need not be
 * the one that the number is of. The first that failed is where it came from; those after it only passed it on.
 */
function failedProgram(logs: readonly string[]): string | undefined {
  for (const line of logs) {
    const failed = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) failed: /.exec(line)
    if (failed) return failed[1]
  }
  return undefined
}

/** Names come from a node, so that those of `Object.prototype` must not be found. */
function lookUp<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
