import type { Condition } from '@svc/contract'
import { badRequest } from '../base/codes.ts'

/** Change of the holder of a power over a validator or pool that an event has told and the operator has not accepted. */
export interface PendingControl {
  readonly kind: Condition['kind']
  /** Identifier of the validator or pool. */
  readonly id: string
  /** Name of the power. */
  readonly aspect: string
  /** Holder who was accepted last; null: nobody. */
  readonly before: string | null
  /** Holder now; null: nobody. */
  readonly after: string | null
  /** Time at which the present holder was first seen: ISO-8601. */
  readonly since: string
}

/** Changes that wait for the operator's acceptance, as this process knows them. */
export interface PendingControls {
  /** Returns the changes on a network, without asking the chain or the database. */
  of(network: { readonly path: string }): readonly PendingControl[]
  /** Replaces all changes. @param byPath changes by the path of the network's settings */
  replace(byPath: ReadonlyMap<string, readonly PendingControl[]>): void
}

/** Most changes that a sentence names in full; of the others it gives the number. */
const MOST_NAMED = 3

/** Creates the list of what waits, which is empty until it is replaced. */
export function createPendingControls(): PendingControls {
  let all: ReadonlyMap<string, readonly PendingControl[]> = new Map()
  return {
    of: ({ path }) => all.get(path) ?? [],
    replace(byPath) {
      all = byPath
    },
  }
}

/** Refuses a stake where a change of a power waits for the operator. @param protocol short name of the plugin @throws 400 CONTROL_CHANGED */
export function refuseStake(protocol: string, network: string, pending: readonly PendingControl[]): void {
  const [first] = pending
  if (first === undefined) return
  const { aspect, after } = first
  throw badRequest(
    'CONTROL_CHANGED',
    `Nothing is staked here now, since the operator of this service has not accepted that ${wordsOf(pending)}. Exits, claims and withdrawals are crafted as before. ` +
      `When it is clear who has made the change, and that it may stay, the operator accepts it by ${acceptCommand({ protocol, network, aspect, holder: after })}.`,
  )
}

/** Says on a craft that puts no stake in what the operator has not accepted. @returns null: nothing */
export function pendingRemark(pending: readonly PendingControl[]): string | null {
  return pending.length === 0 ? null : `The operator has not accepted that ${wordsOf(pending)}.`
}

/** Writes the command that accepts a holder, between backticks. */
export function acceptCommand({
  protocol,
  network,
  aspect,
  holder,
}: {
  readonly protocol: string
  readonly network: string
  readonly aspect: string
  readonly holder: string | null
}): string {
  return `\`svc accept ${aspect} ${quoted(holder ?? NOBODY)} --protocol ${protocol} --network ${quoted(network)} --note '<why>'\``
}

/** Word that the command line uses as the holder of a power that nobody has. */
export const NOBODY = 'none'

/** Puts changes into words, as the end of a sentence. */
export function wordsOf(pending: readonly PendingControl[]): string {
  const words = pending
    .slice(0, MOST_NAMED)
    .map(
      ({ kind, id, aspect, before, after, since }) =>
        `${aspect} of the ${kind} ${id} is ${after ?? 'nobody'} and was ${before ?? 'nobody'} (seen ${since})`,
    )
  const others = pending.length - words.length
  return [...words, ...(others > 0 ? [`${others} more power${others === 1 ? ' has' : 's have'} changed`] : [])].join(', and that ')
}

/** Quotes a word for a shell where that is needed. */
function quoted(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
