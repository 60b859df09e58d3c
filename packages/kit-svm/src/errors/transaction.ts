import type { errorCodes } from '../codes.ts'
import type { ProgramError } from './table.ts'

const full: ProgramError<typeof errorCodes> = {
  code: 'CHAIN_FULL',
  sentence: 'The chain has no room for it at the moment; send the same one again.',
  status: 503,
}

/**
 * Why a transaction as a whole is refused; names not listed are passed on.
 *
 * @see https://docs.rs/solana-transaction-error/latest/solana_transaction_error/enum.TransactionError.html (read 2026-11-21)
 */
export const TRANSACTION_ERRORS: Readonly<Record<string, ProgramError<typeof errorCodes>>> = {
  AccountInUse: full,
  AccountNotFound: { code: 'INSUFFICIENT_BALANCE', sentence: 'The wallet holds nothing, so it cannot pay the fee; fund it.' },
  ClusterMaintenance: full,
  InsufficientFundsForFee: { code: 'INSUFFICIENT_BALANCE', sentence: 'The wallet does not hold the fee; fund it.' },
  InsufficientFundsForRent: {
    code: 'INSUFFICIENT_BALANCE',
    sentence: 'An account would be left with less than the rent that it must hold, and with more than nothing; leave more in the wallet.',
  },
  InvalidAccountForFee: {
    sentence: 'The wallet is an account of a program, such as a stake account, and cannot pay a fee (InvalidAccountForFee); name a wallet.',
  },
  InvalidProgramForExecution: { sentence: 'One of its programs cannot be run (InvalidProgramForExecution).' },
  ProgramAccountNotFound: { sentence: 'One of its programs does not exist on this chain (ProgramAccountNotFound).' },
  SanitizeFailure: {
    code: 'TRANSACTION_INVALID',
    sentence: 'Its bytes are not in the form that the chain takes; pass what prepare returned.',
  },
  SignatureFailure: { code: 'SIGNATURE_INVALID', sentence: 'A signature does not fit it; sign the message as crafted.' },
  WouldExceedAccountDataBlockLimit: full,
  WouldExceedAccountDataTotalLimit: full,
  WouldExceedMaxAccountCostLimit: full,
  WouldExceedMaxBlockCostLimit: full,
  WouldExceedMaxVoteCostLimit: full,
}

/**
 * Errors of a program in the words that all programs share; names not listed are passed on.
 *
 * @see https://docs.rs/solana-instruction-error/latest/solana_instruction_error/enum.InstructionError.html (read 2026-11-21)
 */
export const INSTRUCTION_ERRORS: Readonly<Record<string, ProgramError<typeof errorCodes>>> = {
  ComputationalBudgetExceeded: {
    code: 'UNIT_LIMIT_TOO_LOW',
    sentence: 'Its limit of compute units is below what it needs by now; craft again.',
  },
  IncorrectProgramId: { sentence: 'An account belongs to another program than it should (IncorrectProgramId).' },
  InsufficientFunds: {
    code: 'INSUFFICIENT_BALANCE',
    sentence:
      'An account does not hold what is to be taken out of it, or would hold less than its rent, which may have risen since it was asked for; craft again.',
  },
  InvalidAccountData: { sentence: 'An account is in a state that does not allow it (InvalidAccountData).' },
  InvalidAccountOwner: { sentence: 'An account belongs to another program than it should (InvalidAccountOwner).' },
  MissingRequiredSignature: { code: 'AUTHORITY_OTHER', sentence: 'An account is under the authority of somebody else than the wallet.' },
  ProgramFailedToComplete: { sentence: 'A program broke off (ProgramFailedToComplete); craft again.' },
  UninitializedAccount: { sentence: 'An account is not initialized (UninitializedAccount).' },
}
