import type { Condition } from '@svc/contract'
import { core } from '../db/drizzle.ts'
import { FARTHEST_MS, holdsLease, type Lease } from '../db/leases.ts'
import { ask, timeOf, type Work, type WorkDatabase } from '../db/work.ts'
import type { Accounts } from '../plugins/accounts.ts'
import type { Conditions } from '../plugins/conditions.ts'
import type { ConditionReading } from '../plugins/network/condition-keeper.ts'
import type { NetworkSettings } from '../plugins/services.ts'
import type { EventType } from '../webhooks/event-types.ts'
import type { NewEvent } from '../webhooks/events.ts'
import type { Stream, StreamParts } from './follower.ts'
import type { StreamPlace } from './transactions.ts'
import { watchers } from './watches.ts'

const { sql } = core()

/** Events of a state that are told as soon as it begins. */
const TOLD: Partial<Record<Condition['state'], EventType>> = { jailed: 'validator.jailed', left: 'validator.left', paused: 'pool.paused' }
/** Milliseconds for which a validator has to be inactive before that is told: on some chains the state comes and goes with each epoch. */
const STANDS_MS = 3_600_000

interface Kept {
  readonly state: Condition['state']
  readonly commission: number | null
  readonly since: Date
  readonly takenAt: Date
  readonly changes: number
}

interface ConditionParts extends StreamParts {
  readonly accounts: Pick<Accounts, 'ids'>
  readonly conditions: Pick<Conditions, 'of'>
}

/** Compares what plugins read of their validators and pools with what was told last, once for all accounts. */
export function createConditionStream({ networks, accounts, conditions, events, now }: ConditionParts): Stream {
  /** Readings that are compared already. */
  const compared = new Map<NetworkSettings, ConditionReading>()

  function* settle(database: WorkDatabase, place: StreamPlace, settings: NetworkSettings, reading: ConditionReading): Work<void> {
    const { path } = settings
    const rows = yield* ask(sql`select * from svc_conditions where place = ${path}`)
    const previous = new Map(rows.map((row) => [`${row.kind} ${row.id}`, keptOf(row)]))
    // Another replica may have read it since, with a better clock; what was read later than now was read while a clock was ahead.
    const latest = now().getTime() + FARTHEST_MS
    if ([...previous.values()].some(({ takenAt }) => takenAt >= reading.takenAt && takenAt.getTime() <= latest)) return
    const news: { readonly condition: Condition; readonly before: Kept; readonly type: EventType; readonly changes: number }[] = []
    const time = database.at(reading.takenAt)
    for (const condition of reading.conditions) {
      const { kind, id, state, reason, commissionPercent: commission } = condition
      const before = previous.get(`${kind} ${id}`)
      const types = before ? changesOf(before, condition, reading.takenAt) : []
      const changes = (before?.changes ?? 0) + (types.length > 0 ? 1 : 0)
      for (const type of types) if (before) news.push({ condition, before, type, changes })
      const since = before?.state === state ? database.at(before.since) : time
      // A commission that cannot be read just now is as it was.
      const percent = commission ?? before?.commission ?? null
      yield* ask(sql`
        insert into svc_conditions (place, kind, id, state, reason, commission, taken_at, since, changes)
        values (${path}, ${kind}, ${id}, ${state}, ${reason}, ${percent}, ${time}, ${since}, ${changes})
        on conflict (place, kind, id) do update set state = excluded.state, reason = excluded.reason, commission = excluded.commission,
          taken_at = excluded.taken_at, since = excluded.since, changes = excluded.changes`)
    }
    // What is staked with no longer is not compared any more.
    yield* ask(sql`delete from svc_conditions where place = ${path} and taken_at <> ${time}`)
    if (news.length === 0) return
    const watching = new Set(yield* watchers(database, place))
    const recipients = accounts.ids.filter((account) => watching.has(account) && networks.settingsOf(account, place) === settings)
    const { caip2: network } = networks.of(settings)
    yield* events.insert(
      database,
      recipients.flatMap((account) => news.map((each) => eventOf(account, network, place.protocol, each, reading.takenAt))),
    )
  }

  async function follow(place: StreamPlace, settings: NetworkSettings, lease: Lease): Promise<boolean> {
    const reading = conditions.of(settings)
    if (!reading || compared.get(settings) === reading) return true
    const isHeld = await events.transact(function* (database) {
      if (!(yield* holdsLease(database, lease))) return false
      yield* settle(database, place, settings, reading)
      return true
    })
    if (isHeld) compared.set(settings, reading)
    return isHeld
  }

  return {
    kind: 'conditions',
    isDue: () => true,
    async run(place, lease) {
      for (const settings of networks.settingsAt(place)) if (!(await follow(place, settings, lease))) return 'lost'
      return 'done'
    },
  }

  function keptOf(row: Readonly<Record<string, unknown>>): Kept {
    return {
      state: row.state as Condition['state'],
      commission: row.commission === null ? null : Number(row.commission),
      since: timeOf(row.since),
      takenAt: timeOf(row.taken_at),
      changes: Number(row.changes),
    }
  }
}

function changesOf(before: Kept, { kind, state, commissionPercent: commission }: Condition, now: Date): readonly EventType[] {
  const eventType = before.state === state ? undefined : TOLD[state]
  // Once: by the first reading that finds it to stand for so long.
  const stood = (at: Date) => at.getTime() - before.since.getTime() >= STANDS_MS
  const idles = kind === 'validator' && state === 'inactive' && before.state === state && stood(now) && !stood(before.takenAt)
  const moved = kind === 'validator' && commission !== null && before.commission !== null && commission !== before.commission
  return [
    ...(eventType ? [eventType] : []),
    ...(idles ? (['validator.inactive'] as const) : []),
    ...(moved ? (['validator.commission_changed'] as const) : []),
  ]
}

function eventOf(
  account: string,
  network: string,
  protocol: string,
  {
    condition,
    before,
    type,
    changes,
  }: { readonly condition: Condition; readonly before: Kept; readonly type: EventType; readonly changes: number },
  time: Date,
): NewEvent {
  const { kind, id, state, reason, commissionPercent } = condition
  const data = {
    ...{ network, protocol, kind, id, state, reason, before: before.state },
    commission_percent: commissionPercent,
    commission_percent_before: before.commission,
  }
  return {
    account,
    type,
    subject: `${network} ${kind} ${id}`,
    transition: `${protocol} change ${changes} ${time.toISOString()}`,
    time,
    protocol,
    data,
  }
}
