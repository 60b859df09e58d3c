import { type Info, orLastGood, SettingsError, wholeMinutes } from '@svc/contract'
import { readAccounts, readEpoch, readSlotSeconds, readVoteAccounts, type VoteAccount } from '@svc/kit-svm'
import { VOTE_PROGRAM_ID } from '@svc/solana'
import { countDelegators } from './chain/delegators.ts'
import { readInflation, readSupply } from './chain/inflation.ts'
import { readLeastStake } from './chain/least-stake.ts'
import { idleness, readVoteAccount } from './chain/vote-accounts.ts'
import type { NativeContext } from './network.ts'
import { annualRate, annualYield, performanceOf, type Voter } from './yield.ts'

/** Reads the terms of delegating to the operator's validator, all of them measured on the chain. */
export async function info(ctx: NativeContext): Promise<Info> {
  const { client, network } = ctx
  const [minStake, epoch, slotSeconds, votes, inflation, supply, delegators] = await Promise.all([
    orLastGood(ctx, 'the least stake', readLeastStake(ctx)),
    orLastGood(ctx, 'the epoch', readEpoch(client)),
    orLastGood(ctx, 'the time of a slot', readSlotSeconds(client)),
    orLastGood(
      ctx,
      'the vote accounts',
      readVoteAccounts(client, (all) => all),
    ),
    orLastGood(ctx, 'inflation', readInflation(client)),
    orLastGood(ctx, 'the supply', readSupply(client)),
    orLastGood(ctx, 'the delegators', countDelegators(ctx)),
  ])
  const own = votes?.find(({ address }) => address === network.validator)
  if (votes && !own) ctx.log.warn({ network: network.chainId }, `staking-info: ${network.validator} is not among the vote accounts`)
  const epochSeconds = epoch && slotSeconds && epoch.slots * slotSeconds
  const epochMinutes = epochSeconds && wholeMinutes(epochSeconds / 60)
  const rate =
    votes && epoch && inflation !== undefined && supply !== undefined ? rateOf(own, votes, epoch.number, inflation, supply) : undefined
  return {
    activationMinutes: epochMinutes,
    deactivationMinutes: epochMinutes,
    withdrawalMinutes: 0,
    rewardFeePercent: own?.commissionPercent,
    withdrawalFeePercent: 0,
    aprPercent: rate,
    apyPercent: rate === undefined || epochSeconds === undefined ? undefined : annualYield(rate, epochSeconds),
    maxSlashingPercent: 0,
    minStake,
    maxStake: null,
    users: delegators?.users,
    tvl: own?.activatedStake,
    unfinished: delegators?.unfinished ?? false,
  }
}

/**
 * Checks on the chain that the validator of the settings votes, and pays its delegators.
 *
 * @throws a sentence when the operator's validator is no vote account, does not vote, or pays its delegators nothing
 */
export async function inspect({ client, network: { validator } }: NativeContext): Promise<void> {
  const [[account], vote] = await Promise.all([readAccounts(client, [validator]), readVoteAccount(client, validator)])
  if (!account) throw new SettingsError(`validator ${validator} does not exist on this chain.`)
  if (account.owner !== VOTE_PROGRAM_ID.toBase58())
    throw new SettingsError(
      `validator ${validator} is no vote account: it belongs to the program ${account.owner}. The address of the vote account is needed, not that of the identity.`,
    )
  const idle = idleness(vote)
  if (idle) throw new SettingsError(`validator ${validator} ${idle.reason}.`)
}

function rateOf(own: VoteAccount | undefined, all: readonly VoteAccount[], epoch: number, inflation: number, supply: number): number {
  if (!own || idleness(own) !== null) return 0
  const voters = all.map(voterOf)
  return annualRate({
    inflation,
    supply,
    staked: voters.reduce((sum, { stake }) => sum + stake, 0),
    commission: own.commissionPercent / 100,
    performance: performanceOf(voterOf(own), voters, epoch - 1),
  })
}

/** For a ratio. */
function voterOf({ activatedStake, credits }: VoteAccount): Voter {
  return { stake: Number(activatedStake), credits }
}
