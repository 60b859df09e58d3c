import t from 'tap'
import { type DelegatorState, factsOf, stateOf } from '../../src/ledger/facts.ts'
import { completions, type Ends, flowsOfTransactions, losses, lostWith } from '../../src/ledger/flows.ts'
import type { OwnTransaction } from '../../src/ledger/transactions.ts'
import type { Pool } from '../../src/staking/shares.ts'

const VALIDATOR = 'cosmosvaloper1v'
const FORMER = 'cosmosvaloper1w'
const PARTY = { wallet: 'cosmos1a', validators: [VALIDATOR], denom: 'uatom', denoms: ['ibc/27'] }
const DEC = 10n ** 18n
const AT = new Date('2026-11-21T12:00:00.000Z')
const WHOLE = { tokens: 100n, shares: 100n * DEC }
const held = (pool: Pool | null, shares = 7n * DEC, validator = VALIDATOR): Pick<DelegatorState, 'delegations'> => ({
  delegations: [{ validator, shares, pool }],
})
const STATE: DelegatorState = { sequence: 4n, isGranted: false, ...held(WHOLE), exits: [], denoms: [], isPartial: false }
const ends = (changes: Partial<Ends> = {}): Ends => ({ before: STATE, after: STATE, opening: {}, closing: {}, until: AT, ...changes })
const event = (type: string, attributes: Record<string, string>) => ({ type, attributes: { msg_index: '0', ...attributes } })

function transaction(...events: readonly ReturnType<typeof event>[]): OwnTransaction {
  return { hash: 'H', height: 51n, time: AT, index: 0, events, delegatesPower: false }
}

const short = (flows: readonly { kind: string; amount: bigint; from: string; to: string; exact?: true }[]) =>
  flows.map(({ kind, amount, from, to, exact }) => `${kind} ${amount} ${from} > ${to}${exact ? '' : ' cut'}`)

t.test('each event of the wallet with the validator is a flow, and no other', async (t) => {
  const own = { delegator: PARTY.wallet, validator: VALIDATOR }
  const moves = transaction(
    event('delegate', { ...own, amount: '5uatom' }),
    event('delegate', { ...own, validator: 'other', amount: '6uatom' }),
    event('delegate', { ...own, delegator: 'cosmos1b', amount: '7uatom' }),
    event('unbond', { ...own, amount: '3uatom', completion_time: '2026-12-12T12:00:00Z' }),
    event('withdraw_rewards', { ...own, amount: '2uatom,9ibc/27,4unkept' }),
    event('withdraw_rewards', { ...own, amount: '0stake' }),
    event('withdraw_rewards', { ...own, amount: '' }),
    event('cancel_unbonding_delegation', { ...own, amount: '1uatom', creation_height: '40' }),
    event('redelegate', { source_validator: VALIDATOR, destination_validator: 'other', amount: '4uatom' }),
    event('redelegate', { source_validator: 'other', destination_validator: VALIDATOR, amount: '8uatom' }),
    event('redelegate', { source_validator: 'other', destination_validator: 'another', amount: '9uatom' }),
    event('coin_spent', { ...own, amount: '5uatom' }),
  )
  t.same(short(flowsOfTransactions([moves], PARTY, ends())), [
    'deposit 5 wallet > delegated',
    'exit_requested 3 delegated > exit:51',
    'claim 2 rewards > wallet',
    'claim 9 foreign:denom:ibc%2F27 > wallet',
    'exit_cancelled 1 exit:40 > delegated',
    'redelegation 4 delegated > others',
    'redelegation 8 others > delegated',
  ])
  t.match(flowsOfTransactions([moves], PARTY, ends())[0], { height: 51n, time: AT, tx: 'H', index: null })
  const before = transaction({ type: 'delegate', attributes: { ...own, amount: '5uatom' } } as never)
  t.same(flowsOfTransactions([before], PARTY, ends()), [], 'what is of no message is none')
})

t.test('an amount is exact while a share is a unit at both ends', async (t) => {
  const moves = transaction(event('delegate', { delegator: PARTY.wallet, validator: VALIDATOR, amount: '5uatom' }))
  const slashed = { ...STATE, ...held({ tokens: 99n, shares: 100n * DEC }) }
  for (const changes of [{ before: slashed }, { after: slashed }, { after: { ...STATE, ...held(null) } }])
    t.same(short(flowsOfTransactions([moves], PARTY, ends(changes))), ['deposit 5 wallet > delegated cut'])
})

