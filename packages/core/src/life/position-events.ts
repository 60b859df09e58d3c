import { formatAmount } from '@svc/contract'
import type { Looks } from '../plugins/life/follow.ts'
import type { NewEvent } from '../webhooks/events.ts'
import type { Power } from './kept-position.ts'
import type { PositionNews } from './position-news.ts'
import { keyOf } from './units.ts'
import type { Watch } from './watches.ts'

/** Most units, and most holders of a power, that an event names; their total number is in the event too. A body has 20,000 bytes at most. */
const MOST_NAMED = 20
/** Longest text of an address or of terms in an event, in characters: an address of any chain is shorter. */
const LONGEST = 200

/** Reading of a wallet from which events are made. */
export interface Seen {
  readonly watch: Watch
  readonly looks: Pick<Looks, 'caip2' | 'decimals' | 'symbol'>
  /** Number of readings of the wallet so far that have caused an event. */
  readonly step: number
  readonly at: Date
  /** Time of the reading before; null: there was none. */
  readonly before: Date | null
  /** Number of endpoints that report the changes which no followed transaction explains; null: there are none. */
  readonly confirmedBy: number | null
}

/** Makes the event of one of the news of a reading. */
export function newsEvent(seen: Seen, { type, object, amount, tells }: PositionNews): NewEvent {
  const { watch, looks, step, at } = seen
  const { account, protocol, wallet } = watch
  const data = {
    network: looks.caip2,
    protocol,
    wallet,
    object_id: object?.id ?? (tells?.units.length === 1 ? (tells.units[0] ?? null) : null),
    object_type: object?.type ?? null,
    amount: amount === null ? null : { amount: formatAmount(amount, looks.decimals), unit: looks.symbol },
    validator: object?.validator ?? tells?.validator ?? null,
    withdrawable_at: object?.withdrawableAt ?? null,
    withdrawable_epoch: object?.withdrawableEpoch ?? null,
    ...(tells === undefined ? {} : toldFrom(seen, tells)),
    step,
  }
  const isDue = type === 'position.withdrawable' || type === 'position.withdrawn'
  const maturity = isDue ? object?.withdrawableAt : null
  const time = maturity && maturity < at ? maturity : at
  return {
    account,
    type,
    subject: `${looks.caip2} ${wallet}`,
    transition: `${protocol} ${subjectOf(object, tells)} step ${step}`,
    time,
    protocol,
    data,
  }
}

/** Names what an event is about, so that no two of one reading have the same name. */
function subjectOf(object: PositionNews['object'], tells: PositionNews['tells']): string {
  if (tells === undefined) return object === null ? 'all' : keyOf(object)
  const { units, aspects, cause, holder, before, after, validator } = tells
  return JSON.stringify([
    aspects?.[0] ?? cause ?? validator ?? null,
    holder ?? null,
    units[0] ?? null,
    before?.[0] ?? null,
    after?.[0] ?? null,
  ])
}

/** Writes what an event tells of a change that came from elsewhere. */
function toldFrom({ at, before: since, confirmedBy, looks }: Seen, tells: NonNullable<PositionNews['tells']>) {
  const { severity, units, aspects, before = [], after = [], cause, holder, to, percent, undoUntil, announced } = tells
  return {
    severity,
    object_ids: units.slice(0, MOST_NAMED),
    objects: units.length,
    ...(aspects === undefined
      ? {}
      : {
          aspect: aspects[0],
          aspects: aspects.slice(0, MOST_NAMED),
          before: named(before, looks),
          after: named(after, looks),
          changes: before.length + after.length,
        }),
    ...(cause === undefined ? {} : { cause }),
    ...(holder === undefined ? {} : { holder: holder && cut(holder) }),
    ...(to === undefined ? {} : { validators: to.slice(0, MOST_NAMED) }),
    ...(percent === undefined ? {} : { percent }),
    ...expectedFrom(announced),
    ...(undoUntil === undefined ? {} : { undo_until: undoUntil }),
    last_seen_without: since,
    first_seen_with: at,
    confirmed_by: confirmedBy,
  }
}

/** Names the powers that were announced, and own addresses that have gained one, where there are any. */
function expectedFrom(announced: NonNullable<PositionNews['tells']>['announced'] = []) {
  const aspects = announced.flatMap(({ aspect }) => (aspect === null ? [] : [aspect]))
  const own = announced.flatMap(({ aspect, holder }) => (aspect === null ? [cut(holder)] : []))
  return {
    ...(aspects.length === 0 ? {} : { announced: aspects }),
    ...(own.length === 0 ? {} : { own_addresses: own.slice(0, MOST_NAMED) }),
  }
}

function named(powers: readonly Power[], { decimals, symbol }: Seen['looks']) {
  return powers.slice(0, MOST_NAMED).map(({ aspect, holder, terms, limit }) => ({
    aspect,
    holder: holder && cut(holder),
    terms: terms && cut(terms),
    limit: limit === undefined ? null : { amount: formatAmount(BigInt(limit), decimals), unit: symbol },
  }))
}

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`
}

/** Makes the event of rewards that have come to thresholds. @param to receivers whose thresholds these are */
export function rewardsEvent({ watch, looks, step, at: time }: Seen, rewards: bigint, to: readonly string[]): NewEvent {
  const { account, protocol, wallet } = watch
  const { caip2, decimals, symbol } = looks
  const amount = formatAmount(rewards, decimals)
  return {
    account,
    type: 'position.rewards_claimable',
    subject: `${caip2} ${wallet}`,
    transition: `${protocol} rewards step ${step}`,
    time,
    protocol,
    rewards: amount,
    to,
    data: { network: caip2, protocol, wallet, rewards: { amount, unit: symbol }, step },
  }
}
