import { serviceError } from '../base/codes.ts'
import { core } from '../db/drizzle.ts'
import { ask, type WorkRunner } from '../db/work.ts'
import type { BeforeChange } from '../keys/manage.ts'
import { acceptCommand, type PendingControl, wordsOf } from '../plugins/pending-control.ts'
import { PENDING_ROWS, pendingIn, readPending } from './pending.ts'
import { acceptedTerms, type KeptTerm } from './terms.ts'

const { sql } = core()

/** Holder of a power whom an operator accepts. */
interface Acceptance {
  /** Short name of the plugin. */
  readonly protocol: string
  /** Chain id. */
  readonly network: string
  readonly aspect: string
  /** null: nobody. */
  readonly holder: string | null
  /** Why, for the audit log. */
  readonly note: string
}

/**
 * Accepts who has a power over what a network stakes with, so that stake is taken again: with each validator and pool where this holder waits. A change that came later is another one, and
 * waits on.
 *
 * @param paths paths of the network's settings in the config, the accounts' own among them
 * @param before saves the audit record
 * @returns what was accepted
 * @throws 409 CONTROL_NOT_PENDING, which names who waits; 503 DATABASE_UNAVAILABLE
 */
export async function acceptControl(
  store: WorkRunner,
  paths: readonly string[],
  acceptance: Acceptance,
  before: BeforeChange,
): Promise<readonly PendingControl[]> {
  const { protocol, network, aspect, holder, note } = acceptance
  const ofNetwork = (byPath: ReadonlyMap<string, readonly PendingControl[]>) => paths.flatMap((path) => byPath.get(path) ?? [])
  const matches = (each: PendingControl) => each.aspect === aspect && each.after === holder
  const waiting = ofNetwork(await store.run(readPending))
  if (!waiting.some(matches)) throw notPending(acceptance, waiting)
  const changes = waiting.filter(matches).map(({ kind, id, before, since }) => ({ kind, id, before, since }))
  await before({ action: 'accept-control', changes: { protocol, network, aspect, holder, note, accepted: changes } })
  return store.transact(function* ({ exclusive }) {
    const rows = yield* ask(sql`${sql.raw(PENDING_ROWS)} ${exclusive}`)
    const now = ofNetwork(pendingIn(rows))
    if (!now.some(matches)) throw notPending(acceptance, now)
    for (const { place, kind, id, terms } of rows) {
      if (!paths.includes(String(place))) continue
      const next = JSON.stringify(acceptedTerms(JSON.parse(String(terms)) as KeptTerm[], aspect, holder))
      yield* ask(sql`update svc_conditions set terms = ${next} where place = ${place} and kind = ${kind} and id = ${id}`)
    }
    return now.filter(matches)
  })
}

function notPending({ protocol, network, aspect, holder }: Acceptance, waiting: readonly PendingControl[]) {
  const rest = waiting.map(
    (each) => `${wordsOf([each])}, by ${acceptCommand({ protocol, network, aspect: each.aspect, holder: each.after })}`,
  )
  return serviceError(
    409,
    'CONTROL_NOT_PENDING',
    `Nothing of ${protocol} on the network ${network} waits for the ${aspect} ${holder ?? 'nobody'} to be accepted. ${
      rest.length === 0 ? 'Every power there has a holder who is accepted.' : `What waits: ${rest.join('; ')}`
    }`,
  )
}
