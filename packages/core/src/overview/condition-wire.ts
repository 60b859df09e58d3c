import type { Condition } from '@svc/contract'
import type { Term } from '@svc/contract/control'
import { type Static, Type } from 'typebox'
import type { ConditionReading } from '../plugins/network/condition-keeper.ts'
import type { PendingControl } from '../plugins/pending-control.ts'

const KINDS = ['validator', 'pool'] as const satisfies readonly Condition['kind'][]
const STATES = ['active', 'inactive', 'jailed', 'left', 'paused'] as const satisfies readonly Condition['state'][]
const REASON = 'Why stake is not taken, as the end of a sentence about it; null where it is active.'
const COMMISSION = 'Percent of the rewards that it keeps; null where the chain tells none.'
const STATE =
  'active: stake is taken, and earns. inactive: it earns nothing there at present. jailed: put out for a fault, until it is let in again. ' +
  'left: for good, or announced. paused: it takes no stake at present, and what is staked goes on.'

const TERM_KINDS = ['power', 'fee', 'rule'] as const satisfies readonly Term['kind'][]
const TERM_KIND =
  'power: who may change the product, or move what is staked there. fee: what it takes. rule: what it asks of a stake, or of the time that one takes.'
const VALUE = 'Holder of the power, percent, or value with its unit; null where the chain names nobody, or has none.'
const EPOCH = 'Epoch from which it counts, where the chain announces it before; null: it counts now.'
const ACCEPTED =
  'False for a power that somebody else has than the operator of the service has accepted: until he accepts it, stake is refused with CONTROL_CHANGED, and leaves as before.'

/** One of the terms that others may change, on the wire. */
const TermSchema = Type.Object(
  {
    kind: Type.Unsafe<Term['kind']>({ type: 'string', enum: [...TERM_KINDS], description: TERM_KIND, examples: ['fee'] }),
    name: Type.String({ description: 'Word of the protocol.', examples: ['commission'] }),
    value: Type.Unsafe<string | null>({ type: ['string', 'null'], description: VALUE, examples: ['10'] }),
    effective_epoch: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: EPOCH, examples: [null] }),
    accepted: Type.Boolean({ description: ACCEPTED, examples: [true] }),
  },
  { title: 'StakedWithTerm' },
)

/** One validator or pool on the wire. */
const ConditionSchema = Type.Object(
  {
    kind: Type.Unsafe<Condition['kind']>({ type: 'string', enum: [...KINDS], description: 'What it is.', examples: ['validator'] }),
    id: Type.String({ description: "In the protocol's own form.", examples: ['12'] }),
    state: Type.Unsafe<Condition['state']>({ type: 'string', enum: [...STATES], description: STATE, examples: ['active'] }),
    reason: Type.Unsafe<string | null>({ type: ['string', 'null'], description: REASON, examples: [null] }),
    commission_percent: Type.Unsafe<number | null>({ type: ['number', 'null'], description: COMMISSION, examples: [10] }),
    terms: Type.Array(TermSchema, {
      description:
        'Terms that others may change without a customer, as they were last read. Each change of them is an event: protocol.control_changed, .fee_changed, .rule_changed.',
    }),
  },
  { title: 'StakedWith' },
)

/** Members of a network for the state of what it stakes with. */
export const conditionMembers = {
  staked_with: Type.Unsafe<readonly Static<typeof ConditionSchema>[] | null>({
    anyOf: [Type.Array(ConditionSchema), { type: 'null' }],
    description:
      'The validators or pools that a stake goes to, with their state, as they were last read. All are active if, and ' +
      'only if, no stake is refused for their sake, but for a power that is not `accepted`. null until it was read, and for a protocol whose plugin tells none.',
  }),
  staked_with_age_seconds: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Seconds since that was read; null where it is.',
    examples: [120],
  }),
  staked_with_interval_seconds: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'How often it is read, in seconds: what is older than that could not be read since. null where it was not read.',
    examples: [300],
  }),
} as const

/** Writes the condition of what is staked with as the wire has it. @param reading null or undefined: there is none @param pending changes of it that wait for the operator @param at now, in milliseconds since 1970 */
export function conditionToWire(reading: ConditionReading | null | undefined, pending: readonly PendingControl[], at: number) {
  const waiting = new Set(pending.map((each) => `${each.kind} ${each.id} power ${each.aspect}`))
  return {
    staked_with:
      reading?.conditions.map(({ kind, id, state, reason, commissionPercent, terms = [] }) => ({
        kind,
        id,
        state,
        reason,
        commission_percent: commissionPercent,
        terms: terms.map(({ kind: of, name, value, effectiveEpoch }) => ({
          ...{ kind: of, name, value, effective_epoch: effectiveEpoch },
          accepted: !waiting.has(`${kind} ${id} ${of} ${name}`),
        })),
      })) ?? null,
    staked_with_age_seconds: reading ? Math.max(0, Math.floor((at - reading.takenAt.getTime()) / 1000)) : null,
    staked_with_interval_seconds: reading ? reading.minutes * 60 : null,
  }
}
