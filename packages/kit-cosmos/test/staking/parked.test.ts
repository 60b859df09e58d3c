// A claim that costs its fee and pays nothing, on a chain that parks rewards. Measured on celestia-appd v6.2.5 on 2026-11-23: one unit staked, 1,259 parked.
import { SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import t from 'tap'
import type { CosmosChain } from '../../src/index.ts'
import { ACCOUNT, accountInfo, answersOne, gasUsed, hubOne, nodeOf, notFound, Refused, SIMULATE, type Table } from '../support/node.ts'
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
      /keeps? for cosmos1mnyn7x24xj6vraxeeq56dfkxa009tvhgknhm04 only along with a new reward.* nothing is staked any more.* less than a unit of new/,
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

t.test('where nothing has accrued, the validator says whether anything can', async (t) => {
  const still = { [REWARDS]: rewardsIn({ uatom: parked }) }
  const { node } = await claim({ ...still, [VALIDATOR]: validator() })
  t.equal(node.requests.length, 3, 'one wave more, of one question, where the delegation may have changed in the last block')
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
  t.ok((await claim({}, hubOne)).unsigned, 'a chain that pays when a delegation changes parks nothing')
})

t.test('after a sequence that moved the rewards that were read prove nothing', async (t) => {
  let sequence = one.sequence
  const stale = new Refused(18, `rpc error: code = Unknown desc = account sequence mismatch, expected 8, got 7: incorrect account sequence`)
  const change: Table = {
    [ACCOUNT]: () => accountInfo(one.address, one.accountNumber, sequence),
    [SIMULATE]: () => {
      sequence += 1n
      return sequence === one.sequence + 1n ? stale : gasUsed(100_000n, '0uatom')
    },
  }
  t.ok((await claim(change)).unsigned)
})
