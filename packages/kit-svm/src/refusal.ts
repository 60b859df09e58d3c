import { declareErrors, type ErrorCodes, membersOf, type ServiceError } from '@svc/contract'
import { errorCodes } from './codes.ts'
import { STAKE_ERRORS } from './errors/stake.ts'
import { STAKE_POOL_ERRORS } from './errors/stake-pool.ts'
import { SYSTEM_ERRORS } from './errors/system.ts'
import type { ErrorTable, ProgramError } from './errors/table.ts'
import { TOKEN_ERRORS } from './errors/token.ts'
import { INSTRUCTION_ERRORS, TRANSACTION_ERRORS } from './errors/transaction.ts'

/** Any code: the tables that a plugin adds have codes of its own. */
const { badRequest, unavailable } = declareErrors<ErrorCodes>(errorCodes)

type ErrorTables = Readonly<Record<string, ErrorTable>>

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
  const { err, logs } = membersOf(value)
  if (err === undefined) return null
  if (err !== null && !isWorded(err)) return null
  return { err, logs: Array.isArray(logs) ? logs.filter((line) => typeof line === 'string') : [] }
}

/**
 * Whether an error has a form in which nodes write one: a name, or a name with what belongs to it, which for an instruction is its index
 * and its own error.
 *
 * @see https://docs.rs/solana-transaction-error/latest/solana_transaction_error/enum.TransactionError.html (read 2026-11-22)
 */
function isWorded(err: unknown): boolean {
  if (typeof err !== 'object') return typeof err === 'string' && err !== ''
  const [member, ...others] = Object.entries(err ?? {})
  if (Array.isArray(err) || member === undefined || others.length > 0) return false
  const [name, details] = member
  return name !== 'InstructionError' || (Array.isArray(details) && details.length === 2)
}

/**
 * What a refusal of the chain means for the caller.
 *
 * @param programs address of each instruction's program
 * @param more errors of programs that the kit does not know
 */
export function meaningOf({ err, logs }: Verdict, programs: readonly string[], more: ErrorTables = {}): ProgramError {
  if (typeof err === 'string') return lookUp(TRANSACTION_ERRORS, err) ?? { sentence: `It says ${shortOf(err)}.` }
  const [name, details] = Object.entries(err ?? {})[0] ?? []
  if (name !== 'InstructionError' || !Array.isArray(details))
    return lookUp(TRANSACTION_ERRORS, name ?? '') ?? { sentence: `It says ${shortOf(err)}.` }

  const [index, what]: unknown[] = details
  const program = failedProgram(logs) ?? programs[Number(index)] ?? 'that is not named'
  if (typeof what === 'string')
    return (
      lookUp(INSTRUCTION_ERRORS, what) ?? {
        sentence: `Its instruction ${shortOf(index)}, of the program ${program}, failed with ${shortOf(what)}.`,
      }
    )
  const { Custom: number } = membersOf(what)
  const known = typeof number === 'number' ? lookUp({ ...TABLES, ...more }, program)?.[number] : undefined
  const said = typeof number === 'number' ? `its error ${number}` : shortOf(what)
  return known ?? { sentence: `Its instruction ${shortOf(index)}, of the program ${program}, failed with ${said}.` }
}

const MOST_LETTERS = 200

/** What a node said, in as many letters as a sentence takes. */
function shortOf(said: unknown): string {
  const text =
    typeof said === 'string' ? said : JSON.stringify(said ?? null, (_key, value) => (typeof value === 'bigint' ? String(value) : value))
  return text.slice(0, MOST_LETTERS)
}

/** The refusal as the service answers it. @param generic code of what has none of its own */
export function refused(
  meaning: ProgramError,
  lead: string,
  generic: 'CHAIN_WOULD_REFUSE' | 'CHAIN_REFUSED',
  cause?: unknown,
): ServiceError {
  const { sentence } = meaning
  const message = `${lead}: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
  return meaning.status === 503
    ? unavailable(meaning.code, message, RETRY_SECONDS, cause)
    : badRequest(meaning.code ?? generic, message, cause)
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
