/** The chain that changes are played on, as conformance hands it over. */
interface World {
  operate(name: string, body?: Readonly<Record<string, unknown>>): Promise<unknown>
  advance(step: { readonly epochs: number }): Promise<unknown>
}

/** Terms of a scenario: seconds and entries of its unbonding, the least commission and the operator's, as decimal text with 1 as the whole. */
interface HubTerms {
  readonly unbonding: number
  readonly entries: number
  readonly least: string
  readonly commission: string
}

const RULES = ['protocol.rule_changed least_commission', 'protocol.rule_changed unbonding_entries', 'protocol.rule_changed unbonding_time']

/** Lists the changes that governance and the validator make on a chain of the family. */
export function hubTerms({ unbonding, entries, least, commission }: HubTerms) {
  return {
    reads: ['fee commission', 'rule least_commission', 'rule unbonding_entries', 'rule unbonding_time'],
    changes: [
      {
        name: 'governance makes the unbonding shorter',
        play: ({ operate }: World) =>
          operate('params', { unbonding_seconds: unbonding - 3600, max_entries: entries + 1, min_commission: '0.01' }),
        told: RULES,
      },
      { name: 'an epoch of rewards', play: ({ advance }: World) => advance({ epochs: 1 }), told: [] },
      {
        name: 'the validator takes 12.34 %',
        play: ({ operate }: World) => operate('commission', { rate: '0.1234' }),
        told: ['validator.commission_changed commission'],
      },
      {
        name: 'it is jailed, and let in again',
        async play({ operate }: World) {
          await operate('jail', { seconds: 600 })
          await operate('unjail')
        },
        told: [],
      },
      {
        name: 'all is as it was',
        async play({ operate }: World) {
          await operate('params', { unbonding_seconds: unbonding, max_entries: entries, min_commission: least })
          await operate('commission', { rate: commission })
        },
        told: [...RULES, 'validator.commission_changed commission'],
      },
    ],
  }
}
