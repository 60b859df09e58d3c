import { badGateway, type ServiceError } from '@svc/contract'
import type { LiquidContext } from './network.ts'

/** Samples of a minute each that are asked for: half a day. @see https://solana.com/docs/rpc/http/getrecentperformancesamples (read 2026-11-21) */
const SAMPLES = 720

/** Length of an epoch by the slots of late, in seconds. @throws 502, 503, 504 */
export async function readEpochSeconds({ client }: LiquidContext): Promise<number> {
  const [samples, epoch] = await Promise.all([
    client.rpc<unknown>('getRecentPerformanceSamples', [SAMPLES]),
    client.rpc<unknown>('getEpochInfo', [{ commitment: 'confirmed' }]),
  ])
  const sum = (name: string) => list(samples).reduce<number>((total, each) => total + measure(each, name), 0)
  const [seconds, slots] = [sum('samplePeriodSecs'), sum('numSlots')]
  if (seconds === 0 || slots === 0) throw malformed()
  return (measure(epoch, 'slotsInEpoch') * seconds) / slots
}

/**
 * What a validator keeps of its rewards from inflation, in percent.
 *
 * @throws 502, 503, 504
 * @see https://solana.com/docs/rpc/http/getvoteaccounts (read 2026-11-21)
 */
export async function readCommission({ client }: LiquidContext, vote: string): Promise<number> {
  const options = { commitment: 'confirmed', votePubkey: vote, keepUnstakedDelinquents: true }
  const answer = (await client.rpc<{ current?: unknown; delinquent?: unknown } | null>('getVoteAccounts', [options])) ?? {}
  const row = [...list(answer.current), ...list(answer.delinquent)].find((each) => memberOf(each, 'votePubkey') === vote)
  // Newer nodes say it in basis points, too; the percents beside them are cut.
  return memberOf(row, 'inflationRewardsCommissionBps') == null
    ? measure(row, 'commission')
    : measure(row, 'inflationRewardsCommissionBps') / 100
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed()
  return value
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

/** For rates and times; never for an amount. */
function measure(value: unknown, name: string): number {
  const found = memberOf(value, name)
  if (typeof found !== 'number' || !(found >= 0)) throw malformed()
  return found
}

function malformed(): ServiceError {
  return badGateway('UPSTREAM_ERROR', "The chain's node gave an answer of another form; try again.")
}
