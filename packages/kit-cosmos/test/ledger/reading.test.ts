import { QueryDelegationRewardsResponse, QueryDelegationTotalRewardsResponse } from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import t from 'tap'
import { ACCOUNT, At, accountInfo, hubOne, nodeOf, notFound, status, type Table, wholeAccount } from '../support/node.ts'
import { alone, DELEGATION, delegation, REWARDS, stakingOn, UNBONDING, VALIDATOR, validator } from '../support/staking.ts'
import { one } from '../support/vectors.ts'

const E18 = 10n ** 18n
const WHOLE_ACCOUNT = '/cosmos.auth.v1beta1.Query/Account'
const OWED = '/cosmos.distribution.v1beta1.Query/DelegationRewards'
const HASH = 'AB'.repeat(32)
const FORMER = 'cosmosvaloper1xvenxvenxvenxvenxvenxvenxvenxvene23vre'
const MARK = { height: 900n, hash: HASH, time: new Date(0), epoch: null }

/** Rewards of one validator by denomination, in parts of a coin. */
type Coins = Readonly<Record<string, bigint>>

/**
 * A delegation of 5, of which rewards of 2 wait.
 *
 * @param heights at which the delegation is told, wave by wave; all else is told at 1000
 * @param coins rewards by validator, the present one first, as the question over all of them tells them
 * @param again the same as the question over each of them does
 * @param known denominations that the book keeps so far
 */
async function read(
  heights: readonly bigint[],
  {
    coins = [{ uatom: 2n * E18 }],
    again = coins,
    known,
  }: { coins?: readonly Coins[]; again?: readonly Coins[]; known?: readonly string[] } = {},
) {
  const validators = [one.validator, FORMER].slice(0, coins.length)
  const validatorIn = (request: Buffer) => validators.findIndex((each) => request.includes(each))
  const listOf = (owed: Coins = {}) => Object.entries(owed).map(([denom, amount]) => ({ denom, amount: String(amount) }))
  let wave = 0
  const live = status(one.chainId)
  const table: Table = {
    ...alone,
    [DELEGATION]: (request: Buffer) =>
      validatorIn(request) === 0 ? new At(heights[wave++] ?? 1000n, delegation(5n)) : notFound('delegation'),
    [VALIDATOR]: (request: Buffer) => validator({ operatorAddress: validators[validatorIn(request)] }),
    [UNBONDING]: notFound('unbonding'),
    [REWARDS]: QueryDelegationTotalRewardsResponse.encode(
      QueryDelegationTotalRewardsResponse.fromPartial({
        rewards: validators.map((validatorAddress, at) => ({ validatorAddress, reward: listOf(coins[at]) })),
      }),
    ).finish(),
    [OWED]: (request: Buffer) => QueryDelegationRewardsResponse.encode({ rewards: listOf(again[validatorIn(request)]) }).finish(),
    [ACCOUNT]: accountInfo(one.address, one.accountNumber, one.sequence),
    [WHOLE_ACCOUNT]: wholeAccount(9),
    status: { ...live, sync_info: { ...live.sync_info, latest_block_height: '1000', latest_block_hash: HASH } },
    blockchain: {
      block_metas: [{ block_id: { hash: HASH }, header: { chain_id: one.chainId, height: '1000', time: '2026-11-21T12:00:00Z' } }],
    },
  }
  const node = nodeOf(table)
  const { ctx, protocol } = stakingOn(node, { former_validators: validators.slice(1) }, { ...hubOne, sequenced: true })
  const before = known && { mark: MARK, amounts: {}, keep: { denoms: known.join(' ') } }
  return { reading: protocol.book!.reading(ctx as never, one.address, before), waves: () => wave, node }
}

t.test('a reading is of one height, in one wave and the block behind it', async (t) => {
  const { reading, waves, node } = await read([])
  t.match(await reading, { mark: { height: 1000n, hash: HASH }, amounts: { delegated: 5n, rewards: 2n } })
  t.equal(waves(), 1)
  t.equal(node.requests.length, 2)
})

t.test('where a block comes in the middle of a wave another one is asked at once, and four at most', async (t) => {
  const { reading, waves } = await read([1001n, 999n])
  t.match(await reading, { mark: { height: 1000n }, amounts: { delegated: 5n } })
  t.equal(waves(), 3)
  const torn = await read([1001n, 1001n, 1001n, 1001n, 1001n])
  await t.rejects(torn.reading, { code: 'UPSTREAM_BEHIND' })
  t.equal(torn.waves(), 4)
})

t.test('rewards in each denomination are what each validator would pay by itself, in whole units', async (t) => {
  const half = E18 / 2n
  const coins: readonly Coins[] = [
    { uatom: 2n * E18 + half, 'ibc/27': 3n * E18 + half, udust: half, constructor: E18 },
    { uatom: half, 'ibc/27': E18 + half, uother: 10n ** 70n * E18 },
  ]
  const { reading, node } = await read([], { coins })
  const { amounts, keep } = await reading
  t.same(amounts, {
    delegated: 5n,
    rewards: 2n,
    'foreign:denom:constructor': 1n,
    'foreign:denom:ibc%2F27': 4n,
    'foreign:denom:uother': 10n ** 70n,
  })
  t.match(keep, { denoms: 'constructor ibc/27 uother' }, 'what nobody can claim is not there')
  t.notOk('left_out' in keep)
  const alone = await read([], { coins: [{ uatom: E18 }, { uatom: E18 }] })
  await alone.reading
  t.same(node.requests, alone.node.requests, 'and costs no call')
})

t.test('what the two questions about rewards tell has to be one, denomination by denomination', async (t) => {
  const owed = { uatom: 2n * E18, 'ibc/27': 3n * E18 }
  for (const other of [
    { ...owed, 'ibc/27': 4n * E18 },
    { uatom: 2n * E18 },
    { ...owed, uother: E18 },
    { uatom: 2n * E18, 'ibc/28': 3n * E18 },
    { ...owed, uatom: 3n * E18 },
  ]) {
    await t.rejects((await read([], { coins: [owed], again: [other as Coins] })).reading, { code: 'UPSTREAM_ERROR' })
    await t.rejects((await read([], { coins: [other as Coins], again: [owed] })).reading, { code: 'UPSTREAM_ERROR' })
  }
  const dust = { ...owed, udust: E18 - 1n }
  t.match(await (await read([], { coins: [owed], again: [dust] })).reading, { amounts: { 'foreign:denom:ibc%2F27': 3n } })
  for (const denom of ['=cmd', 'factory/osmo1/=cmd', '<i>'])
    await t.rejects((await read([], { coins: [{ ...owed, [denom]: E18 }] })).reading, { code: 'UPSTREAM_ERROR' }, denom)
})

t.test('a stranger who pays in thousands of denominations takes no room from those that the book keeps', async (t) => {
  const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`a${String(index).padStart(4, '0')}`, E18]))
  const known = Array.from({ length: 63 }, (_, index) => `ibc/${index}x`)
  const { reading } = await read([], { coins: [{ uatom: 2n * E18, ...many, 'ibc/7x': 5n * E18 }], known })
  const { amounts, keep } = await reading
  t.same(amounts, { delegated: 5n, rewards: 2n, 'foreign:denom:ibc%2F7x': 5n, 'foreign:denom:a0000': 1n })
  t.match(keep, { denoms: [...known, 'a0000'].join(' '), left_out: 'yes' })
})
