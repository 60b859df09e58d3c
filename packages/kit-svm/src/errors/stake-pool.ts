import type { errorCodes } from '../codes.ts'
import type { ErrorTable, ProgramError } from './table.ts'

const updating: ProgramError<typeof errorCodes> = {
  code: 'POOL_UPDATING',
  sentence: 'The stake pool has not been brought up to date since the epoch began, which takes some minutes; try again then.',
  status: 503,
}

/** @see https://docs.rs/spl-stake-pool/latest/spl_stake_pool/error/enum.StakePoolError.html (read 2026-11-21) */
export const STAKE_POOL_ERRORS: ErrorTable<typeof errorCodes> = {
  0: { sentence: 'The account is in use already (AlreadyInUse).' },
  1: { sentence: 'The withdraw authority is not that of the stake pool (InvalidProgramAddress).' },
  2: { sentence: 'The stake pool, or a stake account of it, is in a state that does not allow it (InvalidState).' },
  3: { code: 'POOL_CALCULATION', sentence: 'The stake pool could not compute with that amount; give another one.' },
  4: { sentence: 'A fee of the stake pool is above what it may be (FeeTooHigh).' },
  5: { sentence: 'A token account is of another mint than the pool token (WrongAccountMint).' },
  6: { sentence: 'The manager is not that of the stake pool (WrongManager).' },
  7: { sentence: 'A signature that the stake pool needs is missing (SignatureMissing).' },
  8: { sentence: 'The validator list is not that of the stake pool (InvalidValidatorStakeList).' },
  9: { sentence: 'The account for fees is not that of the stake pool (InvalidFeeAccount).' },
  10: { sentence: 'The mint is not that of the pool token (WrongPoolMint).' },
  11: { sentence: 'A stake account is in a state that the stake pool does not take (WrongStakeStake).' },
  12: { sentence: 'The stake account is not active (UserStakeNotActive).' },
  13: { sentence: 'The stake pool has that validator already (ValidatorAlreadyAdded).' },
  14: { sentence: 'The stake pool does not have that validator (ValidatorNotFound).' },
  15: { sentence: 'The address of a stake account does not follow from its validator (InvalidStakeAccountAddress).' },
  16: updating,
  17: updating,
  18: { sentence: 'The stake pool does not know the stake account of a validator (UnknownValidatorStakeAccount).' },
  19: { sentence: 'The mint of the pool token is under another authority (WrongMintingAuthority).' },
  20: { sentence: 'The validator list has another length than the stake pool takes (UnexpectedValidatorListAccountSize).' },
  21: { sentence: 'The staker is not that of the stake pool (WrongStaker).' },
  22: { sentence: 'There are pool tokens already (NonZeroPoolTokenSupply).' },
  23: {
    code: 'POOL_STAKE_TOO_SMALL',
    sentence: "A validator's stake in the pool would fall below what must stay there; give a smaller amount, or try again later.",
  },
  24: { sentence: 'The stake pool takes deposits for its preferred validator only (IncorrectDepositVoteAddress).' },
  25: {
    code: 'POOL_STAKE_MOVED',
    sentence: 'The stake pool has to pay from the stake of another validator meanwhile (IncorrectWithdrawVoteAddress); craft again.',
  },
  26: { sentence: 'The mint of the pool token has a freeze authority (InvalidMintFreezeAuthority).' },
  27: { sentence: 'A fee of the stake pool would rise too fast (FeeIncreaseTooHigh).' },
  28: { code: 'AMOUNT_TOO_SMALL', sentence: 'So few pool tokens are worth nothing after the fee; give a larger amount.' },
  29: { code: 'AMOUNT_TOO_SMALL', sentence: 'So small a deposit gives no pool token after the fee; give a larger amount.' },
  30: {
    code: 'POOL_CLOSED',
    sentence: 'The stake pool takes deposits of stake only with a signature of its own (InvalidStakeDepositAuthority).',
  },
  31: { code: 'POOL_CLOSED', sentence: 'The stake pool takes deposits only with a signature of its own (InvalidSolDepositAuthority).' },
  32: { sentence: 'The preferred validator is not one of the stake pool (InvalidPreferredValidator).' },
  33: { sentence: 'A transient stake account of the pool is in use (TransientAccountInUse).' },
  34: { code: 'POOL_CLOSED', sentence: 'The stake pool pays out only with a signature of its own (InvalidSolWithdrawAuthority).' },
  35: {
    code: 'POOL_RESERVE_TOO_SMALL',
    sentence: 'The reserve of the stake pool does not hold that much now; give a smaller amount, or try again later.',
  },
  36: { sentence: 'The metadata account is not that of the pool token (InvalidMetadataAccount).' },
  37: { sentence: 'The mint of the pool token has an extension that is not supported (UnsupportedMintExtension).' },
  38: { sentence: 'The account for fees has an extension that is not supported (UnsupportedFeeAccountExtension).' },
  39: {
    code: 'POOL_RATE_MOVED',
    sentence: 'The rate of the stake pool has moved further than was allowed for when this was crafted (ExceededSlippage); craft again.',
  },
  40: { sentence: 'The mint of the pool token has other decimals than SOL (IncorrectMintDecimals).' },
  41: {
    code: 'POOL_RESERVE_TOO_SMALL',
    sentence: 'The reserve of the stake pool would be emptied (ReserveDepleted); give a smaller amount, or try again later.',
  },
  42: { sentence: 'A system variable that the stake pool needs is missing (MissingRequiredSysvar).' },
  43: {
    code: 'EPOCH_REWARDS',
    sentence: 'The chain is paying out the rewards of the last epoch, and changes no stake account meanwhile; try again in a minute.',
    status: 503,
  },
  44: { sentence: 'The stake pool has as many validators as it can have (TooManyValidatorsInPool).' },
}
