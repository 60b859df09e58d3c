import type { Balance } from '@svc/contract'
import { differences } from '@svc/core/plugins'
import t from 'tap'
import type { CosmosReceipt } from '../../src/index.ts'
import { now } from '../support/node.ts'
import { plugin, stakingOn } from '../support/staking.ts'
import { one } from '../support/vectors.ts'

const { network } = stakingOn({ fetch: async () => Response.error() }).ctx
const { moved, due } = plugin.protocol
const other = 'cosmosvaloper1other'
const event = (type: string, attributes: Record<string, string>, of: string | null = '0') => ({
  type,
  attributes: of === null ? attributes : { ...attributes, msg_index: of },
})
const fee = [
  event('coin_spent', { spender: one.address, amount: '1500uatom' }, null),
  event('tx', { fee: '1500uatom', fee_payer: one.address }, null),
  event('tx', { acc_seq: `${one.address}/7` }, null),
]
const tell = (events: CosmosReceipt['events'], unbondings: CosmosReceipt['unbondings'] = [], wallet: string | null = one.address) =>
  moved!(network, { height: 9n, events: [...fee, ...events], unbondings } as never, wallet)
const native = (kind: string, amount: bigint) => ({ kind, asset: 'native', amount })
const spent = (amount: string, spender: string = one.address) => event('coin_spent', { spender, amount })
const received = (amount: string, receiver: string = one.address) => event('coin_received', { receiver, amount })
const delegated = (amount: string) => event('delegate', { validator: one.validator, delegator: one.address, amount, new_shares: '1.0' })
const unbonded = (amount: string, validator: string = one.validator) => event('unbond', { validator, delegator: one.address, amount })

t.test('a stake leaves the wallet and is staked; rewards that are paid along with it arrive', async (t) => {
  const moves = [native('leaves', 1_500_000n), native('staked', 1_500_000n)]
  const stake = [spent('1500000uatom'), received('1500000uatom', 'cosmos1pool'), delegated('1500000uatom')]
  t.same(tell(stake), { moves, objectIds: [] })
  t.same(tell(stake, [], null), { moves, objectIds: [] }, 'whoever used the sequence is the wallet')
  const rewarded = [spent('7uatom,3ibc/27A', 'cosmos1module'), received('7uatom,3ibc/27A'), ...stake]
  t.same(tell(rewarded), { moves: [...moves, native('arrives', 7n)], objectIds: [] })
  const promised = moves.map((each) => ({ ...each, kind: each.kind as 'leaves', asset: each.asset }))
  t.same(differences(promised, tell(rewarded)), [])
  t.match(differences(promised, tell([spent('1500000uatom'), delegated('1499999uatom')])), [
    { kind: 'staked', promised: 1_500_000n, moved: 1_499_999n },
  ])
})

t.test('an exit is freed, and its entry with the validator is what it made', async (t) => {
  const entries = [
    { validator: other, id: 4n },
    { validator: one.validator, id: 5n },
  ]
  t.same(tell([unbonded('750000uatom')], entries), { moves: [native('freed', 750_000n)], cuts: ['freed'], objectIds: ['5'] })
  t.same(tell([unbonded('750000uatom', other)], entries), { moves: [native('freed', 750_000n)], cuts: ['freed'], objectIds: [] })
  t.same(tell([unbonded('750000uatom')]), { moves: [native('freed', 750_000n)], cuts: ['freed'], objectIds: [] })
  const nothing = tell([unbonded('0uatom'), received('417uatom')], entries)
  t.same(nothing, { moves: [native('arrives', 417n)], cuts: ['freed'], objectIds: ['5'] }, 'one base unit, cut to none')
  t.same(differences([{ kind: 'freed', asset: 'native', amount: 1n }], nothing), [])
  t.equal(differences([{ kind: 'freed', asset: 'native', amount: 2n }], nothing).length, 1)
})

t.test('a claim arrives, or does not where it is paid to another address', async (t) => {
  const claim = event('withdraw_rewards', { amount: '42uatom', validator: one.validator, delegator: one.address })
  t.same(tell([received('42uatom'), claim]).moves, [native('arrives', 42n)])
  t.same(tell([received('42uatom', 'cosmos1other'), claim]).moves, [native('arrives', 0n)])
})

t.test('amounts of others and amounts that cannot be are not told', async (t) => {
  t.same(tell([spent('5uatom', 'cosmos1other'), received('5utia')]), { moves: [], objectIds: [] })
  t.throws(() => tell([received(`${1n << 128n}uatom`)]))
})

t.test('a position changes next when its first exit is paid, which takes a block more', async (t) => {
  const position = (...times: (Date | null)[]): Balance => ({
    staked: 0n,
    activating: null,
    deactivating: 1n,
    withdrawing: null,
    rewards: 0n,
    objects: times.map((withdrawableAt, id) => ({
      id: String(id),
      type: 'withdrawal_request',
      status: 'deactivating',
      amount: 1n,
      rewards: null,
      validator: one.validator,
      activationEpoch: null,
      withdrawableEpoch: null,
      withdrawableAt,
    })),
  })
  const { ctx } = stakingOn({ fetch: async () => Response.error() })
  const at = (seconds: number) => new Date(now.getTime() + seconds * 1000)
  const next = (...times: (Date | null)[]) => due!(ctx, one.address, position(...times))
  t.equal(await next(), null)
  t.equal(await next(null), null)
  t.same(await next(at(900), at(600)), at(615))
  t.same(await next(at(-5)), at(15), 'one that is late is looked at again soon')
})
