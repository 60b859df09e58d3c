import type { Info } from '@svc/contract'
import { readAccounts, type SvmClient } from '@svc/kit-svm'
import { findAccounts, listOf, malformed, measureOf, memberOf } from './answers.ts'
import { CLOCK, nowOf, STAKE_HISTORY, STAKE_PROGRAM } from './chain-state.ts'
import { activationAt } from './effective.ts'
import { readLeastStake } from './minimum.ts'
import type { NativeContext } from './network.ts'
import type { Now } from './position.ts'
import { decodeHolding, NEVER, OFFSET, STAKE_SPACE } from './stake-account.ts'
import { readVoteAccounts, type VoteAccount } from './votes.ts'
import { annualRate, annualYield, performanceOf } from './yield.ts'

/** Discriminant of a delegated stake account, four bytes, in base58. */
const DELEGATED = '3xyZh'

/** An epoch as it is now. */
interface Epoch {
  readonly number: number
  readonly slots: number
}

/** Terms of delegating to the operator's validator, every one of them measured on the chain. */
export async function info(ctx: NativeContext): Promise<Info> {
  const { client, network } = ctx
  const [minStake, epoch, slotSeconds, votes, inflation, supply, users] = await Promise.all([
    orMissing(ctx, 'the least stake', readLeastStake(ctx)),
    orMissing(ctx, 'the epoch', readEpoch(client)),
    orMissing(ctx, 'the time of a slot', readSlotSeconds(client)),
    orMissing(ctx, 'the vote accounts', readVoteAccounts(client)),
    orMissing(ctx, 'inflation', readInflation(client)),
    orMissing(ctx, 'the supply', readSupply(client)),
    orMissing(ctx, 'the delegators', countDelegators(client, network.validator)),
  ])
  const own = votes?.find(({ address }) => address === network.validator)
  if (votes && !own) ctx.log.warn({ network: network.chainId }, `staking-info: ${network.validator} is not among the vote accounts`)
  const epochSeconds = epoch && slotSeconds && epoch.slots * slotSeconds
  const epochMinutes = epochSeconds && Math.ceil(roundOff(epochSeconds / 60))
  const rate = own && epoch && inflation !== undefined && supply !== undefined ? rateOf(own, votes!, epoch, inflation, supply) : undefined
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
    users,
    tvlUsd: null,
    tvl: own?.activatedStake,
  }
}

function rateOf(own: VoteAccount, all: readonly VoteAccount[], epoch: Epoch, inflation: number, supply: number): number {
  return annualRate({
    inflation,
    supply,
    staked: all.reduce((sum, { stake }) => sum + stake, 0),
    commission: own.commissionPercent / 100,
    performance: own.delinquent ? 0 : performanceOf(own, all, epoch.number - 1),
  })
}

/** @see https://solana.com/docs/rpc/http/getepochinfo (read 2026-11-21) */
async function readEpoch({ rpc }: SvmClient): Promise<Epoch> {
  const answer = await rpc<unknown>('getEpochInfo', [{ commitment: 'confirmed' }])
  const slots = measureOf(memberOf(answer, 'slotsInEpoch'))
  if (slots === 0) throw malformed()
  return { number: measureOf(memberOf(answer, 'epoch')), slots }
}

/** Over the last hours: a sample a minute. @see https://solana.com/docs/rpc/http/getrecentperformancesamples (read 2026-11-21) */
async function readSlotSeconds({ rpc }: SvmClient): Promise<number> {
  const samples = listOf(await rpc<unknown>('getRecentPerformanceSamples', [720]))
  const sum = (name: string) => samples.reduce<number>((total, sample) => total + measureOf(memberOf(sample, name)), 0)
  const [seconds, slots] = [sum('samplePeriodSecs'), sum('numSlots')]
  if (seconds === 0 || slots === 0) throw malformed()
  return seconds / slots
}

/** The part that goes to validators and their delegators, as a yearly fraction of the supply. */
async function readInflation({ rpc }: SvmClient): Promise<number> {
  return measureOf(memberOf(await rpc<unknown>('getInflationRate', []), 'validator'))
}

/** In lamports, for a ratio. */
async function readSupply({ rpc }: SvmClient): Promise<number> {
  const answer = await rpc<unknown>('getSupply', [{ commitment: 'confirmed', excludeNonCirculatingAccountsList: true }])
  return measureOf(memberOf(memberOf(answer, 'value'), 'total'))
}

/** Owners of stake with a validator that has not cooled down. */
async function countDelegators(client: SvmClient, validator: string): Promise<number> {
  const filters = [
    { dataSize: STAKE_SPACE },
    { memcmp: { offset: OFFSET.discriminant, bytes: DELEGATED } },
    { memcmp: { offset: OFFSET.voter, bytes: validator } },
  ]
  const slice = { offset: OFFSET.withdrawer, length: OFFSET.deactivationEpochEnd - OFFSET.withdrawer }
  const [accounts, [clock, history]] = await Promise.all([
    findAccounts(client, STAKE_PROGRAM, filters, slice),
    readAccounts(client, [CLOCK, STAKE_HISTORY]),
  ])
  const now = nowOf(clock, history)
  const owners = new Set<string>()
  for (const { data } of accounts) {
    const holding = decodeHolding(data)
    if (!holding) throw malformed()
    if (holds(holding.delegation, now)) owners.add(holding.withdrawer)
  }
  return owners.size
}

function holds(delegation: Parameters<typeof activationAt>[0], { clock, history }: Now): boolean {
  return delegation.deactivationEpoch === NEVER || activationAt(delegation, clock.epoch, history).effective > 0n
}

/** A value whose source may fail: its last good one then stays. */
async function orMissing<T>(ctx: NativeContext, what: string, value: Promise<T>): Promise<T | undefined> {
  try {
    return await value
  } catch (error) {
    ctx.log.warn({ err: error, network: ctx.network.chainId }, `staking-info: ${what} could not be read; the last good value stays`)
    return undefined
  }
}

/** Takes the dust of binary fractions off minutes before they are rounded up. */
function roundOff(minutes: number): number {
  return Math.round(minutes * 1e6) / 1e6
}
