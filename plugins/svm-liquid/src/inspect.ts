import { VOTE_PROGRAM_ID } from '@solana/web3.js'
import { isServiceError, SettingsError } from '@svc/contract'
import { type AccountState, DECIMALS, readAccounts } from '@svc/kit-svm'
import { mintOf, TOKEN_ACCOUNT_BYTES } from './accounts.ts'
import { recordOf } from './chain.ts'
import { type LiquidContext, poolOf } from './network.ts'
import type { PoolRecord } from './record.ts'

/** Decimal places of a token, in its mint. @see https://docs.rs/spl-token/latest/spl_token/state/struct.Mint.html (read 2026-11-21) */
const MINT_DECIMALS = 44

/** @throws a sentence when the pool is not the one of the settings or not open to all, or another account is not what the settings say */
export async function inspect(ctx: LiquidContext): Promise<void> {
  const { pool, mint } = poolOf(ctx.network)
  const { validator, referral_account } = ctx.network
  const asked = [pool, mint, ...[validator, referral_account].filter((each) => each !== undefined)]
  const found = await readAccounts(ctx.client, asked)
  const at = (address: string) => found[asked.indexOf(address)] ?? null

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
