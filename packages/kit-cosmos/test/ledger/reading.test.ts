import { QueryDelegationRewardsResponse } from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import t from 'tap'
import { ACCOUNT, At, accountInfo, hubOne, nodeOf, notFound, status, type Table, wholeAccount } from '../support/node.ts'
import { alone, DELEGATION, delegation, REWARDS, rewards, stakingOn, UNBONDING, VALIDATOR, validator } from '../support/staking.ts'
import { one } from '../support/vectors.ts'

const E18 = 10n ** 18n
const WHOLE_ACCOUNT = '/cosmos.auth.v1beta1.Query/Account'
const OWED = '/cosmos.distribution.v1beta1.Query/DelegationRewards'
const HASH = 'AB'.repeat(32)

/** A delegation of 5, of which rewards of 2 wait. @param heights at which the delegation is told, wave by wave; all else is told at 1000 */
async function read(heights: readonly bigint[]) {
  let wave = 0
  const live = status(one.chainId)
  const owed = QueryDelegationRewardsResponse.encode({ rewards: [{ denom: 'uatom', amount: String(2n * E18) }] }).finish()
  const table: Table = {
    ...alone,
    [DELEGATION]: () => new At(heights[wave++] ?? 1000n, delegation(5n)),
    [VALIDATOR]: validator(),
    [UNBONDING]: notFound('unbonding'),
    [REWARDS]: rewards([[one.validator, 'uatom', 2n * E18]]),
    [OWED]: owed,
    [ACCOUNT]: accountInfo(one.address, one.accountNumber, one.sequence),
    [WHOLE_ACCOUNT]: wholeAccount(9),
    status: { ...live, sync_info: { ...live.sync_info, latest_block_height: '1000', latest_block_hash: HASH } },
    blockchain: {
      block_metas: [{ block_id: { hash: HASH }, header: { chain_id: one.chainId, height: '1000', time: '2026-11-21T12:00:00Z' } }],
    },
  }
  const node = nodeOf(table)
  const { ctx, protocol } = stakingOn(node, {}, { ...hubOne, sequenced: true })
  return { reading: protocol.book!.reading(ctx as never, one.address), waves: () => wave, node }
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
