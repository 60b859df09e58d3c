import type { Condition } from '@svc/contract'
import type { Metrics } from '../base/metrics.ts'
import { core } from '../db/drizzle.ts'
import { ask, jsonOf, type Row, type Work } from '../db/work.ts'
import type { PendingControl, PendingControls } from '../plugins/pending-control.ts'
import type { Networks } from './networks.ts'
import type { KeptTerm } from './terms.ts'

const { sql } = core()

/**
 * Statement that selects the rows whose terms have a change that the operator has not accepted. JSON escapes a quotation mark within a value, so that no value can look like the
 * member `pending`.
 */
export const PENDING_ROWS = `select place, kind, id, terms from svc_conditions where terms like '%,"pending":{%'`

/** Reads what waits for the operator, by the path of the network's settings. One statement. */
export function* readPending(): Work<ReadonlyMap<string, readonly PendingControl[]>> {
  return pendingIn(yield* ask(sql.raw(PENDING_ROWS)))
}

/** Changes in rows of `svc_conditions`, by place. */
export function pendingIn(rows: readonly Row[]): ReadonlyMap<string, readonly PendingControl[]> {
  const changes = rows.flatMap(({ place, kind, id, terms }) =>
    (jsonOf<readonly KeptTerm[]>(terms) ?? []).flatMap(({ name: aspect, value: after, pending }) =>
      pending === undefined ? [] : [{ place: String(place), kind: kind as Condition['kind'], id: String(id), aspect, after, ...pending }],
    ),
  )
  return Map.groupBy(changes, ({ place }) => place)
}

/** Makes the gauge of what waits for the operator, by network; each is told, with 0 where nothing waits. */
export function measurePending(
  metrics: Metrics,
  networks: Pick<Networks, 'places' | 'settingsAt'>,
  pending: Pick<PendingControls, 'of'>,
): void {
  metrics.gauge(
    'svc_control_pending',
    'Powers over what is staked with whose holder waits to be accepted by the operator: stake is refused there.',
    () =>
      networks.places().map(({ protocol, network }) => {
        const settings = networks.settingsAt({ protocol, network })
        return [{ protocol, network }, settings.flatMap((each) => pending.of(each)).length] as const
      }),
    ['protocol', 'network'],
    'max',
  )
}
