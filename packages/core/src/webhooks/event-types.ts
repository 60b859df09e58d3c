import type { Severity } from '@svc/contract/control'

/** Every type of event, with its description. */
export const EVENT_TYPES = {
  'transaction.included': 'A transaction is in a block, which may still be replaced.',
  'transaction.final': 'A transaction is in a block that stays.',
  'transaction.failed': 'A transaction is in a block, and the chain did not carry it out.',
  'transaction.replaced': 'Another transaction took its place; it never lands.',
  'transaction.expired': 'It can no longer land.',
  'transaction.reorged': 'The block that it was in is no longer part of the chain; it may land again.',
  'transaction.not_held': 'It was taken, and no node holds it any more; the same bytes can be sent again, and it may land yet.',
  'transaction.amounts_differ': 'What the chain moved is not what was promised at craft.',
  'position.active': 'A stake earns from now on.',
  'position.withdrawable': 'A withdrawal would be crafted from now on.',
  'position.withdrawn': 'A stake that was leaving has left: the chain has paid it out by itself.',
  'position.moved':
    "Stake lies in other units than before, and is the wallet's as it was, or another's that the account watches: after a merge, a split or a move.",
  'position.exit_started': 'Stake leaves from now on, and no transaction that is followed here promised it.',
  'position.exit_cancelled': 'A stake that was leaving stays: its exit was cancelled.',
  'position.slashed': 'The stake is worth less, since its validator was slashed.',
  'position.control_changed': 'Somebody else may move, take or lock the position from now on, or may no longer.',
  'position.lost': "What was the wallet's is somebody else's, or gone, and no transaction that is followed here promised it.",
  'position.rewards_claimable': 'Rewards are above the threshold of the subscription.',
  'position.rewarded': 'A reading shows what a position has earned since the one before. Only to a subscription that names the type.',
  'validator.jailed': 'The validator that is staked with earns nothing for a while.',
  'validator.inactive': 'The validator that is staked with has been outside the active set for an hour, and earns nothing there.',
  'validator.left': 'The validator that is staked with is no longer in the set.',
  'validator.commission_changed': 'The validator takes another share of the rewards, or has announced that it will.',
  'pool.paused': 'The contract takes no stakes, or pays nothing out.',
  'protocol.control_changed':
    'Somebody else may change the product, or move what is staked there: its implementation, owner or another power.',
  'protocol.fee_changed': 'The product takes another fee, or has announced that it will.',
  'protocol.rule_changed': 'The product or its chain asks something else of a stake: another waiting time, least amount or rent.',
  'apikey.changed': 'An API key was made, changed or revoked.',
  'apikey.expiring': 'An API key expires in 7 days, or in 1 day.',
  'security.decode_mismatch': 'A transaction was withheld, since its bytes were not what was asked.',
  'security.hidden_call':
    'A transaction does something that no request to the protocol leads to: it was refused, or passed on since the account has any sent.',
  ping: 'Sent by request, to try a receiver.',
} as const

/** Type of an event. */
export type EventType = keyof typeof EVENT_TYPES

/** Filters that a subscription may name: a type, or all of a family, as `transaction.*`. */
export const EVENT_FILTERS: readonly string[] = [
  ...Object.keys(EVENT_TYPES),
  ...new Set(Object.keys(EVENT_TYPES).flatMap((type) => (type.includes('.') ? [`${type.split('.')[0]}.*`] : []))),
]

/** Types that only a subscription gets that names them: there is one a day at least for each wallet. */
const NAMED_ONLY: readonly string[] = ['position.rewarded'] satisfies readonly EventType[]

/** Tells whether a type passes a filter of a subscription; null: every type does, but for those that have to be named. */
export function passes(filter: readonly string[] | null, type: string): boolean {
  if (NAMED_ONLY.includes(type)) return filter?.includes(type) ?? false
  return filter === null || filter.includes(type) || filter.includes(`${type.split('.')[0]}.*`)
}

/** Weights of a change that no followed transaction explains, the heaviest first. */
export const SEVERITIES = ['critical', 'warning', 'info'] as const satisfies readonly Severity[]

/** Returns the weight that the data of an event says; null: it says none. */
export function severityOf({ severity }: Readonly<Record<string, unknown>>): Severity | null {
  return SEVERITIES.find((each) => each === severity) ?? null
}
