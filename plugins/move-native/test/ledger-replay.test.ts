import { bcs } from '@mysten/sui/bcs'
import { normalizeStructTag } from '@mysten/sui/utils'
import type { ObjectChange, OwnersTransaction } from '@svc/kit-move'
import t from 'tap'
import { FUNGIBLE_STAKED_SUI, STAKED_SUI } from '../src/chain/layouts.ts'
import type { RateOf } from '../src/ledger/rates.ts'
import { placesOf, replay } from '../src/ledger/replay.ts'
import { factsOf, type PositionState, stateOf } from '../src/ledger/state.ts'

const id = (digit: string) => `0x${digit.repeat(64)}`
const [WALLET, OTHER, POOL, STAKE, PART, SHARE] = ['a', 'b', 'c', '1', '2', '3'].map(id) as [string, string, string, string, string, string]
/** A token is worth one SUI at epoch 10, a hundredth more at each epoch after it. */
const rateOf: RateOf = (_pool, epoch) => ({ sui: 100n + epoch - 10n, tokens: 100n })

const bytes = (...parts: readonly (string | bigint)[]) =>
  new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? bcs.Address.serialize(part) : bcs.u64().serialize(part)).toBytes())),
  )
const stake = (version: bigint, principal: bigint, of = STAKE) => ({ id: of, version, pool: POOL, activationEpoch: 10n, principal })
const share = (version: bigint, value: bigint) => ({ id: SHARE, version, pool: POOL, value })
const state = (owner: string, { id: own, version, ...of }: ReturnType<typeof stake> | ReturnType<typeof share>) => ({
  version,
  owner,
  contents: 'value' in of ? bytes(own, of.pool, of.value) : bytes(own, of.pool, of.activationEpoch, of.principal),
})
const change = (before: ObjectChange['before'], after: ObjectChange['after'], of = STAKE, type = STAKED_SUI): ObjectChange => ({
  id: of,
  type,
  before,
  after,
  isWhole: before === null || after === null,
})
const event = (name: string, ...parts: readonly (string | bigint)[]) => ({
  type: normalizeStructTag(`0x3::validator::${name}`),
  contents: bytes(...parts),
})
const position = (epoch: bigint, stakes: PositionState['stakes'], shares: PositionState['shares'] = []): PositionState => ({
  epoch,
  stakes,
  shares,
  tables: new Map([[POOL, { table: id('d'), since: 0n }]]),
})
const transaction = (
  changes: readonly ObjectChange[],
  events: OwnersTransaction['events'] = [],
  sender = WALLET,
  epoch = 15n,
): OwnersTransaction => ({
  digest: 'D',
  checkpoint: 7n,
  time: new Date(0),
  epoch,
  sender,
  changes,
  events,
})

const [BEFORE, EMPTY] = [position(12n, [stake(1n, 1000n)]), position(16n, [])]
const gone = change(state(WALLET, stake(1n, 1000n)), null)
const unstaking = (reward: bigint, principal = 1000n, staker = WALLET) =>
  event('UnstakingRequestEvent', POOL, id('e'), staker, 10n, 15n, principal, reward)
const told = (before: PositionState, after: PositionState, ...transactions: readonly OwnersTransaction[]) => {
  const { flows, missing, earning } = replay(WALLET, before, after, transactions, rateOf)
  return [missing, earning, ...flows.map(({ kind, amount, from, to }) => `${kind} ${amount} ${from} > ${to}`)]
}
const unknown = (reason: string) => [reason, { unknown: 'claims_not_known' }]

t.test('a withdrawal pays what the rates say, and nothing else is believed', async (t) => {
  t.same(told(BEFORE, EMPTY, transaction([gone], [unstaking(50n)])), [
    null,
    { least: 30n, most: 30n },
    'withdrawal 1000 stake > wallet',
    'claim 50 rewards > wallet',
  ])
  t.same(told(BEFORE, EMPTY, transaction([gone], [unstaking(51n)])), unknown('claims_not_known'), 'another reward')
  t.same(told(BEFORE, EMPTY, transaction([gone], [unstaking(50n, 999n)])), unknown('flow_missing'), 'another principal')
  t.same(told(BEFORE, EMPTY, transaction([gone])), unknown('flow_missing'), 'no event')
  t.same(told(BEFORE, EMPTY, transaction([gone], [unstaking(50n, 1000n, OTHER)])), unknown('endpoint_disagrees'), "another's event")
  t.same(told(BEFORE, EMPTY, transaction([gone], [unstaking(70n)], WALLET, 17n)), unknown('endpoint_disagrees'), 'after the interval')
  t.same(told(BEFORE, EMPTY, transaction([gone], [unstaking(10n)], WALLET, 11n)), unknown('endpoint_disagrees'), 'before it')
})