t.test('an exit that is gone when its time has come was paid, less what was cancelled of it', async (t) => {
  const exit = (height: bigint, balance: bigint, ms: number) => ({ height, balance, completesAt: new Date(AT.getTime() + ms) })
  const before = { ...STATE, exits: [exit(40n, 9n, -1), exit(41n, 8n, 0), exit(42n, 7n, 1), exit(43n, 6n, -1), exit(44n, 2n, -1)] }
  const after = { ...STATE, exits: [exit(43n, 6n, -1)] }
  const cancelled = [
    { kind: 'exit_cancelled', amount: 4n, from: 'exit:40', to: 'delegated', height: 51n, time: AT, tx: 'H', index: null } as const,
    { kind: 'exit_cancelled', amount: 2n, from: 'exit:44', to: 'delegated', height: 51n, time: AT, tx: 'H', index: null } as const,
  ]
  t.same(short(completions([], PARTY, ends({ before, after }), cancelled)), [
    'withdrawal 5 exit:40 > wallet',
    'withdrawal 8 exit:41 > wallet',
  ])
  const quick = transaction(
    event('unbond', { delegator: PARTY.wallet, validator: VALIDATOR, amount: '3uatom', completion_time: '2026-11-21T11:59:59Z' }),
  )
  t.same(short(completions([quick], PARTY, ends(), flowsOfTransactions([quick], PARTY, ends()))), ['withdrawal 3 exit:51 > wallet'])
  const slow = transaction(event('unbond', { delegator: PARTY.wallet, validator: VALIDATOR, amount: '3uatom', completion_time: 'x' }))
  t.same(completions([slow], PARTY, ends(), flowsOfTransactions([slow], PARTY, ends())), [])
})

t.test('a slash is what the shares are worth less, where nothing else has moved them', async (t) => {
  const after = { ...STATE, ...held({ tokens: 95n, shares: 100n * DEC }) }
  t.same(lostWith(ends({ after })), [VALIDATOR])
  t.same(lostWith(ends()), [])
  t.same(lostWith(ends({ after: { ...STATE, ...held({ tokens: 200n, shares: 200n * DEC }) } })), [], 'a larger pool is no loss')
  t.same(lostWith(ends({ after: { ...STATE, ...held(null) } })), [])
  const of = (changes: Partial<Ends>, flows: Parameters<typeof losses>[1] = []) =>
    short(losses(ends({ after, opening: { delegated: 7n }, closing: { delegated: 6n }, ...changes }), flows))
  t.same(of({}), ['slash 1 delegated > chain'])
  t.same(of({ closing: { delegated: 7n } }), [])
  t.same(of({ closing: { delegated: 8n } }), [])
  t.same(of({ after: { ...after, ...held({ tokens: 95n, shares: 100n * DEC }, 6n * DEC) } }), [], 'nor where shares are gone')
  const moves = transaction(event('delegate', { delegator: PARTY.wallet, validator: VALIDATOR, amount: '5uatom' }))
  t.same(of({}, flowsOfTransactions([moves], PARTY, ends())), [])
  t.same(of({}, completions([], PARTY, ends(), [])), ['slash 1 delegated > chain'])
})

t.test('a state comes back from its facts', async (t) => {
  const full = {
    ...STATE,
    isGranted: true,
    exits: [
      { height: 40n, balance: 9n, completesAt: AT },
      { height: 41n, balance: 1n, completesAt: AT },
    ],
  }
  const both = { ...STATE, delegations: [...STATE.delegations, ...held({ tokens: 5n, shares: 9n }, 3n, FORMER).delegations] }
  for (const state of [STATE, full, { ...STATE, ...held(null) }, both]) t.same(stateOf(factsOf(state), 'another'), state)
  t.equal(stateOf({}, VALIDATOR).isGranted, true, 'what is not known is no proof')
  const { delegations: _, ...older } = factsOf(STATE)
  t.same(
    stateOf({ ...older, shares: `${7n * DEC}`, pool: `100 ${100n * DEC}` }, VALIDATOR),
    STATE,
    'a state from before there were several is of the one that is given',
  )
})

t.test('former validators are part of the book, and a move between two of the operator is none of it', (t) => {
  const party = { ...PARTY, validators: [VALIDATOR, FORMER] }
  const own = { delegator: PARTY.wallet, validator: FORMER }
  const moves = transaction(
    event('unbond', { ...own, amount: '3uatom', completion_time: '2026-12-12T12:00:00Z' }),
    event('withdraw_rewards', { ...own, amount: '2uatom' }),
    event('redelegate', { source_validator: FORMER, destination_validator: VALIDATOR, amount: '4uatom' }),
    event('redelegate', { source_validator: FORMER, destination_validator: 'other', amount: '5uatom' }),
    event('redelegate', { source_validator: 'other', destination_validator: FORMER, amount: '6uatom' }),
  )
  t.same(short(flowsOfTransactions([moves], party, ends())), [
    'exit_requested 3 delegated > exit:51',
    'claim 2 rewards > wallet',
    'redelegation 5 delegated > others',
    'redelegation 6 others > delegated',
  ])
  const slashed = { tokens: 95n, shares: 100n * DEC }
  const two = (pool: Pool, shares = 7n * DEC) => ({
    ...STATE,
    delegations: [...STATE.delegations, ...held(pool, shares, FORMER).delegations],
  })
  const fallen = ends({ before: two(WHOLE), after: two(slashed), opening: { delegated: 14n }, closing: { delegated: 13n } })
  t.same(lostWith(fallen), [FORMER], 'the one that was slashed is named')
  t.same(short(losses(fallen, [])), ['slash 1 delegated > chain'])
  t.same(losses({ ...fallen, after: two(slashed, 6n * DEC) }, []), [], 'nor where shares of the former one are gone')
  const added = ends({ before: STATE, after: two(WHOLE, 0n) })
  t.same(lostWith(added), [], 'one that the settings name only now has lost nothing')
  t.end()
})
