import { type Info, isServiceError, orLastGood, parseAmount, SettingsError } from '@svc/contract'
import { type AccountState, DECIMALS, readAccounts, readEpoch, readSlotSeconds } from '@svc/kit-svm'
import { VOTE_PROGRAM_ID } from '@svc/solana'
import { mintOf, TOKEN_ACCOUNT_BYTES } from './chain/accounts.ts'
import { readCommission } from './chain/commission.ts'
import type { PoolRecord } from './chain/pool.ts'
import { readPoolState, recordOf } from './chain/pool-state.ts'
import { type LiquidContext, poolOf } from './network.ts'
import { combinedFee, percentOf, ratesOf } from './yield.ts'

/** The service's own minimum of a deposit, in lamports; the program has none. */
const MIN_STAKE = parseAmount('0.003', DECIMALS)
/** Decimal places of a token, in its mint. @see https://docs.rs/spl-token/latest/spl_token/state/struct.Mint.html (read 2026-11-21) */
const MINT_DECIMALS = 44

/** Reads the terms of the pool from its account. @throws 502 POOL_UNREADABLE; 502, 503, 504 */
export async function info(ctx: LiquidContext): Promise<Info> {
  const { validator } = ctx.network
  const [{ record }, epochSeconds, commission] = await Promise.all([
    readPoolState(ctx, []),
    orLastGood(ctx, 'length of an epoch', readEpochSeconds(ctx)),
    validator === undefined ? 0 : orLastGood(ctx, "validator's commission", readCommission(ctx, validator)),
  ])
  const rates = epochSeconds === undefined ? undefined : ratesOf(record, record.last, epochSeconds)
  return {
    activationMinutes: 0,
    // SOL out of the reserve comes at once; a stake account that stands for it takes until the end of the epoch.
    deactivationMinutes: epochSeconds === undefined ? undefined : Math.ceil(Math.round(epochSeconds) / 60),
    withdrawalMinutes: 0,
    rewardFeePercent: commission === undefined ? undefined : combinedFee(commission, percentOf(record.epochFee)),
    withdrawalFeePercent: percentOf(record.solWithdrawalFee),
    aprPercent: rates === null ? null : rates?.aprPercent,
    apyPercent: rates === null ? null : rates?.apyPercent,
    maxSlashingPercent: 0,
    minStake: MIN_STAKE,
    maxStake: null,
    users: null,
    tvl: null,
  }
}

/** Length of an epoch by the slots of late. */
async function readEpochSeconds({ client }: LiquidContext): Promise<number> {
  const [slotSeconds, { slots }] = await Promise.all([readSlotSeconds(client), readEpoch(client)])
  return slots * slotSeconds
}

/**
 * Checks on the chain that the pool of the settings is the right one, and open to all.
 *
 * @throws a sentence when the pool is not the one of the settings or not open to all, or another account is not what the settings say
 */
export async function inspect(ctx: LiquidContext): Promise<void> {
  const { pool, mint } = poolOf(ctx.network)
  const { validator, referral_account } = ctx.network
  const addresses = [pool, mint, ...[validator, referral_account].filter((each) => each !== undefined)]
  const accounts = await readAccounts(ctx.client, addresses)
  const at = (address: string) => accounts[addresses.indexOf(address)] ?? null

  const record = poolRecord(ctx, at(pool))
  if (record.solDepositAuthority !== null)
    throw new SettingsError(`pool ${pool} is not open to all: deposits need a signature of ${record.solDepositAuthority}.`)
  if (record.solWithdrawAuthority !== null)
    throw new SettingsError(`pool ${pool} is not open to all: withdrawals need a signature of ${record.solWithdrawAuthority}.`)
  const decimals = at(mint)?.data[MINT_DECIMALS]
  if (decimals !== DECIMALS) throw new SettingsError(`mint ${mint} is no token with ${DECIMALS} decimals, as that of a pool has to be.`)
  if (validator !== undefined && at(validator)?.owner !== VOTE_PROGRAM_ID.toBase58())
    throw new SettingsError(
      `validator ${validator} is no vote account. The address of the vote account is needed, not that of the identity.`,
    )
  if (referral_account !== undefined) inspectReferral(referral_account, at(referral_account), record)
}

function poolRecord(ctx: LiquidContext, account: AccountState | null): PoolRecord {
  try {
    return recordOf(ctx, account)
  } catch (error) {
    if (isServiceError(error) && error.code === 'POOL_UNREADABLE') throw new SettingsError(`pool: ${error.message}`)
    throw error
  }
}

function inspectReferral(address: string, account: AccountState | null, { mint, tokenProgram }: PoolRecord): void {
  const isOfPool = account?.owner === tokenProgram && account.data.length >= TOKEN_ACCOUNT_BYTES && mintOf(account) === mint
  if (!isOfPool) throw new SettingsError(`referral_account ${address} is no token account of the pool's token ${mint}.`)
}
