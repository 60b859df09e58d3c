// A claim that costs its fee and pays nothing, on a chain that parks rewards. Measured on celestia-appd v6.2.5 on 2026-11-23: one unit staked, 1,259 parked.
import { SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import t from 'tap'
import type { CosmosChain } from '../../src/index.ts'
import { ACCOUNT, accountInfo, answersOne, gasUsed, hubOne, NodeRefusal, nodeOf, notFound, SIMULATE, type Table } from '../support/node.ts'
import {
  DELEGATION,
  delegation,
  OUTSTANDING,
  outstanding,
  REWARDS,
  rewardsIn,
  stakingOn,
  VALIDATOR,
  validator,
} from '../support/staking.ts'
import { key, one } from '../support/vectors.ts'

const E18 = 10n ** 18n
const parking: CosmosChain = { ...hubOne, parksRewards: true }
const parked = 1_259n * E18
const good: Table = {
  ...answersOne(100_000n),
  [DELEGATION]: delegation(1n),
  [OUTSTANDING]: outstanding({}),
  // Something has accrued since the last change, and less than a unit.
  [REWARDS]: rewardsIn({ uatom: parked + 1n }),
  [SIMULATE]: gasUsed(100_000n, '0uatom'),
}

async function claim(change: Table = {}, chain = parking) {
  const node = nodeOf({ ...good, ...change })
  const crafted = await stakingOn(node, {}, chain).act('claim-rewards', { pubkey: key.compressed })
  return { ...crafted, node }
}

t.test('a claim that is seen to pay nothing is refused, with what the chain keeps and when it pays', async (t) => {
  const refused = { statusCode: 400, code: 'CLAIM_PAYS_NOTHING' }
  await t.rejects(claim(), {
    ...refused,
    message:
      /pays the 0\.001259 ATOM owed to cosmos1mnyn7x24xj6vraxeeq56dfkxa009tvhgknhm04 only along with a new reward.* nothing is staked any more.* less than a unit of new/,
  })
  await t.rejects(claim(), { message: /0\.001259/ })
  await t.rejects(claim({ [SIMULATE]: gasUsed(100_000n, '0stake') }), refused, 'nothing is written in the default denomination')
  await t.rejects(claim({ [SIMULATE]: gasUsed(100_000n, '') }), refused)
  await t.rejects(
    claim({ [REWARDS]: rewardsIn({ uatom: parked, 'ibc/AB': 1n }) }),
    refused,
    'what has accrued in another denomination has accrued since the last change too',
  )
})

t.test('where nothing has accrued, the stake and its validator say whether the next block can bring a unit', async (t) => {
  const still = { [REWARDS]: rewardsIn({ uatom: parked }), [VALIDATOR]: validator(), [DELEGATION]: delegation(8_766_000n) }
  // 6 s of 60 % a year are one of 8,766,000.
  const { node } = await claim(still)
  t.equal(node.requests.length, 3, 'one wave more, of two questions, where the delegation may have changed in the last block')
  await t.rejects(claim({ ...still, [DELEGATION]: delegation(8_765_999n) }), {
    statusCode: 400,
    code: 'CLAIM_PAYS_NOTHING',
    message: /the 8765999 base units that are staked bring none of that in a block/,
  })
  for (const idle of [{ jailed: true }, { status: 2 }, { status: 1 }])
    await t.rejects(claim({ ...still, [VALIDATOR]: validator(idle) }), {
      statusCode: 400,
      code: 'CLAIM_PAYS_NOTHING',
      message: /earns nothing at present/,
    })
  t.ok(await claim({ ...still, [VALIDATOR]: notFound('validator') }), 'a validator that is gone proves nothing')
  await t.rejects(
    claim({ ...still, [VALIDATOR]: Buffer.from('ff', 'hex') }),
    { statusCode: 502, code: 'UPSTREAM_ERROR' },
    'no answer is none',
  )
})

t.test('of a unit that is staked no claim is crafted, as often as it is asked for', async (t) => {
  const node = nodeOf({ ...good, [REWARDS]: rewardsIn({ uatom: parked }), [VALIDATOR]: validator() })
  const { act } = stakingOn(node, {}, parking)
  for (let again = 0; again < 3; again++)
    await t.rejects(act('claim-rewards', { pubkey: key.compressed }), {
      code: 'CLAIM_PAYS_NOTHING',
      message: /the 1 base units that are staked bring none/,
    })
})

t.test('a chain that parks nothing is not paid for a claim of nothing either', async (t) => {
  await t.rejects(claim({}, hubOne), {
    statusCode: 400,
    code: 'CLAIM_PAYS_NOTHING',
    message:
      /0\.001259 ATOM owed to cosmos1mnyn7x24xj6vraxeeq56dfkxa009tvhgknhm04 may have been paid along with that change\. Look at the balance/,
  })
})

t.test('a claim is crafted wherever it pays, or nobody can tell', async (t) => {
  const cases: Readonly<Record<string, Table>> = {
    'it pays': { [SIMULATE]: gasUsed(100_000n, '1260uatom') },
    'it pays another denomination': { [SIMULATE]: gasUsed(100_000n, '2ibc/AB') },
    'nothing is staked any more': { [DELEGATION]: notFound('delegation'), [SIMULATE]: gasUsed(100_000n, '1259uatom') },
    'no event tells of a payout': {
      [SIMULATE]: SimulateResponse.encode(SimulateResponse.fromPartial({ gasInfo: { gasUsed: 100_000n } })).finish(),
    },
  }
  for (const [name, change] of Object.entries(cases)) t.ok((await claim(change)).unsigned, name)
})

t.test('what the simulation paid counts after a sequence that moved, and not what was read before', async (t) => {
  const moved = (paid: string): Table => {
    let sequence = one.sequence
    const stale = new NodeRefusal(
      18,
      'rpc error: code = Unknown desc = account sequence mismatch, expected 8, got 7: incorrect account sequence',
    )
    return {
      [ACCOUNT]: () => accountInfo(one.address, one.accountNumber, sequence),
      [SIMULATE]: () => {
        sequence += 1n
        return sequence === one.sequence + 1n ? stale : gasUsed(100_000n, paid)
      },
    }
  }
  t.ok((await claim(moved('1260uatom'))).unsigned)
  const others = { [VALIDATOR]: validator(), [DELEGATION]: delegation(10n ** 12n) }
  t.ok((await claim({ ...moved('0uatom'), ...others })).unsigned, 'in the block of the change')
  await t.rejects(claim({ ...moved('0uatom'), ...others, [DELEGATION]: delegation(1n) }), { code: 'CLAIM_PAYS_NOTHING' })
  await t.rejects(claim(moved('0uatom'), hubOne), { code: 'CLAIM_PAYS_NOTHING' })
})
