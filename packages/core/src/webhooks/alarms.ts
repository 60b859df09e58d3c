import type { Severity } from '@svc/contract/control'
import { notFound } from '../base/codes.ts'
import { quoted } from '../base/readable-text.ts'
import { core } from '../db/drizzle.ts'
import { ask, type Work, type WorkDatabase } from '../db/work.ts'
import { eventOf, type KeptEvent } from './history.ts'

const { sql } = core()

/** Weights of events that are alarms, the heaviest first. */
const ALARMING = ['critical', 'warning'] as const satisfies readonly Severity[]
/** Most alarms of one weight in a list: more than anybody reads before acting. A choice of this project. */
export const ALARMS_MOST = 20

/** Alarms that nobody has put away. */
export interface OpenAlarms {
  /** Open alarms: critical ones before warnings, the newest of each weight first, and at most `ALARMS_MOST` of each weight. */
  readonly alarms: readonly KeptEvent[]
  /** True if there are more open alarms than are listed. */
  readonly more: boolean
}

/** Scope in which an event is looked for. */
export interface EventScope {
  readonly id: string
  /** Account of the event; null: any account. */
  readonly account: string | null
}

/** Selection of alarms. */
export interface AlarmScope {
  /** null: of all accounts. */
  readonly account: string | null
  /** Short name of a plugin. @default all */
  readonly protocol?: string
}

/** Reads the alarms that nobody has put away. */
export function* readAlarms({ account, protocol }: AlarmScope): Work<OpenAlarms> {
  const alarms: KeptEvent[] = []
  let more = false
  for (const severity of ALARMING) {
    const rows = yield* ask(sql`
      select * from svc_events where ${account === null ? sql`` : sql`account = ${account} and`} severity = ${severity} and dismissed_at is null
        ${protocol === undefined ? sql`` : sql`and protocol = ${protocol}`}
      order by id desc limit ${ALARMS_MOST + 1}`)
    more ||= rows.length > ALARMS_MOST
    alarms.push(...rows.slice(0, ALARMS_MOST).map(eventOf))
  }
  return { alarms, more }
}

/** Reads one event. @throws 404 `EVENT_NOT_FOUND` */
export function* readEvent({ id, account }: EventScope): Work<KeptEvent> {
  const [row] = yield* ask(
    sql`select * from svc_events where id = ${id} ${account === null ? sql`` : sql`and account = ${account}`} and severity is not null`,
  )
  if (row) return eventOf(row)
  throw notFound(
    'EVENT_NOT_FOUND',
    `There is no event ${quoted(id)} of the account that is an alarm; alarms have a severity, and GET /alarms lists those that nobody has put away.`,
  )
}

/** Puts the alarm of an event away, for everybody of its account; one that is put away already stays as it is. @throws 404 `EVENT_NOT_FOUND` */
export function* dismiss(database: WorkDatabase, scope: EventScope): Work<KeptEvent> {
  // First: nothing of another account is touched.
  const { id, account } = yield* readEvent(scope)
  yield* ask(
    sql`update svc_events set dismissed_at = ${database.now} where id = ${id} and account = ${account} and dismissed_at is null returning id`,
  )
  return yield* readEvent(scope)
}
