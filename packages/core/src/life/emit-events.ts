import { type Difference, differences } from '../plugins/life/differences.ts'
import { standingToWire } from '../plugins/life/wire.ts'
import type { NewEvent } from '../webhooks/events.ts'
import type { KeptLook } from './look-text.ts'
import type { TransactionRow } from './row.ts'
import type { Advance, Step } from './transition.ts'

/** Most items of a list in an event, since the size of its body has a limit. */
const MOST_ITEMS = 50
/** Longest text in an event, in characters. */
const LONGEST = 500

/** Makes the events of the steps that a look has brought. */
export function eventsOf(row: TransactionRow, { steps, shown: view }: Advance, units: KeptLook['units'], now: Date): readonly NewEvent[] {
  const events = steps.flatMap((step) => {
    if (step.event === null) return []
    const data = dataOf(row, step, view, units, now)
    return [eventOf(row, step, step.event, step.event === DIFFER ? { ...data, differences: differs(row, view) } : data)]
  })
  const last = steps.at(-1)
  if (last?.status !== 'final' || last.event === null) return events
  const missing = differs(row, view)
  if (missing.length === 0) return events
  return [...events, eventOf(row, last, DIFFER, { ...dataOf(row, last, view, units, now), differences: missing })]
}

const DIFFER = 'transaction.amounts_differ'

/** Lists amounts that are not as promised; none where what was moved cannot be read. */
function differs({ promised }: TransactionRow, { moved }: Advance['shown']) {
  return promised === null || moved === null ? [] : differences(promised, moved).map(differenceOf).slice(0, MOST_ITEMS)
}

function eventOf({ account, protocol, txHash }: TransactionRow, { step, time }: Step, type: NewEvent['type'], data: Data): NewEvent {
  return { account, type, subject: `${data.network} ${txHash}`, transition: `${protocol} step ${step}`, time, protocol, data }
}

type Data = Readonly<Record<string, unknown>>

function dataOf(row: TransactionRow, step: Step, view: Advance['shown'], units: KeptLook['units'], now: Date): Data {
  const { txHash, firstSeen } = row
  // Of a block that it is no longer in, nothing is true any more.
  const look = step.status === view.status ? view : { ...view, ...OUTSIDE, status: step.status, finality: step.finality }
  const wire = standingToWire({ ...look, txHash, firstSeen, checkedAt: now }, units)
  return {
    network: wire.network,
    protocol: row.protocol,
    wallet: row.wallet,
    tx_hash: wire.tx_hash,
    unsigned_hash: row.unsignedHash,
    status: wire.status,
    finality: wire.finality,
    step: step.step,
    block: wire.block,
    fee: wire.fee,
    moves: wire.moves?.slice(0, MOST_ITEMS) ?? null,
    object_ids: wire.object_ids?.slice(0, MOST_ITEMS) ?? null,
    error: wire.error && { code: cut(wire.error.code), reason: cut(wire.error.reason) },
    replaced_by: wire.replaced_by,
    replaced_by_same: wire.replaced_by_same,
    sentence: row.sentence === null ? null : cut(row.sentence),
    identity: row.identity,
    request_id: row.requestId,
    first_seen: wire.first_seen,
  }
}

const OUTSIDE = { block: null, fee: null, moved: null, error: null, replacedBy: null } as const

function differenceOf({ kind, asset, promised, moved }: Difference) {
  return { kind, asset: cut(asset), promised, moved }
}

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`
}
