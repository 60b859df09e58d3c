import type { Condition } from '@svc/contract'
import { core } from '../db/drizzle.ts'
import { FARTHEST_MS, holdsLease, type Lease } from '../db/leases.ts'
import { ask, timeOf, type Work, type WorkDatabase } from '../db/work.ts'
import type { Accounts } from '../plugins/accounts.ts'
import type { Conditions } from '../plugins/conditions.ts'
import type { ConditionReading } from '../plugins/network/condition-keeper.ts'
import type { NetworkSettings } from '../plugins/services.ts'
import { conditionEvent } from './condition-events.ts'
import { type ConditionNews, type KeptCondition, newsOf, type ReadCondition } from './condition-news.ts'
import type { Stream, StreamParts } from './follower.ts'
import { retryAfter } from './schedule.ts'
import { judgeTerms, nameOf, unjudged } from './term-judge.ts'
import { type KeptTerm, keptTerms } from './terms.ts'
import type { StreamPlace } from './transactions.ts'
import { watchers } from './watches.ts'

const { sql } = core()
const MINUTE_MS = 60_000

interface ConditionParts extends StreamParts {
  readonly accounts: Pick<Accounts, 'ids'>
  readonly conditions: Pick<Conditions, 'of'>
}

/** A reading of conditions that is ready to be saved. */
interface Settled {
  readonly takenAt: Date
  readonly conditions: readonly ReadCondition[]
  readonly isJudged: boolean
}

/** Wait after endpoints have differed. */
interface Wait {
  readonly until: number
  readonly failures: number
}

/** Compares what plugins read of their validators and pools with what was told last, once for all accounts. */
export function createConditionStream({ networks, accounts, conditions, events, now, log }: ConditionParts): Stream {
  /** Readings that are compared already. */
  const compared = new Map<NetworkSettings, ConditionReading>()
  /** Networks whose endpoints differ on a term. */
  const waits = new Map<NetworkSettings, Wait>()

  /** Writes a reading with what it tells. @returns what was kept before, where it changes a term and nobody was asked about that yet: then nothing was written */
  function* settle(
    database: WorkDatabase,
    place: StreamPlace,
    settings: NetworkSettings,
    { takenAt, conditions: reading, isJudged }: Settled,
  ): Work<ReadonlyMap<string, KeptCondition> | null> {
    const { path } = settings
    const rows = yield* ask(sql`select * from svc_conditions where place = ${path} ${database.exclusive}`)
    const previous = new Map(rows.map((row) => [`${row.kind} ${row.id}`, keptOf(row)]))
    // Another replica may have read it since, with a better clock; what was read later than now was read while a clock was ahead.
    const latest = now().getTime() + FARTHEST_MS
    if ([...previous.values()].some((each) => each.takenAt >= takenAt && each.takenAt.getTime() <= latest)) return null
    const news = reading.flatMap((read) => newsOf(previous.get(nameOf(read.condition)), read, takenAt))
    if (!isJudged && news.some(({ change }) => change !== null)) return previous
    for (const entry of reading) yield* save(database, path, previous.get(nameOf(entry.condition)), entry, { takenAt, news })
    // What is staked with no longer is not compared any more.
    yield* ask(sql`delete from svc_conditions where place = ${path} and taken_at <> ${database.at(takenAt)}`)
    if (news.length > 0) yield* tell(database, place, settings, news, takenAt)
    return null
  }

  function* tell(
    database: WorkDatabase,
    place: StreamPlace,
    settings: NetworkSettings,
    news: readonly ConditionNews[],
    takenAt: Date,
  ): Work<void> {
    const watching = new Set(yield* watchers(database, place))
    const recipients = accounts.ids.filter((account) => watching.has(account) && networks.settingsOf(account, place) === settings)
    const { caip2: network } = networks.of(settings)
    const where = { network, protocol: place.protocol }
    yield* events.insert(
      database,
      recipients.flatMap((account) => news.map((each) => conditionEvent(account, where, each, takenAt))),
    )
  }

  async function follow(place: StreamPlace, settings: NetworkSettings, lease: Lease): Promise<boolean> {
    const reading = conditions.of(settings)
    if (!reading) return true
    const isNew = compared.get(settings) !== reading
    const wait = waits.get(settings)
    const time = now()
    if (!isNew && (wait === undefined || time.getTime() < wait.until)) return true
    const takenAt = isNew ? reading.takenAt : time
    /** @returns undefined: the lease is somebody else's */
    const write = (settled: Settled) =>
      events.transact(function* (database) {
        return (yield* holdsLease(database, lease)) ? yield* settle(database, place, settings, settled) : undefined
      })
    const before = await write({ takenAt, conditions: unjudged(reading.conditions), isJudged: false })
    if (before === undefined) return false
    if (before === null) waits.delete(settings)
    else {
      const { conditions: judged, isAgreed } = await judgeTerms(networks.of(settings), before, reading.conditions)
      if ((await write({ takenAt, conditions: judged, isJudged: true })) === undefined) return false
      if (isAgreed) waits.delete(settings)
      else {
        const failures = (wait?.failures ?? 0) + 1
        waits.set(settings, { failures, until: time.getTime() + retryAfter(failures, MINUTE_MS) })
        log.warn(
          { ...place, path: settings.path, failures },
          'endpoints differ on the terms of a product, so that no change of them is told; they are asked again',
        )
      }
    }
    compared.set(settings, reading)
    return true
  }

  return {
    kind: 'conditions',
    isDue: () => true,
    async run(place, lease) {
      for (const settings of networks.settingsAt(place)) if (!(await follow(place, settings, lease))) return 'lost'
      return 'done'
    },
  }
}

function* save(
  database: WorkDatabase,
  path: string,
  before: KeptCondition | undefined,
  read: ReadCondition,
  { takenAt, news }: { readonly takenAt: Date; readonly news: readonly ConditionNews[] },
): Work<void> {
  const { kind, id, state, reason, commissionPercent } = read.condition
  const changes = (before?.changes ?? 0) + (news.some((each) => each.read === read) ? 1 : 0)
  const time = database.at(takenAt)
  const since = before?.state === state ? database.at(before.since) : time
  // A commission that cannot be read just now is as it was.
  const percent = commissionPercent ?? before?.commission ?? null
  const terms = JSON.stringify(keptTerms(before?.terms ?? [], read.terms, takenAt))
  yield* ask(sql`
    insert into svc_conditions (place, kind, id, state, reason, commission, taken_at, since, changes, terms)
    values (${path}, ${kind}, ${id}, ${state}, ${reason}, ${percent}, ${time}, ${since}, ${changes}, ${terms})
    on conflict (place, kind, id) do update set state = excluded.state, reason = excluded.reason, commission = excluded.commission,
      taken_at = excluded.taken_at, since = excluded.since, changes = excluded.changes, terms = excluded.terms`)
}

function keptOf(row: Readonly<Record<string, unknown>>): KeptCondition {
  return {
    state: row.state as Condition['state'],
    commission: row.commission === null ? null : Number(row.commission),
    terms: row.terms === null ? [] : (JSON.parse(String(row.terms)) as KeptTerm[]),
    since: timeOf(row.since),
    takenAt: timeOf(row.taken_at),
    changes: Number(row.changes),
  }
}
