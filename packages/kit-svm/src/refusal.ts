import { declareErrors, type ErrorCodes, membersOf, type ServiceError } from '@svc/contract'
import { errorCodes } from './codes.ts'
import { STAKE_ERRORS, STAKE_INSTRUCTION_ERRORS } from './errors/stake.ts'
import { STAKE_POOL_ERRORS } from './errors/stake-pool.ts'
import { SYSTEM_ERRORS } from './errors/system.ts'
import type { ErrorTable, ProgramError } from './errors/table.ts'
import { TOKEN_ERRORS } from './errors/token.ts'
import { TOKEN_ACCOUNT_ERRORS } from './errors/token-account.ts'
import { INSTRUCTION_ERRORS, TRANSACTION_ERRORS } from './errors/transaction.ts'

/** Any code: the tables that a plugin adds have codes of its own. */
const { badRequest, unavailable } = declareErrors<ErrorCodes>(errorCodes)

type ErrorTables = Readonly<Record<string, ErrorTable>>

const STAKE_PROGRAM = 'Stake11111111111111111111111111111111111111'
/** Programs that staking meets, by address. @see https://docs.solanalabs.com/runtime/programs and https://www.solana-program.com/docs (read 2026-11-21) */
const TABLES: ErrorTables = {
  '11111111111111111111111111111111': SYSTEM_ERRORS,
  [STAKE_PROGRAM]: STAKE_ERRORS,
  ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL: TOKEN_ACCOUNT_ERRORS,
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: TOKEN_ERRORS,
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: TOKEN_ERRORS,
  SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy: STAKE_POOL_ERRORS,
  DPoo15wWDqpPJJtS2MUZ49aRxqz5ZaaJCJP4z8bLuib: STAKE_POOL_ERRORS,
}

/** Verdict on a transaction that a node ran. */
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
 * Tells whether an error has a form in which nodes write one: a name, or a name with what belongs to it, which for an instruction is its
 * index and its own error.
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
 * Explains a refusal of the chain for the caller. From a node's text, only names in the chain's own forms get into the sentence.
 *
 * @param programs address of each instruction's program
 * @param more errors of programs that the kit does not know
 */
export function meaningOf({ err, logs }: Verdict, programs: readonly string[], more: ErrorTables = {}): ProgramError {
  const parts = instructionOf(err)
  if (parts === null) return lookUp(TRANSACTION_ERRORS, nameOf(err) ?? '') ?? { sentence: wordOf(err) }

  const { index, what } = parts
  const program = failedProgram(logs) ?? programs[index] ?? 'that is not named'
  const { Custom: number } = membersOf(what)
  const shared = { ...INSTRUCTION_ERRORS, ...(program === STAKE_PROGRAM ? STAKE_INSTRUCTION_ERRORS : {}) }
  const entry = isNumber(number) ? lookUp({ ...TABLES, ...more }, program)?.[number] : lookUp(shared, nameOf(what) ?? '')
  const words = isNumber(number) ? `its error ${number}` : (nameOf(what) ?? 'an error that has no name')
  return entry ?? { sentence: `Its instruction ${index}, of the program ${program}, failed with ${words}.` }
}

/** Most instructions of a transaction: each is a byte and its own lengths at least. @see https://solana.com/docs/core/transactions (read 2026-11-25) */
const MOST_INSTRUCTIONS = 1232
/** Form of the chain's names for errors. @see https://docs.rs/solana-transaction-error/latest/solana_transaction_error/enum.TransactionError.html (read 2026-11-25) */
const NAME = /^[A-Z][A-Za-z]{2,63}$/

function wordOf(err: unknown): string {
  const name = nameOf(err)
  return name === undefined ? 'Its node gives a reason that the chain has no name for.' : `It says ${name}.`
}

/** Reads the name of an error, of a transaction or an instruction; undefined for a value that has not the form of one. */
export function nameOf(err: unknown): string | undefined {
  const name = typeof err === 'string' ? err : Object.keys(membersOf(err))[0]
  return name !== undefined && NAME.test(name) ? name : undefined
}

/** Reads which instruction failed, and with what; null for an error of the transaction as a whole. */
function instructionOf(err: unknown): { readonly index: number; readonly what: unknown } | null {
  const { InstructionError: details } = membersOf(err)
  if (!Array.isArray(details)) return null
  const [index, what]: unknown[] = details
  return isNumber(index) && index < MOST_INSTRUCTIONS ? { index, what } : null
}

/** Tells whether a value is a number as the chain counts and numbers: 32 bits. */
function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32
}

/** Makes the service's refusal for the meaning of a chain's refusal. @param generic code of what has none of its own */
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
