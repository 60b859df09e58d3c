import type { AuditStep } from '../../api/audit.ts'
import type { Block, TransactionDetail } from '../../api/transactions.ts'
import { WORDS } from '../../text/status.ts'

/** A moment of a transaction: what was, or what is still to come. */
export interface Moment {
  readonly key: string
  readonly title: string
  readonly look: 'done' | 'bad' | 'warn' | 'later'
  /** ISO-8601; null: not yet. */
  readonly time: string | null
  /** Further text on the moment. */
  readonly about: string | null
  readonly block: Block | null
  /** Request id of its record in the audit log. */
  readonly record: string | null
}

const REQUESTS: Readonly<Record<AuditStep['step'], string>> = { craft: 'Crafted', prepare: 'Prepared', broadcast: 'Broadcast' }

/** Lists the moments of a transaction in their order: its requests, the states that it came to, and, until it has ended, what is to come. */
export function momentsOf(detail: TransactionDetail): readonly Moment[] {
  return [
    ...detail.steps.map(ofRequest),
    ...arrivalOf(detail),
    ...detail.history.flatMap((_, place) => ofState(detail, place)),
    ...toCome(detail),
  ]
}

function ofRequest({ id, step, time, outcome, error, status, request_id }: AuditStep): Moment {
  const refusal = outcome === 'open' ? 'No answer was kept' : `Refused: ${error?.code ?? status}`
  return {
    key: id,
    title: REQUESTS[step],
    look: outcome === 'ok' ? 'done' : outcome === 'open' ? 'warn' : 'bad',
    time,
    about: outcome === 'ok' ? null : refusal,
    block: null,
    record: request_id,
  }
}

/** Returns the first moment of a transaction that was broadcast elsewhere: the service was told of it. */
function arrivalOf({ origin, first_seen, request_id, steps }: TransactionDetail): readonly Moment[] {
  if (steps.some(({ step }) => step === 'broadcast')) return []
  const title = origin === 'track' ? 'Told to follow' : 'Broadcast'
  return [{ key: 'arrival', title, look: 'done', time: first_seen, about: null, block: null, record: request_id }]
}

function ofState({ history, certainty, ended_at }: TransactionDetail, place: number): readonly Moment[] {
  const state = history[place]
  if (!state) return []
  const { step, status, finality, time, block, event } = state
  const moment = { key: `state ${step}`, time, block, record: null }
  if (event === 'transaction.not_held')
    return [{ ...moment, title: 'Held by no node', look: 'warn', about: 'It may land yet: the same bytes can be sent again.' }]
  const fell = event === 'transaction.reorged' || (status === 'pending' && place > 0 && (history[place - 1]?.block ?? null) !== null)
  if (fell)
    return [{ ...moment, title: 'Reorganised', look: 'warn', about: 'Its block is no longer part of the chain; it may land again.' }]
  switch (status) {
    case 'included':
      return [{ ...moment, title: WORDS.included, look: 'done', about: null }]
    case 'final':
      // Its time is that of the block; that the block stays was found later.
      return [{ ...moment, title: WORDS.final, look: 'done', time: ended_at ?? time, about: null }]
    case 'failed':
      return [
        { ...moment, title: WORDS.failed, look: 'bad', about: finality === 'final' ? null : 'In a block that may still be replaced.' },
      ]
    case 'replaced':
    case 'expired':
      return [{ ...moment, title: WORDS[status], look: 'warn', about: 'It can never land.' }]
    default:
      // That it waits stands above; a node that knew it is told once.
      return place === history.length - 1 && certainty === 'likely'
        ? []
        : [{ ...moment, title: status === 'pending' ? 'Seen by a node' : WORDS[status], look: 'done', about: null }]
  }
}

function toCome({ status, ended_at }: TransactionDetail): readonly Moment[] {
  if (ended_at !== null) return []
  const later = (title: string): Moment => ({
    key: `later ${title}`,
    title,
    look: 'later',
    time: null,
    about: 'Not yet',
    block: null,
    record: null,
  })
  if (status === 'included') return [later('Final')]
  return status === 'failed' ? [later('Failed for good')] : [later('Included'), later('Final')]
}
