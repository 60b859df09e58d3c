import type { Obstacle } from '@svc/contract'
import type { PublicKey } from '@svc/solana'
import { type StakePool, StakePoolLayout, type ValidatorList, ValidatorListLayout } from '@svc/solana/stake-pool'
import { type Fee, type NextFees, readNextFees } from './next-fees.ts'

export type { Fee }

/** A pool as the chain has it. Addresses are base58, amounts base units. */
export interface PoolRecord {
  /** Address that may set fees and authorities, and hand the pool over. */
  readonly manager: string
  /** Address that may choose the pool's validators. */
  readonly staker: string
  /** Who must sign deposits of stake; an address of the program's own lets anybody. */
  readonly stakeDepositAuthority: string
  readonly validatorList: string
  readonly reserve: string
  readonly mint: string
  readonly managerFeeAccount: string
  readonly tokenProgram: string
  readonly totalLamports: bigint
  /** Pool tokens there are. */
  readonly supply: bigint
  /** Epoch in which the books were last made up. */
  readonly updatedEpoch: bigint
  readonly epochFee: Fee
  readonly stakeDepositFee: Fee
  /** Fees that are announced; null where none is. */
  readonly next: NextFees
  readonly solDepositFee: Fee
  /** Percent of the deposit fee that goes to who referred it. */
  readonly solReferralFee: number
  readonly solWithdrawalFee: Fee
  readonly stakeWithdrawalFee: Fee
  /** Who must sign deposits or withdrawals of SOL besides; null when nobody must. */
  readonly solDepositAuthority: string | null
  readonly solWithdrawAuthority: string | null
  /** Vote account whose stake leaves first. */
  readonly preferredWithdraw: string | null
  /** The books of the update before. */
  readonly last: { readonly totalLamports: bigint; readonly supply: bigint }
}

/** A validator of a pool. */
export interface PoolValidator {
  readonly vote: string
  /** Suffix of the seeds of its stake account; 0 for none. */
  readonly seed: number
  /** Rent included. */
  readonly activeLamports: bigint
  /** True if the validator is not about to be removed. */
  readonly active: boolean
}

const POOL_TYPE = 1
const LIST_TYPE = 2
const ACTIVE = 0

/**
 * Reads a stake pool from the data of its account.
 *
 * @see https://docs.rs/spl-stake-pool/2.0.1/spl_stake_pool/state/struct.StakePool.html (read 2026-11-21)
 * @throws a sentence when the bytes are no pool's
 */
export function readPool(data: Uint8Array): PoolRecord {
  const record: StakePool = StakePoolLayout.decode(Buffer.from(data))
  if (Number(record.accountType) !== POOL_TYPE)
    throw new RangeError(`its account type is ${record.accountType}, and a pool's is ${POOL_TYPE}`)
  return {
    manager: record.manager.toBase58(),
    staker: record.staker.toBase58(),
    stakeDepositAuthority: record.stakeDepositAuthority.toBase58(),
    validatorList: record.validatorList.toBase58(),
    reserve: record.reserveStake.toBase58(),
    mint: record.poolMint.toBase58(),
    managerFeeAccount: record.managerFeeAccount.toBase58(),
    tokenProgram: record.tokenProgramId.toBase58(),
    totalLamports: units(record.totalLamports),
    supply: units(record.poolTokenSupply),
    updatedEpoch: units(record.lastUpdateEpoch),
    epochFee: feeOf(record.epochFee),
    stakeDepositFee: feeOf(record.stakeDepositFee),
    next: readNextFees(Buffer.from(data), units(record.lastUpdateEpoch)),
    solDepositFee: feeOf(record.solDepositFee),
    solReferralFee: record.solReferralFee,
    solWithdrawalFee: feeOf(record.solWithdrawalFee),
    stakeWithdrawalFee: feeOf(record.stakeWithdrawalFee),
    solDepositAuthority: optional(record.solDepositAuthority),
    solWithdrawAuthority: optional(record.solWithdrawAuthority),
    preferredWithdraw: optional(record.preferredWithdrawValidatorVoteAddress),
    last: { totalLamports: units(record.lastEpochTotalLamports), supply: units(record.lastEpochPoolTokenSupply) },
  }
}

/**
 * Reads a pool's list of validators, with the lamports that it has staked with each.
 *
 * @see https://docs.rs/spl-stake-pool/2.0.1/spl_stake_pool/state/struct.ValidatorStakeInfo.html (read 2026-11-21)
 * @throws a sentence when the bytes are no pool's list of validators
 */
export function readValidators(data: Uint8Array): readonly PoolValidator[] {
  const record: ValidatorList = ValidatorListLayout.decode(Buffer.from(data))
  if (record.accountType !== LIST_TYPE) throw new RangeError(`its account type is ${record.accountType}, and a list's is ${LIST_TYPE}`)
  return record.validators.map((each) => ({
    vote: each.voteAccountAddress.toBase58(),
    // The library's layout is from before this number: it reads an unused one and this, of 32 bits each, as one of 64.
    seed: Number(units(each.transientSeedSuffixEnd) >> 32n),
    activeLamports: units(each.activeStakeLamports),
    active: Number(each.status) === ACTIVE,
  }))
}

/** Returns the reason why the pool takes no deposits; null where it does. The actions and the shown state use this one rule. */
export function obstacleOf({ solDepositAuthority: authority }: Pick<PoolRecord, 'solDepositAuthority'>): Obstacle | null {
  return authority === null ? null : { state: 'paused', reason: `takes deposits only with a signature of ${authority}` }
}

/** The library's big numbers, as whatever they print. */
function units(number: { toString(base: 10): string }): bigint {
  return BigInt(number.toString(10))
}

function feeOf(fee: { readonly numerator: { toString(base: 10): string }; readonly denominator: { toString(base: 10): string } }): Fee {
  return { numerator: units(fee.numerator), denominator: units(fee.denominator) }
}

function optional(key: PublicKey | null | undefined): string | null {
  return key ? key.toBase58() : null
}
