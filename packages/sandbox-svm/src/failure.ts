import { membersOf } from '@svc/sandbox'
import type { FailedTransactionMetadata } from './litesvm.ts'

/** Why a transaction failed, as JSON-RPC writes it: `"BlockhashNotFound"`, `{ InstructionError: [1, { Custom: 12 }] }`. */
export type Failure = string | { readonly [name: string]: unknown }

/** Error of an instruction, by a name or by the program's own number. */
type InstructionFailure = string | { readonly Custom: number }

type InnerError = ReturnType<Extract<ReturnType<FailedTransactionMetadata['err']>, { err(): unknown }>['err']>

/** Instruction errors in the order of the engine's numbers (litesvm 1.5.0, `InstructionErrorFieldless`), each with the sentence of a node. */
const instructionErrors: readonly (readonly [name: string, text: string])[] = [
  ['GenericError', 'generic instruction error'],
  ['InvalidArgument', 'invalid program argument'],
  ['InvalidInstructionData', 'invalid instruction data'],
  ['InvalidAccountData', 'invalid account data for instruction'],
  ['AccountDataTooSmall', 'account data too small for instruction'],
  ['InsufficientFunds', 'insufficient funds for instruction'],
  ['IncorrectProgramId', 'incorrect program id for instruction'],
  ['MissingRequiredSignature', 'missing required signature for instruction'],
  ['AccountAlreadyInitialized', 'instruction requires an uninitialized account'],
  ['UninitializedAccount', 'instruction requires an initialized account'],
  ['UnbalancedInstruction', 'sum of account balances before and after instruction do not match'],
  ['ModifiedProgramId', 'instruction illegally modified the program id of an account'],
  ['ExternalAccountLamportSpend', 'instruction spent from the balance of an account it does not own'],
  ['ExternalAccountDataModified', 'instruction modified data of an account it does not own'],
  ['ReadonlyLamportChange', 'instruction changed the balance of a read-only account'],
  ['ReadonlyDataModified', 'instruction modified data of a read-only account'],
  ['DuplicateAccountIndex', 'instruction contains duplicate accounts'],
  ['ExecutableModified', 'instruction changed executable bit of an account'],
  ['RentEpochModified', 'instruction modified rent epoch of an account'],
  ['NotEnoughAccountKeys', 'insufficient account keys for instruction'],
  ['AccountDataSizeChanged', "program other than the account's owner changed the size of the account data"],
  ['AccountNotExecutable', 'instruction expected an executable account'],
  ['AccountBorrowFailed', 'instruction tries to borrow reference for an account which is already borrowed'],
  ['AccountBorrowOutstanding', 'instruction left account with an outstanding borrowed reference'],
  ['DuplicateAccountOutOfSync', 'instruction modifications of multiply-passed account differ'],
  ['InvalidError', 'program returned invalid error code'],
  ['ExecutableDataModified', 'instruction changed executable accounts data'],
  ['ExecutableLamportChange', 'instruction changed the balance of an executable account'],
  ['ExecutableAccountNotRentExempt', 'executable accounts must be rent exempt'],
  ['UnsupportedProgramId', 'Unsupported program id'],
  ['CallDepth', 'Cross-program invocation call depth too deep'],
  ['MissingAccount', 'An account required by the instruction is missing'],
  ['ReentrancyNotAllowed', 'Cross-program invocation reentrancy not allowed for this instruction'],
  ['MaxSeedLengthExceeded', 'Length of the seed is too long for address generation'],
  ['InvalidSeeds', 'Provided seeds do not result in a valid address'],
  ['InvalidRealloc', 'Failed to reallocate account data'],
  ['ComputationalBudgetExceeded', 'Computational budget exceeded'],
  ['PrivilegeEscalation', 'Cross-program invocation with unauthorized signer or writable account'],
  ['ProgramEnvironmentSetupFailure', 'Failed to create program execution environment'],
  ['ProgramFailedToComplete', 'Program failed to complete'],
  ['ProgramFailedToCompile', 'Program failed to compile'],
  ['Immutable', 'Account is immutable'],
  ['IncorrectAuthority', 'Incorrect authority provided'],
  ['AccountNotRentExempt', 'An account does not have enough lamports to be rent-exempt'],
  ['InvalidAccountOwner', 'Invalid account owner'],
  ['ArithmeticOverflow', 'Program arithmetic overflowed'],
  ['UnsupportedSysvar', 'Unsupported sysvar'],
  ['IllegalOwner', 'Provided owner is not allowed'],
  ['MaxAccountsDataAllocationsExceeded', 'Accounts data allocations exceeded the maximum allowed per transaction'],
  ['MaxAccountsExceeded', 'Max accounts exceeded'],
  ['MaxInstructionTraceLengthExceeded', 'Max instruction trace length exceeded'],
  ['BuiltinProgramsMustConsumeComputeUnits', 'Builtin programs must consume compute units'],
  ['BorshIoError', 'Failed to serialize or deserialize account data'],
]

