import { toBech32 } from '@cosmjs/encoding'
import { QueryDelegatorWithdrawAddressResponse } from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import { QuerySigningInfoRequest } from 'cosmjs-types/cosmos/slashing/v1beta1/query'
import { MsgUndelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import t from 'tap'
import { answersOne, hubOne, NodeRefusal, nodeOf, notFound, SIMULATE, type Table } from '../support/node.ts'
import {
  DELEGATION,
  delegation,
  OUTSTANDING,
  outstanding,
  PARAMS,
  params,
  REWARDS,
  rewards,
  rewardsIn,
  SIGNING,
  signing,
  stakingOn,
  UNBONDING,
  unbondings,
  VALIDATOR,
  validator,
  WITHDRAW,
} from '../support/staking.ts'
import { key, one } from '../support/vectors.ts'

const E18 = 10n ** 18n
const pubkey = key.compressed
const good: Table = {
  ...answersOne(300_000n),
  [VALIDATOR]: validator(),
  [DELEGATION]: delegation(750_000n),
  [UNBONDING]: notFound('unbonding delegation'),
  [PARAMS]: params(),
  [REWARDS]: rewards([[one.validator, 'uatom', 5n * E18]]),
  [OUTSTANDING]: outstanding({}),
}

async function act(action: string, input: object, change: Table = {}) {
  const node = nodeOf({ ...good, ...change })
  const crafted = await stakingOn(node).act(action, { pubkey, ...input })
  return { ...crafted, node }
}

t.test('each action crafts its vector, in two round trips', async (t) => {
  // An exit gets room for five others of its block: 5 × 110 bytes × 33 gas.
  for (const [action, input, vector, room] of [
    ['stake', { amount: 1_500_000n }, one.stake, 0n],
    ['unstake', { amount: 750_000n }, one.unstake, 18_150n],
    ['claim-rewards', {}, one.claim, 0n],
  ] as const) {
    const { unsigned, effects, node } = await act(action, input, { [SIMULATE]: answersOne(vector.gas - room)[SIMULATE] })
    t.equal((unsigned as { unsigned_tx_hash_hex: string }).unsigned_tx_hash_hex, vector.hash, action)
    t.same(effects.signers, [one.address])
    // An exit asks eleven things the first time, and ten while the parameters are remembered: more than a batch goes beside it, in the same wave.
    t.equal(node.requests.length, action === 'unstake' ? 3 : 2, `${action}: requests of two waves`)
    t.ok(node.requests.every((calls) => calls <= 10))
  }
})

t.test('every action takes only what is a public key', async (t) => {
  for (const [action, input] of [
    ['stake', { amount: 1n }],
    ['unstake', { amount: 1n }],
    ['claim-rewards', {}],
  ] as const)
    await t.rejects(act(action, { ...input, pubkey: one.address }), { statusCode: 400, code: 'PUBLIC_KEY_INVALID' }, action)
})

t.test('nobody delegates to a jailed or tombstoned validator, and the sentence says which', async (t) => {
  const asked: string[] = []
  const info = (answer: unknown) => (request: Uint8Array) => {
    asked.push(QuerySigningInfoRequest.decode(request).consAddress)
    return answer
  }
  const stake = (answer: unknown) =>
    act('stake', { amount: 1n }, { [VALIDATOR]: validator({ jailed: true, status: 2 }), [SIGNING]: info(answer) })
  await t.rejects(stake(signing(false)), { statusCode: 400, code: 'VALIDATOR_JAILED' })
  await t.rejects(stake(signing(true)), { statusCode: 400, code: 'VALIDATOR_TOMBSTONED' })
  await t.rejects(stake(notFound('signing info')), { statusCode: 400, code: 'VALIDATOR_JAILED' })
  // The first 20 bytes of the key's sha256, worked out with another program.
  t.same(new Set(asked), new Set(['cosmosvalcons1m6cw8r8dreqaumujuu8gp3qc6tf4dta25q5as4']))
  const odd = validator({ jailed: true, consensusPubkey: undefined })
  await t.rejects(act('stake', { amount: 1n }, { [VALIDATOR]: odd }), { statusCode: 400, code: 'VALIDATOR_JAILED' })
  t.ok(await act('unstake', { amount: 1n }, { [VALIDATOR]: validator({ jailed: true }) }), 'what is there can leave')
  t.ok(await act('claim-rewards', {}, { [VALIDATOR]: validator({ jailed: true }) }))
})

t.test('nobody delegates to a validator outside the active set, and what is there can leave', async (t) => {
  for (const status of [0, 1, 2]) {
    const outside = { [VALIDATOR]: validator({ status }) }
    await t.rejects(act('stake', { amount: 1n }, outside), { statusCode: 400, code: 'VALIDATOR_INACTIVE', message: /active set/ })
    t.ok(await act('unstake', { amount: 1n }, outside))
    t.ok(await act('claim-rewards', {}, outside))
  }
})

t.test('a validator that was slashed to nothing, and one that does not exist', async (t) => {
  await t.rejects(act('stake', { amount: 1n }, { [VALIDATOR]: validator({ tokens: '0' }) }), {
    statusCode: 400,
    code: 'VALIDATOR_UNUSABLE',
  })
  await t.rejects(act('stake', { amount: 1n }, { [VALIDATOR]: notFound('validator') }), { statusCode: 502, code: 'VALIDATOR_UNKNOWN' })
  t.ok(await act('stake', { amount: 1n }, { [VALIDATOR]: validator({ tokens: '0', delegatorShares: '0' }) }), 'a new one has neither')
})

t.test("a guard's refusal wins over the simulation's", async (t) => {
  const refused = new NodeRefusal(
    6,
    'rpc error: code = Unknown desc = failed to execute message; message index: 0: something: unknown request',
  )
  await t.rejects(act('stake', { amount: 1n }, { [SIMULATE]: refused, [VALIDATOR]: validator({ tokens: '0' }) }), {
    code: 'VALIDATOR_UNUSABLE',
  })
  await t.rejects(act('stake', { amount: 1n }, { [SIMULATE]: refused }), { code: 'CHAIN_WOULD_REFUSE' })
})

t.test('more than the stake cannot be unstaked, and nothing cannot either', async (t) => {
  await t.rejects(act('unstake', { amount: 750_001n }), { statusCode: 400, code: 'INSUFFICIENT_STAKE', message: /0\.750001 .* 0\.75 / })
  await t.rejects(act('unstake', { amount: 1n }, { [DELEGATION]: notFound('delegation') }), { statusCode: 400, code: 'INSUFFICIENT_STAKE' })
  await t.rejects(act('unstake', { amount: 1n }, { [DELEGATION]: delegation(0n) }), { statusCode: 400, code: 'INSUFFICIENT_STAKE' })
  for (const another of [{ delegatorAddress: one.validator }, { validatorAddress: one.address }, { denom: 'utia' }])
    await t.rejects(act('unstake', { amount: 1n }, { [DELEGATION]: delegation(5n, another) }), { statusCode: 502, code: 'UPSTREAM_ERROR' })
})

t.test('an amount above the stake by less than a JSON number can tell means all of it', async (t) => {
  // One unit in the last place of a double at 2^34 tokens is 2^-18, about 3.8 millionths.
  const staked = 2n ** 34n * 1_000_000n + 1n
  const { unsigned, node } = await act('unstake', { amount: staked + 3n }, { [DELEGATION]: delegation(staked) })
  const raw = TxRaw.decode(Buffer.from((unsigned as { unsigned_tx_hex: string }).unsigned_tx_hex, 'hex'))
  t.equal(MsgUndelegate.decode(TxBody.decode(raw.bodyBytes).messages[0]!.value).amount?.amount, String(staked))
  t.ok(node.requests.length <= 4, 'the corrected transaction is simulated beside the first one')
  await t.rejects(act('unstake', { amount: staked + 4n }, { [DELEGATION]: delegation(staked) }), { code: 'INSUFFICIENT_STAKE' })
})

t.test('an eighth unbonding entry is refused with the time at which one frees up', async (t) => {
  const entry = (day: number) => ({ id: BigInt(day), balance: 1n, at: `2026-12-${String(day).padStart(2, '0')}T00:00:00Z` })
  const seven = [5, 4, 9, 7, 8, 6, 10].map(entry)
  await t.rejects(act('unstake', { amount: 1n }, { [UNBONDING]: unbondings(seven) }), {
    statusCode: 400,
    code: 'TOO_MANY_UNBONDINGS',
    message: /7 .* 2026-12-04T00:00:00\.000Z/,
  })
  t.ok(await act('unstake', { amount: 1n }, { [UNBONDING]: unbondings(seven.slice(1)) }), 'the seventh fits')
  t.ok(
    await act('unstake', { amount: 1n }, { [UNBONDING]: unbondings(seven), [PARAMS]: params({ maxEntries: 8 }) }),
    'the chain says how many',
  )
})

t.test('nobody is refused on parameters that were remembered', async (t) => {
  let maxEntries = 7
  const entries = Array.from({ length: 7 }, (_, at) => ({ id: BigInt(at + 1), balance: 1n, at: '2026-12-05T00:00:00Z' }))
  const node = nodeOf({ ...good, [UNBONDING]: unbondings(entries), [PARAMS]: () => params({ maxEntries }) })
  const { act } = stakingOn(node)
  await t.rejects(act('unstake', { pubkey, amount: 1n }), { code: 'TOO_MANY_UNBONDINGS', message: /allows 7;/ })
  maxEntries = 8
  t.ok(await act('unstake', { pubkey, amount: 1n }), 'governance allowed more meanwhile')
})

t.test('parameters of the chain are asked once an hour', async (t) => {
  const node = nodeOf(good)
  const { act } = stakingOn(node)
  await act('unstake', { pubkey, amount: 1n })
  await act('unstake', { pubkey, amount: 1n })
  t.equal(node.asked.filter((path) => path === PARAMS).length, 1)
})

t.test('nothing to claim is a 400, whatever other validators owe', async (t) => {
  const other = 'cosmosvaloper1xvenxvenxvenxvenxvenxvenxvenxvene23vre'
  const refused = { statusCode: 400, code: 'NOTHING_TO_CLAIM' }
  await t.rejects(act('claim-rewards', {}, { [REWARDS]: rewards([]) }), refused)
  await t.rejects(
    act('claim-rewards', {}, { [REWARDS]: rewards([[one.validator, 'uatom', E18 - 1n]]) }),
    refused,
    'less than a unit is nothing',
  )
  await t.rejects(act('claim-rewards', {}, { [REWARDS]: rewards([[other, 'uatom', 9n * E18]]) }), refused)
  await t.rejects(act('claim-rewards', {}, { [REWARDS]: rewards([]) }), { message: /has no claimable rewards; the chain would charge/ })
  t.ok(
    await act(
      'claim-rewards',
      {},
      {
        [REWARDS]: rewards([
          [other, 'uatom', 9n],
          [one.validator, 'uatom', E18],
        ]),
      },
    ),
  )
  t.ok(await act('claim-rewards', {}, { [DELEGATION]: notFound('delegation') }), 'also when nothing is staked any more')
})

t.test('what is owed in other denominations is told, with what pays it out', async (t) => {
  const owing = (coins: Readonly<Record<string, bigint>>, chain = hubOne) =>
    stakingOn(nodeOf({ ...good, [REWARDS]: rewardsIn(coins) }), {}, chain).act('claim-rewards', { pubkey })
  await t.rejects(owing({ uatom: E18 - 1n, 'ibc/AB': 22n * E18 + 5n, utest: 7n * E18, less: E18 - 1n }), {
    statusCode: 400,
    code: 'NOTHING_TO_CLAIM',
    message:
      /no claimable rewards in uatom\. The chain owes it 22 ibc\/AB, 7 utest, which .* the next stake or unstake, or the next claim when there are some in uatom\.$/,
  })
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`spam${at}`, E18]))
  await t.rejects(owing(many), { message: /1 spam0, 1 spam1, 1 spam2, 17 other denominations, which/ })
  await t.rejects(owing({ utest: E18 }, { ...hubOne, parksRewards: true }), {
    message: /along with the next claim, when there are some in uatom/,
  })
  await t.rejects(owing({ 'no name': E18 }), { message: /owes it 1 other denomination, which/ }, 'a name that no chain has is not repeated')
  const most = 2n ** 256n - 1n
  await t.rejects(owing({ utest: most * E18 }), { code: 'NOTHING_TO_CLAIM', message: new RegExp(`${most} utest`) })
  t.ok(await owing({ utest: most * E18, uatom: E18 }), 'a stranger who makes a token up keeps nobody from his rewards')
  await t.rejects(owing({ uatom: most * E18 }), { statusCode: 502, code: 'UPSTREAM_ERROR' }, 'of its own token a chain has less')
  t.ok(await owing({ utest: E18, uatom: E18 }))
})

