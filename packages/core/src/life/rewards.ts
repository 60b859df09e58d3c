import { core } from '../db/drizzle.ts'
import type { WorkDatabase } from '../db/work.ts'
import { ask, type Work } from '../db/work.ts'
import { passes } from '../webhooks/event-types.ts'
import { webhookOf } from '../webhooks/webhook-row.ts'

const { sql } = core()

/** A receiver of events about claimable rewards, and the amount from which on it wants them. */
interface RewardsThreshold {
  readonly webhook: string
  /** Decimal text in whole tokens. */
  readonly threshold: string
}

/** Reads the thresholds for rewards that the webhooks of an account have for a protocol. */
export function* thresholdsOf(_database: WorkDatabase, account: string, protocol: string): Work<readonly RewardsThreshold[]> {
  const rows = yield* ask(
    sql`select * from svc_webhooks where account = ${account} and status <> 'disabled' and rewards_threshold is not null order by ulid`,
  )
  return rows.map(webhookOf).flatMap(({ ulid, events, protocols, rewardsThreshold }) => {
    const threshold = rewardsThreshold?.[protocol]
    const isSubscriber = passes(events, 'position.rewards_claimable') && (protocols === null || protocols.includes(protocol))
    return threshold === undefined || !isSubscriber ? [] : [{ webhook: ulid, threshold }]
  })
}

/** Thresholds that the rewards have crossed, and the next one. */
interface Crossed {
  /** Receivers whose threshold was crossed since the reading before. */
  readonly now: readonly string[]
  /** All thresholds that the rewards have reached, by receiver, to be kept for the next reading. */
  readonly told: Readonly<Record<string, string>>
  /** Lowest threshold that the rewards have not reached, in base units; null: there is none. */
  readonly next: bigint | null
}

/** Tells which thresholds are crossed: each is told once, and again after it was fallen below. @param rewards base units */
export function crossed(
  rewards: bigint | null,
  previous: Readonly<Record<string, string>>,
  thresholds: readonly RewardsThreshold[],
  decimals: number,
): Crossed {
  if (rewards === null) return { now: [], told: {}, next: null }
  const reached = thresholds.filter(({ threshold }) => rewards >= unitsOf(threshold, decimals))
  const open = thresholds.filter((each) => !reached.includes(each)).map(({ threshold }) => unitsOf(threshold, decimals))
  return {
    now: reached.filter(({ webhook, threshold }) => previous[webhook] !== threshold).map(({ webhook }) => webhook),
    told: Object.fromEntries(reached.map(({ webhook, threshold }) => [webhook, threshold])),
    next: open.reduce<bigint | null>((least, each) => (least === null || each < least ? each : least), null),
  }
}

/** Converts a decimal text in whole tokens to base units. A remainder below one unit counts as one, so that nothing is told below a threshold. */
export function unitsOf(decimal: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.')
  const finer = /[1-9]/.test(fraction.slice(decimals)) ? 1n : 0n
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0')) + finer
}

/**
 * Estimates the time until rewards come to an amount, in milliseconds, if the rewards go on as they did; null: they do not grow.
 *
 * @param before base units, and how long ago in milliseconds
 */
export function growsIn(to: bigint, rewards: bigint, before: { readonly rewards: bigint; readonly agoMs: number }): number | null {
  const grown = rewards - before.rewards
  if (grown <= 0n || before.agoMs <= 0) return null
  const ms = ((to - rewards) * BigInt(Math.round(before.agoMs))) / grown
  return ms > BigInt(Number.MAX_SAFE_INTEGER) ? null : Math.max(0, Number(ms))
}
