import type { errorCodes } from '../codes.ts'
import type { ErrorTable, ProgramError } from './table.ts'

/** Errors that all programs share, where the stake program means something of its own. Same source as those in transaction.ts. */
export const STAKE_INSTRUCTION_ERRORS: Readonly<Record<string, ProgramError<typeof errorCodes>>> = {
  InsufficientFunds: {
    code: 'INSUFFICIENT_STAKE',
    sentence:
      'A stake account does not hold what is to be taken out of it, or would keep less than its rent, as when lamports came in meanwhile; give a smaller amount.',
  },
}

/** @see https://docs.rs/solana-stake-interface/latest/solana_stake_interface/error/enum.StakeError.html (read 2026-11-21) */
export const STAKE_ERRORS: ErrorTable<typeof errorCodes> = {
  0: { sentence: 'There are no credits to redeem (NoCreditsToRedeem).' },
  1: { code: 'STAKE_LOCKED', sentence: 'The stake account is under a lockup that has not ended, so only its custodian could free it.' },
  2: { code: 'STAKE_DEACTIVATED', sentence: 'The stake account is deactivated already; withdraw from it when that has come into force.' },
  3: { sentence: 'The stake account was redelegated in this epoch already (TooSoonToRedelegate).' },
  4: { sentence: 'The stake account does not hold enough stake (InsufficientStake).' },
  5: { sentence: 'A stake account that is coming or going cannot be merged (MergeTransientStake).' },
  6: { sentence: 'The stake accounts differ too much to be merged (MergeMismatch).' },
  7: { code: 'STAKE_LOCKED', sentence: 'The stake account has a custodian, who was not named (CustodianMissing).' },
  8: { code: 'STAKE_LOCKED', sentence: 'The stake account has a custodian, who would have to sign (CustodianSignatureMissing).' },
  9: { sentence: 'The vote account to compare with has voted too little (InsufficientReferenceVotes).' },
  10: { sentence: 'The stake account is delegated to another vote account (VoteAddressMismatch).' },
  11: { sentence: 'The validator has not been silent for long enough (MinimumDelinquentEpochsForDeactivationNotMet).' },
  12: { code: 'STAKE_TOO_SMALL', sentence: 'A stake account would have less than the chain takes to delegate; give a larger amount.' },
  13: { sentence: 'A stake account that is coming, going or gone cannot be redelegated (RedelegateTransientOrInactiveStake).' },
  14: { sentence: 'The stake account is delegated to that validator already (RedelegateToSameVoteAccount).' },
  15: {
    sentence:
      'A redelegated stake must become active before it is deactivated (RedelegatedStakeMustFullyActivateBeforeDeactivationIsPermitted).',
  },
  16: {
    code: 'EPOCH_REWARDS',
    sentence: 'The chain is paying out the rewards of the last epoch, and changes no stake account meanwhile; try again in a minute.',
    status: 503,
  },
}