t.test('each transaction takes what the one before it left', async (t) => {
  t.same(told(BEFORE, EMPTY), unknown('flow_missing'), 'a transaction is missing')
  const later = transaction([change(state(WALLET, stake(2n, 1000n)), null)], [unstaking(50n)])
  t.same(told(BEFORE, EMPTY, later), unknown('flow_missing'), 'another version')
  const unread = transaction([change({ version: 1n, owner: WALLET, contents: null }, null)], [unstaking(50n)])
  t.same(told(BEFORE, EMPTY, unread), unknown('pruned'), 'no content')
  const used = transaction([change(state(WALLET, stake(1n, 1000n)), state(WALLET, stake(2n, 1000n)))])
  t.same(told(BEFORE, position(16n, [stake(2n, 1000n)]), used), [null, { least: 40n, most: 40n }], 'a new version of the same')
  t.same(told(BEFORE, position(16n, [stake(1n, 1000n)]), used), unknown('flow_missing'), 'which is not what was read')
  t.same(
    replay(WALLET, BEFORE, EMPTY, [transaction([gone], [unstaking(50n)])], () => null).missing,
    'not_declared',
    'a rate that is not known',
  )
})

t.test('a split is rounded within its bound, and what is given away takes its rewards along', async (t) => {
  const split = [
    change(state(WALLET, stake(1n, 1000n)), state(WALLET, stake(2n, 989n))),
    change(null, state(WALLET, stake(2n, 11n, PART)), PART),
  ]
  const parts = [stake(2n, 989n), stake(2n, 11n, PART)]
  t.same(told(BEFORE, position(16n, parts), transaction(split)), [null, { least: 40n, most: 40n }, 'rounding 1 rewards > chain'])
  const [first] = split
  const given = [first!, change(null, state(OTHER, stake(2n, 11n, PART)), PART)]
  t.same(told(BEFORE, position(16n, [stake(2n, 989n)]), transaction(given)), [
    null,
    { least: 40n, most: 40n },
    'transfer_out 11 stake > others',
    'transfer_out 1 rewards > others',
  ])
  t.same(told(BEFORE, position(16n, [stake(2n, 989n)]), transaction([first!])), unknown('flow_missing'), 'a part is nowhere')
  const wrapped = transaction([{ ...gone, isWhole: false }])
  t.same(
    told(BEFORE, EMPTY, wrapped).slice(2),
    ['transfer_out 1000 stake > others', 'transfer_out 50 rewards > others'],
    'put into an object',
  )
})

t.test('fungible stake is units and worth', async (t) => {
  const made = change(null, state(WALLET, share(2n, 1000n)), SHARE, FUNGIBLE_STAKED_SUI)
  const converting = (value: bigint) => event('ConvertingToFungibleStakedSuiEvent', POOL, 10n, 1000n, value)
  const shares = position(16n, [], [share(2n, 1000n)])
  t.same(told(BEFORE, shares, transaction([gone, made], [converting(1000n)])).slice(2), [
    `tokenize 1000 stake > fungible_worth:${POOL}`,
    `tokenize 50 rewards > fungible_worth:${POOL}`,
    `tokenize 1000 chain > fungible:${POOL}`,
  ])
  t.same(told(BEFORE, shares, transaction([gone, made], [converting(1001n)])), unknown('endpoint_disagrees'), 'more tokens')
  const redeemed = change(state(WALLET, share(2n, 1000n)), null, SHARE, FUNGIBLE_STAKED_SUI)
  const redeeming = (amount: bigint, value = 1000n) => event('RedeemingFungibleStakedSuiEvent', POOL, value, amount)
  const at = (...events: OwnersTransaction['events']) => told(position(12n, [], [share(2n, 1000n)]), EMPTY, transaction([redeemed], events))
  t.same(at(redeeming(1048n)).slice(2), [`withdrawal 1000 fungible:${POOL} > chain`, `withdrawal 1048 fungible_worth:${POOL} > wallet`])
  t.same(at(redeeming(1051n)), unknown('endpoint_disagrees'), 'more than it is worth')
  t.same(at(redeeming(1046n)), unknown('endpoint_disagrees'), 'less than rounding takes')
  t.same(at(redeeming(1049n, 999n)), unknown('flow_missing'), 'other units')
})

t.test('facts of a position are read as they were written, and none are kept of too many objects', async (t) => {
  const whole = position(12n, [stake(1n, 1000n), stake(3n, 7n, PART)], [share(2n, 5n)])
  t.same(stateOf(factsOf(whole) ?? {}), whole)
  t.equal(factsOf({ ...whole, stakes: Array.from({ length: 500 }, () => stake(1n, 1n)) }), null)
  t.equal(stateOf({}), null)
  t.ok(placesOf(whole, EMPTY, []).every(({ epoch }) => epoch <= 16n))
})
