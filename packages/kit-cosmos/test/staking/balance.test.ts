import { QueryRedelegationsResponse } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import t from 'tap'
import { At, NodeRefusal, nodeOf, notFound, type Table } from '../support/node.ts'
import { alone, DELEGATION, delegation, REDELEGATIONS, REWARDS, rewards, stakingOn, UNBONDING, unbondings } from '../support/staking.ts'
import { one, two } from '../support/vectors.ts'

const E18 = 10n ** 18n
const empty: Table = {
  ...alone,
  [DELEGATION]: notFound('delegation'),
  [UNBONDING]: notFound('unbonding'),
  [REWARDS]: rewards([]),
}

async function balance(change: Table = {}) {
  const node = nodeOf({ ...empty, ...change })
  const { ctx, protocol } = stakingOn(node)
  return { balance: await protocol.balance(ctx, one.address), node }
}

t.test('an address that never staked has nothing, in one round trip', async (t) => {
  const { balance: found, node } = await balance()
  const nothing = { staked: 0n, activating: null, deactivating: 0n, withdrawing: null, rewards: 0n }
  t.same(found, {
    ...nothing,
    objects: [],
    control: [],
    height: 1000n,
    parts: [{ validator: one.validator, isFormer: false, ...nothing, share: { own: 0n, tokens: 0n, shares: 0n } }],
  })
  t.same(node.requests, [6], 'the state of the node is the sixth')
})

t.test('a position: stake, whole units of rewards, and unbonding entries by their present worth', async (t) => {
  const { balance: found } = await balance({
    [DELEGATION]: delegation(123_456_789n),
    [REWARDS]: rewards([[one.validator, 'uatom', 2n * E18 + (E18 * 9n) / 10n]]),
    [UNBONDING]: unbondings([
      { id: 41n, balance: 5n, initial: 10n, at: '2026-12-01T00:00:00Z', nanos: 987_654_321 },
      { id: 0n, balance: 7n, at: '2026-12-02T00:00:00Z' },
      { id: 42n, balance: 11n, at: '2020-01-01T00:00:00Z' },
    ]),
  })
  const shared = {
    type: 'withdrawal_request',
    status: 'deactivating',
    rewards: null,
    validator: one.validator,
    activationEpoch: null,
    withdrawableEpoch: null,
  }
  const buckets = { staked: 123_456_789n, activating: null, deactivating: 23n, withdrawing: null, rewards: 2n }
  t.same(found, {
    ...buckets,
    control: [],
    height: 1000n,
    parts: [
      {
        validator: one.validator,
        isFormer: false,
        ...buckets,
        share: { own: 123_456_789n * E18, tokens: 123_456_789n, shares: 123_456_789n * E18 },
      },
    ],
    objects: [
      { id: '41', ...shared, amount: 5n, holds: 10n, withdrawableAt: new Date('2026-12-01T00:00:00.987Z') },
      { id: '42', ...shared, amount: 11n, holds: 11n, withdrawableAt: new Date('2020-01-01T00:00:00Z') },
    ],
  })
})

t.test('rewards are those of the validator in the token of the chain, wherever they stand', async (t) => {
  const other = 'cosmosvaloper1xvenxvenxvenxvenxvenxvenxvenxvene23vre'
  const owed = rewards([
    [other, 'uatom', 9n * E18],
    [one.validator, 'uatom', 3n * E18],
  ])
  t.equal((await balance({ [REWARDS]: owed })).balance.rewards, 3n)
  t.equal((await balance({ [REWARDS]: rewards([[one.validator, 'ibc/ABC', 3n * E18]]) })).balance.rewards, 0n)
})

t.test('a part that cannot be read is a 502, never a zero', async (t) => {
  for (const path of [DELEGATION, UNBONDING, REWARDS])
    await t.rejects(balance({ [path]: new NodeRefusal(18, 'invalid height') }), { statusCode: 502, code: 'UPSTREAM_ERROR' }, path)
  for (const path of [DELEGATION, UNBONDING])
    await t.rejects(balance({ [path]: new Uint8Array() }), { statusCode: 502, code: 'UPSTREAM_ERROR' }, `${path} empty`)
})

t.test('a position that a block has torn apart is read once more, and tells no height where it is torn again', async (t) => {
  const read = async (heights: readonly bigint[]) => {
    const rest = [...heights]
    const { balance: found, node } = await balance({
      [DELEGATION]: () => new At(rest.shift() ?? 0n, delegation(7n)),
      [UNBONDING]: () => new At(20n, unbondings([])),
    })
    return [found.height, node.requests.length]
  }
  t.same(await read([20n]), [20n, 1])
  t.same(await read([19n, 20n]), [20n, 2])
  t.same(await read([19n, 21n]), [undefined, 2])
})

t.test('moves of stake are those after a height', async (t) => {
  const entry = (creationHeight: bigint, initialBalance: string) => ({
    redelegationEntry: { creationHeight, initialBalance },
    balance: '1',
  })
  const answered = (delegatorAddress: string, amount = '5') =>
    QueryRedelegationsResponse.encode(
      QueryRedelegationsResponse.fromPartial({
        redelegationResponses: [
          {
            redelegation: { delegatorAddress, validatorSrcAddress: one.validator, validatorDstAddress: 'v2' },
            entries: [entry(9n, '3'), entry(10n, '4'), entry(11n, amount)],
          },
        ],
      }),
    ).finish()
  const moves = async (answer: unknown, after = 10n) => {
    const { ctx, protocol } = stakingOn(nodeOf({ [REDELEGATIONS]: answer }))
    return protocol.redelegations?.(ctx, one.address, after)
  }
  t.same(await moves(answered(one.address)), [{ from: one.validator, to: 'v2', amount: 5n }])
  t.equal((await moves(answered(one.address), 0n))?.length, 3)
  t.same(await moves(Uint8Array.of(0x12, 0)), [])
  t.same(await moves(notFound('redelegation')), [])
  for (const lie of [
    answered(two.address),
    answered(one.address, '1.5'),
    answered(one.address, String(2n ** 128n)),
    new NodeRefusal(18, 'no'),
  ])
    await t.rejects(moves(lie), { statusCode: 502, code: 'UPSTREAM_ERROR' })
})