const OTHER = toBech32('cosmos', new Uint8Array(20).fill(0x33))
const paidTo = (withdrawAddress: string): Table => ({
  [WITHDRAW]: QueryDelegatorWithdrawAddressResponse.encode({ withdrawAddress }).finish(),
})

t.test('a claim that is paid to somebody else is refused unless the request repeats his address', async (t) => {
  const claim = (input: object, change: Table = {}) => act('claim-rewards', input, change)
  const refused = { statusCode: 400, code: 'WITHDRAW_ADDRESS_OTHER' }
  await t.rejects(claim({}, paidTo(OTHER)), { ...refused, message: new RegExp(`to ${OTHER}, .*as in \\{"withdraw_address":"${OTHER}"\\}`) })
  await t.rejects(claim({ withdraw_address: one.address }, paidTo(OTHER)), { ...refused, message: new RegExp(`and not to ${one.address}`) })
  await t.rejects(claim({ withdraw_address: OTHER }), { ...refused, message: /Leave withdraw_address out/ })
  await t.rejects(claim({ withdraw_address: 'cosmos1thief' }, paidTo(OTHER)), { statusCode: 400, code: 'ADDRESS_INVALID' })
  const crafted = await claim({ withdraw_address: OTHER.toUpperCase() }, paidTo(OTHER))
  t.equal(crafted.says, `The withdraw address is ${OTHER}, as the request repeats.`)
  t.equal((await claim({})).says, null)
  t.ok(await claim({ withdraw_address: one.address }), 'whoever repeats his own claims it')
  t.ok(await claim({}, { [WITHDRAW]: new NodeRefusal(6, 'unknown query path: unknown request') }), 'where no node tells')
  await t.rejects(claim({}, { ...paidTo(OTHER), [REWARDS]: rewards([]) }), { statusCode: 400, code: 'NOTHING_TO_CLAIM' })
  await t.rejects(claim({}, { [WITHDRAW]: new Uint8Array() }), { statusCode: 502, code: 'UPSTREAM_ERROR' }, 'no answer is no leave')
})

t.test('an exit is never refused for it, and says to whom its rewards are paid', async (t) => {
  const { says } = await act('unstake', { amount: 1n }, paidTo(OTHER))
  t.equal(says, `Its rewards are paid to ${OTHER}, the account's withdraw address, which is not the account itself.`)
  t.equal((await act('unstake', { amount: 1n })).says, null)
  t.equal((await act('unstake', { amount: 1n }, { [WITHDRAW]: new Uint8Array() })).says, null, 'nor where nobody tells it')
})