/** Transaction errors without a field, in the same way (litesvm 1.5.0, `TransactionErrorFieldless`). */
const transactionErrors: readonly (readonly [name: string, text: string])[] = [
  ['AccountInUse', 'Account in use'],
  ['AccountLoadedTwice', 'Account loaded twice'],
  ['AccountNotFound', 'Attempt to debit an account but found no record of a prior credit.'],
  ['ProgramAccountNotFound', 'Attempt to load a program that does not exist'],
  ['InsufficientFundsForFee', 'Insufficient funds for fee'],
  ['InvalidAccountForFee', 'This account may not be used to pay transaction fees'],
  ['AlreadyProcessed', 'This transaction has already been processed'],
  ['BlockhashNotFound', 'Blockhash not found'],
  ['CallChainTooDeep', 'Loader call chain is too deep'],
  ['MissingSignatureForFee', 'Transaction requires a fee but has no signature present'],
  ['InvalidAccountIndex', 'Transaction contains an invalid account reference'],
  ['SignatureFailure', 'Transaction did not pass signature verification'],
  ['InvalidProgramForExecution', 'This program may not be used for executing instructions'],
  ['SanitizeFailure', 'Transaction failed to sanitize accounts offsets correctly'],
  ['ClusterMaintenance', 'Transactions are currently disabled due to cluster maintenance'],
  ['AccountBorrowOutstanding', 'Transaction processing left an account with an outstanding borrowed reference'],
  ['WouldExceedMaxBlockCostLimit', 'Transaction would exceed max Block Cost Limit'],
  ['UnsupportedVersion', 'Transaction version is unsupported'],
  ['InvalidWritableAccount', 'Transaction loads a writable account that cannot be written'],
  ['WouldExceedMaxAccountCostLimit', 'Transaction would exceed max account limit within the block'],
  ['WouldExceedAccountDataBlockLimit', 'Transaction would exceed account data limit within the block'],
  ['TooManyAccountLocks', 'Transaction locked too many accounts'],
  ['AddressLookupTableNotFound', "Transaction loads an address table account that doesn't exist"],
  ['InvalidAddressLookupTableOwner', 'Transaction loads an address table account with an invalid owner'],
  ['InvalidAddressLookupTableData', 'Transaction loads an address table account with invalid data'],
  ['InvalidAddressLookupTableIndex', 'Transaction address table lookup uses an invalid index'],
  ['InvalidRentPayingAccount', 'Transaction leaves an account with a lower balance than rent-exempt minimum'],
  ['WouldExceedMaxVoteCostLimit', 'Transaction would exceed max Vote Cost Limit'],
  ['WouldExceedAccountDataTotalLimit', 'Transaction would exceed total account data limit'],
  ['MaxLoadedAccountsDataSizeExceeded', 'Transaction exceeded max loaded accounts data size cap'],
  ['ResanitizationNeeded', 'ResanitizationNeeded'],
  ['InvalidLoadedAccountsDataSizeLimit', 'LoadedAccountsDataSizeLimit set for transaction must be greater than 0.'],
  ['UnbalancedTransaction', 'Sum of account balances before and after transaction do not match'],
  ['ProgramCacheHitMaxLimit', 'Program cache hit max limit'],
  ['CommitCancelled', 'CommitCancelled'],
]

const textOf = new Map([...instructionErrors, ...transactionErrors])

/** Converts the engine's error to its form on the wire. */
export function failureOf(failed: FailedTransactionMetadata): Failure {
  const error = failed.err()
  if (typeof error === 'number') return transactionErrors[error]?.[0] ?? 'SanitizeFailure'
  if ('err' in error) return instructionFailure(error.index, innerOf(error.err()))
  if ('index' in error) return { DuplicateInstruction: error.index }
  const name = String(failed).includes('TemporarilyRestricted') ? 'ProgramExecutionTemporarilyRestricted' : 'InsufficientFundsForRent'
  return { [name]: { account_index: error.accountIndex } }
}

function innerOf(error: InnerError): InstructionFailure {
  if (typeof error === 'number') return instructionErrors[error]?.[0] ?? 'GenericError'
  return 'code' in error ? { Custom: error.code } : 'BorshIoError'
}

/** Makes the error of a transaction that failed in one of its instructions, counted from 0. */
export function instructionFailure(index: number, inner: InstructionFailure): Failure {
  return { InstructionError: [index, inner] }
}

/** Returns the instruction error within a failure: its index and kind. */
export function instructionError(failure: Failure): { index: number; inner: InstructionFailure } | undefined {
  const { InstructionError: parts } = membersOf(failure)
  const [index, inner]: unknown[] = Array.isArray(parts) ? parts : []
  return typeof index === 'number' && isInner(inner) ? { index, inner } : undefined
}

function isInner(inner: unknown): inner is InstructionFailure {
  return typeof inner === 'string' || typeof membersOf(inner).Custom === 'number'
}

/** Returns the index of the account that a failure leaves with less than its rent; undefined for another failure. */
export function rentFailure(failure: Failure): number | undefined {
  const { account_index: index } = membersOf(membersOf(failure).InsufficientFundsForRent)
  return typeof index === 'number' ? index : undefined
}

/** Returns the log line of a failing program: `custom program error: 0xc`. */
export function innerText(inner: InstructionFailure): string {
  return typeof inner === 'string' ? (textOf.get(inner) ?? inner) : `custom program error: 0x${inner.Custom.toString(16)}`
}

/** Returns a node's sentence on a failure. */
export function failureText(failure: Failure): string {
  if (typeof failure === 'string') return textOf.get(failure) ?? failure
  const inner = instructionError(failure)
  if (inner !== undefined) return `Error processing Instruction ${inner.index}: ${innerText(inner.inner)}`
  const poor = rentFailure(failure)
  if (poor !== undefined) return `Transaction results in an account (${poor}) with insufficient funds for rent`
  return JSON.stringify(failure)
}
