// Gas limits against what real nodes used: gaiad v29 and celestia-appd v6.2.5 on local chains, measured on 2026-11-23.
import { SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import t from 'tap'
import {
  answersOne,
  coins,
  gasUsed,
  hubOne,
  nodeOf,
  notFound,
  SIMULATE,
  SPENDABLE,
  type Table,
  WHOLE_ACCOUNT,
  wholeAccount,
} from '../support/node.ts'
import {
  communityPool,
  DELEGATION,
  delegation,
  OUTSTANDING,
  outstanding,
  PARAMS,
  POOL,
  params,
  REWARDS,
  rewards,
  rewardsIn,
  stakingOn,
  UNBONDING,
  VALIDATOR,
  validator,
} from '../support/staking.ts'
import { key, one } from '../support/vectors.ts'

const E18 = 10n ** 18n
const HUB = 18_720n
const denoms = (count: number, name = 'utest') => Array.from({ length: count }, (_, at) => (at === 0 ? 'uatom' : `${name}${at}`))
const owing = (names: readonly string[], amount = 5n * E18) => rewardsIn(Object.fromEntries(names.map((denom) => [denom, amount])))
const held = (names: readonly string[]) => outstanding(Object.fromEntries(names.map((denom) => [denom, 10n ** 24n])))
const paid = (names: readonly string[]) => names.map((denom) => `5${denom}`).join(',')

const good: Table = {
  ...answersOne(1n),
  [VALIDATOR]: validator(),
  [DELEGATION]: delegation(750_000n),
  [UNBONDING]: notFound('unbonding delegation'),
  [PARAMS]: params(),
  [REWARDS]: rewards([]),
  [OUTSTANDING]: outstanding({}),
  [WHOLE_ACCOUNT]: wholeAccount(200),
}

const withoutEvents = (used: bigint) => SimulateResponse.encode(SimulateResponse.fromPartial({ gasInfo: { gasUsed: used } })).finish()

interface Situation {
  /** What a simulation with fee and signature used. */
  readonly simulated: bigint
  /** Gas beyond simulation of the chain. @default that of the Hub */
  readonly beyond?: bigint
  /** Denominations owed; null without a delegation. */
  readonly owed: readonly string[] | null
  /** Denominations held for all delegators. @default those owed */
  readonly held?: readonly string[]
  /** Denominations that the simulation paid out. @default none */
  readonly paid?: readonly string[]
  /** Denominations of the community pool, on a chain that writes it with a payout alone. @default a chain that always does */
  readonly pool?: readonly string[]
}

async function limitOf({ simulated, beyond = HUB, owed, held: all = owed ?? [], paid: out = [], pool }: Situation, settings = {}) {
  const node = nodeOf({
    ...good,
    [REWARDS]: owed === null ? rewards([]) : owing(owed),
    [OUTSTANDING]: held(all),
    // Without a delegation the chain reckons up nothing.
    [SIMULATE]: owed === null && out.length === 0 ? withoutEvents(simulated) : gasUsed(simulated, paid(out)),
    ...(pool ? { [POOL]: communityPool(Object.fromEntries(pool.map((denom) => [denom, 10n ** 24n]))) } : {}),
  })
  const { act } = stakingOn(
    node,
    { gas_limit_percent: 120, ...settings },
    { ...hubOne, gasBeyondSimulation: beyond, poolWithPayout: pool !== undefined },
  )
  const { terms } = await act('stake', { pubkey: key.compressed, amount: 1n })
  t.equal(node.requests.length, 2, 'two waves')
  return BigInt(String(terms.gasLimit))
}

/** A simulation with fee and signature took 1,830 less than one without in all that were measured both ways; those with 20 denominations were measured without. */
const SIGNED = 1_830n
/** By name: the situation, and what was used when it was delivered. */
const MEASURED: Readonly<Record<string, readonly [situation: Situation, used: bigint]>> = {
  'Hub, first stake': [{ simulated: 185_589n, owed: null, held: denoms(1) }, 204_160n],
  'Hub, claim': [{ simulated: 132_608n, owed: denoms(1), paid: denoms(1) }, 151_263n],
  'Hub, first unstake': [{ simulated: 218_623n, owed: denoms(1), paid: denoms(1) }, 237_278n],
  'Hub, fourth unstake': [{ simulated: 223_330n, owed: denoms(1), paid: denoms(1) }, 241_985n],
  'Hub, seventh unstake': [{ simulated: 227_437n, owed: denoms(1), paid: denoms(1) }, 246_155n],
  'Hub, a stake with 20 denominations': [{ simulated: 772_138n - SIGNED, owed: denoms(20), paid: denoms(20) }, 789_095n],
  'Hub, a claim with 20 denominations': [{ simulated: 727_084n - SIGNED, owed: denoms(20), paid: denoms(20) }, 744_041n],
  'Hub, an unstake with 20 denominations': [{ simulated: 814_533n - SIGNED, owed: denoms(20), paid: denoms(20) }, 831_490n],
  'Hub, rewards of its own and one other that came in between': [{ simulated: 161_000n - SIGNED, owed: [], held: denoms(2) }, 220_153n],
  'Hub, rewards of its own and two others that came in between': [{ simulated: 161_000n - SIGNED, owed: [], held: denoms(3) }, 232_317n],
  'Celestia, first stake': [{ beyond: 0n, simulated: 141_000n, owed: null, held: denoms(1) }, 141_000n],
  'Celestia, first unstake': [{ beyond: 0n, simulated: 181_816n, owed: denoms(1) }, 189_078n],
  'Celestia, fourth unstake': [{ beyond: 0n, simulated: 182_844n, owed: denoms(1) }, 193_830n],
  'Celestia, seventh unstake': [{ beyond: 0n, simulated: 194_100n, owed: denoms(1) }, 197_931n],
  'Celestia, a claim that is settled': [{ beyond: 0n, simulated: 118_838n, owed: denoms(1), paid: denoms(1) }, 118_868n],
  'Celestia, a claim right after a stake': [{ beyond: 0n, simulated: 95_411n, owed: denoms(1) }, 111_274n],
  'Celestia, a claim when all is unstaked': [{ beyond: 0n, simulated: 73_372n, owed: null, held: denoms(1) }, 73_369n],
}

t.test('nothing that was measured runs out of gas, and none pays for much more than it uses', async (t) => {
  for (const [name, [situation, used]] of Object.entries(MEASURED)) {
    const limit = await limitOf(situation)
    t.ok(used * 100n <= limit * 95n && used * 100n >= limit * 55n, `${name}: ${used} of ${limit}, ${(used * 100n) / limit} %`)
  }
})

/** What is expected of a transaction: a third of a limit of 300 %, which is above that with room for new denominations. */
async function expectedOf(situation: Situation): Promise<bigint> {
  const limit = await limitOf(situation, { gas_limit_percent: 300 })
  t.equal(limit % 3n, 0n)
  return limit / 3n
}

t.test('a payout that the simulation lacks is added, by denomination and the length of its name', async (t) => {
  const at = (owed: readonly string[] | null, all: readonly string[], out: readonly string[] = []) =>
    expectedOf({ simulated: 100_000n, beyond: 0n, owed, held: all, paid: out })
  const [short, atom, ibc, longest] = [19_596n, 19_330n, 36_088n, 52_048n]
  const first = 3_600n
  const hash = `ibc/${'A'.repeat(64)}`
  t.equal(await at(null, denoms(9)), 100_000n, 'without a delegation there is none')
  t.equal(await at(denoms(1), denoms(1)), 100_000n + atom - first)
  t.equal(await at(denoms(3), denoms(3)), 100_000n + atom + 2n * short - first)
  t.equal(await at(denoms(3), denoms(3), denoms(3)), 100_000n, 'all of it was simulated')
  t.equal(await at(denoms(3), denoms(3), denoms(2)), 100_000n + short)
  t.equal(await at(denoms(1), denoms(3), denoms(1)), 100_000n + 2n * short, 'what others are owed may be owed to this one in a block')
  t.equal(await at(denoms(1), ['uatom', hash], denoms(1)), 100_000n + ibc)
  t.equal(await at(denoms(1), ['uatom', 'f'.repeat(128)], denoms(1)), 100_000n + longest)
  t.equal(await at(denoms(3), denoms(1), denoms(1)), 100_000n + 2n * short, 'and what is owed counts wherever it is held')
  t.equal(await at(['uatom', hash], []), 100_000n + atom + ibc - first)
  t.equal(await at([], denoms(2)), 100_000n + atom + short - first, 'whatever the validator holds, in the block of a change')
  t.equal(await at([], []), 100_000n)
})

t.test('a limit has room for denominations that nobody holds yet, and is not paid for nothing', async (t) => {
  const at = (situation: Situation, settings = {}) => limitOf({ beyond: 0n, ...situation }, settings)
  const most = 3n * 36_088n
  const claim = { simulated: 151_263n, owed: denoms(1), paid: denoms(1) }
  t.equal(await at(claim), 154_289n + most, 'three that came by IBC, beside two percent of what is expected')
  t.equal(await at({ ...claim, simulated: 100_000n }), 178_571n, 'no more than of which 56 percent are expected to be used')
  t.equal(await at({ ...claim, simulated: 500_000n }), 510_000n + most)
  t.equal(await at({ simulated: 185_589n, owed: null, held: denoms(1) }), 222_707n, 'a first stake is paid nothing')
  t.equal(await at(claim, { gas_limit_percent: 300 }), 3n * 151_263n, "the operator's percentage where it is more")
  t.equal(await at(claim, { gas_limit_percent: 101 }), 154_289n + most)
  t.equal(await at(claim, { gas_limit_percent: 100 }), 151_263n, 'who wants no margin has no room')
})

t.test('the community pool is added where a simulation without rewards has not written it', async (t) => {
  const at = (owed: readonly string[] | null, out: readonly string[], pool?: readonly string[]) =>
    expectedOf({ simulated: 100_000n, beyond: 0n, owed, held: denoms(1), paid: out, ...(pool ? { pool } : {}) })
  const bytes = (count: number) => BigInt(communityPool(Object.fromEntries(denoms(count).map((denom) => [denom, 10n ** 24n]))).length)
  const paying = 115_730n
  t.equal(await at([], [], denoms(1)), paying + 3_000n + 33n * bytes(1))
  t.equal(await at([], [], denoms(40)), paying + 3_000n + 33n * bytes(40), 'it grows with the denominations of the pool')
  t.equal(await at([], [], []), paying + 3_000n, 'an empty one is written too')
  t.equal(await at(denoms(1), [], denoms(40)), paying, 'a remainder of what is owed has written it')
  t.equal(await at(denoms(1), denoms(1), denoms(40)), 100_000n, 'and so has a payout')
  t.equal(await at(null, [], denoms(40)), 100_000n, 'without a delegation nothing is paid')
  t.equal(await at([], []), paying, 'a chain that always writes it simulates that')

  const most = 536_088n + 3_000n + 33n * bytes(40)
  const told = (simulated: bigint) => expectedOf({ simulated, beyond: 0n, owed: denoms(1), paid: denoms(1), pool: denoms(40) })
  t.equal(await told(most), most, 'what a node may tell has the pool in it')
  await t.rejects(told(most + 1n), { code: 'GAS_ABOVE_MAXIMUM' })
})

t.test('a community pool is believed up to a bound, and where it is one', async (t) => {
  const coins = (count: number) => communityPool(Object.fromEntries(Array.from({ length: count }, (_, at) => [`coin${at}`, 10n ** 24n])))
  const crafted = (pool: Uint8Array) => {
    const table = { ...good, ...answersOne(100_000n), [REWARDS]: owing([]), [OUTSTANDING]: held(denoms(1)), [POOL]: pool }
    const { act } = stakingOn(nodeOf(table), {}, { ...hubOne, poolWithPayout: true })
    return act('stake', { pubkey: key.compressed, amount: 1n })
  }
  // A coin takes 31 bytes besides its name: 1,637 of 40 bytes, and one that makes up what is missing.
  const sized = (bytes: number) => {
    const names = Array.from({ length: 1_637 }, (_, at) => `coin${String(at).padStart(5, '0')}`)
    const last = 'x'.repeat(bytes - 1_637 * 40 - 31)
    return communityPool(Object.fromEntries([...names, last].map((denom) => [denom, 10n ** 24n])))
  }
  t.same([sized(65_536).length, sized(65_537).length], [65_536, 65_537])
  t.ok(await crafted(sized(65_536)))
  await t.rejects(crafted(sized(65_537)), { statusCode: 502, code: 'UPSTREAM_ERROR' })
  const refused = { statusCode: 502, code: 'UPSTREAM_ERROR' }
  await t.rejects(crafted(coins(2_000)), refused)
  await t.rejects(crafted(communityPool({ uatom: -1n })), refused)
  await t.rejects(crafted(Buffer.from('ff', 'hex')), refused)
})

t.test('a stranger who adds denominations locks nobody out, and a node is not believed beyond them', async (t) => {
  const at = (simulated: bigint, count: number, settings = {}) =>
    limitOf({ simulated, beyond: 0n, owed: denoms(count), paid: denoms(count) }, { gas_limit_percent: 300, ...settings })
  t.equal(await at(1_221_760n, 20), 3n * 1_221_760n)
  t.equal(await at(1_943_520n, 40), 3n * 1_943_520n)
  const refused = { statusCode: 502, code: 'GAS_ABOVE_MAXIMUM', message: /1221761 gas.*above 1221760.*gas_used_maximum/ }
  await t.rejects(at(1_221_761n, 20), refused)
  await t.rejects(at(536_089n, 1), { code: 'GAS_ABOVE_MAXIMUM', message: /above 536088/ })
  t.equal(await at(700_000n, 1, { gas_used_maximum: 700_000 }), 2_100_000n)
  await t.rejects(
    at(1_940_000n, 40, { gas_price_minimum: '0.06' }),
    { statusCode: 503, code: 'FEE_ABOVE_CAP' },
    'the fee is bounded all the same',
  )
})

/** An account with 365 periods, of which a stake was simulated with 1,457,195 gas and took 1,482,552 (gaiad v29, 2026-11-28). */
const PERIODS = { bytes: 8_845, simulated: 1_457_195n, used: 1_482_552n }

async function staked(change: Table, settings = {}) {
  const node = nodeOf({ ...good, ...change })
  const { act } = stakingOn(node, settings, { ...hubOne, gasBeyondSimulation: 25_360n })
  const { terms } = await act('stake', { pubkey: key.compressed, amount: 1n })
  return { gasLimit: BigInt(String(terms.gasLimit)), fee: BigInt(String(terms.fee)), node }
}

t.test('an account with hundreds of periods of vesting is served, for a fee below the cap', async (t) => {
  const vesting = { [SIMULATE]: gasUsed(PERIODS.simulated, '0stake'), [WHOLE_ACCOUNT]: wholeAccount(PERIODS.bytes) }
  const { gasLimit, fee, node } = await staked(vesting, { gas_limit_percent: 120 })
  t.ok(PERIODS.used * 100n <= gasLimit * 95n && PERIODS.used * 100n >= gasLimit * 55n, `${PERIODS.used} of ${gasLimit}`)
  t.equal(fee, (gasLimit + 199n) / 200n)
  t.equal(node.requests.length, 4, 'its size and another simulation, after one that was not believed')
  t.equal(node.asked.filter((name) => name === WHOLE_ACCOUNT).length, 1)
  const { node: usual } = await staked({ [SIMULATE]: gasUsed(500_000n, '0stake') })
  t.notOk(usual.asked.includes(WHOLE_ACCOUNT), 'of any other nobody asks')
})

t.test('gas is believed as far as the account explains it, and the fee is bounded all the same', async (t) => {
  const most = 500_000n + 130n * 8_845n
  const at = (simulated: bigint, bytes: number, settings = {}) =>
    staked({ [SIMULATE]: gasUsed(simulated, '0stake'), [WHOLE_ACCOUNT]: wholeAccount(bytes) }, settings)
  t.ok(await at(most, 8_845))
  await t.rejects(at(most + 1n, 8_845), { statusCode: 502, code: 'GAS_ABOVE_MAXIMUM', message: /1649851 gas.*above 1649850/ })
  await t.rejects(at(500_001n, 200), { code: 'GAS_ABOVE_MAXIMUM', message: /above 500000/ }, 'a plain account explains nothing')
  t.ok(await at(526_130n, 201))
  await t.rejects(at(526_131n, 201), { code: 'GAS_ABOVE_MAXIMUM' })
  await t.rejects(at(most, 8_845, { max_fee: '0.008' }), {
    statusCode: 503,
    code: 'FEE_ABOVE_CAP',
    message: /gas, since the chain keeps its account in 8845 bytes, as one whose coins become free in many periods\. That costs/,
  })
  await t.rejects(staked({ [SIMULATE]: gasUsed(500_001n), [WHOLE_ACCOUNT]: new Uint8Array() }), { code: 'GAS_ABOVE_MAXIMUM' }, 'no account')
  await t.rejects(staked({ [SIMULATE]: gasUsed(500_001n), [WHOLE_ACCOUNT]: notFound('account') }), { code: 'GAS_ABOVE_MAXIMUM' })
})

t.test('what a wallet lacks is told with a fee that there can be, before one is known', async (t) => {
  const holding = (balance: bigint, spendable = balance) => ({
    ...coins('uatom', balance),
    [SPENDABLE]: coins('uatom', spendable)[SPENDABLE],
  })
  const refused = { statusCode: 400, code: 'INSUFFICIENT_BALANCE' }
  const act = (action: string, amount: bigint | null, change: Table, settings = {}) =>
    stakingOn(nodeOf({ ...good, [DELEGATION]: delegation(750_000n), ...change }), settings).act(action, {
      pubkey: key.compressed,
      ...(amount === null ? {} : { amount }),
    })
  // 500,000 gas, the most that is believed, at 0.005.
  await t.rejects(act('stake', 5_000_000n, holding(5_000_000n)), {
    ...refused,
    message: /holds 5 ATOM, which does not cover 5\.0025 ATOM \(amount 5 ATOM and at most 0\.0025 ATOM in fees\)/,
  })
  await t.rejects(act('stake', 5_000_000n, holding(5_000_000n), { max_fee: '0.002' }), { message: /at most 0\.002 ATOM in fees/ })
  await t.rejects(act('unstake', 1n, holding(0n)), {
    ...refused,
    message: /can spend 0 ATOM; that does not cover the fee, which is at most 0\.0025 ATOM/,
  })
  await t.rejects(act('stake', 1n, holding(5_000_000n, 0n)), {
    ...refused,
    message: /can spend 0 ATOM, the rest of its balance is locked.*fee, which is at most 0\.0025/,
  })
  await t.rejects(act('unstake', 1n, holding(5_000_000n, 0n)), {
    ...refused,
    message: /can spend 0 ATOM, the rest of its balance is locked; that does not cover the fee, which is at most 0\.0025/,
  })
  // Then the fee is known.
  await t.rejects(act('stake', 4_999_999n, { ...holding(5_000_000n), [SIMULATE]: gasUsed(200_000n, '0stake') }), {
    ...refused,
    message: /4\.999999 ATOM and at most 0\.00[1-9]\d* ATOM in fees/,
  })
})

t.test('what no chain owes is not believed', async (t) => {
  const doubled = rewards([[one.validator, 'uatom', E18]])
  const twice = Buffer.concat([doubled, doubled])
  const lies: Readonly<Record<string, Table>> = {
    'an amount that is none': { [OUTSTANDING]: outstanding({ uatom: -1n }) },
    'no message': { [OUTSTANDING]: Buffer.from('ff', 'hex') },
    'a name above 128 characters': { [OUTSTANDING]: outstanding({ ['f'.repeat(129)]: E18 }) },
    'a name that is none': { [OUTSTANDING]: outstanding({ 'u a': E18 }) },
  }
  for (const [name, lie] of Object.entries(lies)) {
    const { act } = stakingOn(nodeOf({ ...good, ...answersOne(100_000n), ...lie }))
    await t.rejects(act('stake', { pubkey: key.compressed, amount: 1n }), { statusCode: 502, code: 'UPSTREAM_ERROR' }, name)
  }
  const { act } = stakingOn(nodeOf({ ...good, ...answersOne(100_000n), [REWARDS]: twice }))
  t.ok(await act('stake', { pubkey: key.compressed, amount: 1n }), 'two entries of one validator')
})

t.test('a token that a stranger has made up locks nobody out, however much of it there is', async (t) => {
  const most = { utest: (2n ** 256n - 1n) * E18 }
  const { act } = stakingOn(nodeOf({ ...good, ...answersOne(100_000n), [REWARDS]: rewardsIn(most), [OUTSTANDING]: outstanding(most) }))
  t.ok(await act('stake', { pubkey: key.compressed, amount: 1n }))
  const more = { utest: 10n ** 96n }
  const { act: refused } = stakingOn(nodeOf({ ...good, ...answersOne(100_000n), [OUTSTANDING]: outstanding(more) }))
  await t.rejects(refused('stake', { pubkey: key.compressed, amount: 1n }), { code: 'UPSTREAM_ERROR' }, 'more than the chain can count')
})

t.test('a fee that no lower price mends says so, and what makes it', async (t) => {
  const at = (settings: object) =>
    limitOf(
      { simulated: 1_940_000n, beyond: 0n, owed: denoms(40), paid: denoms(40) },
      { gas_limit_percent: 100, gas_price_percent: 100, ...settings },
    )
  // 1,940,000 gas: 9,700 uatom at the least price of 0.005, which is the price of the node.
  t.equal(await at({ max_fee: '0.0097' }), 1_940_000n)
  await t.rejects(at({ max_fee: '0.009699' }), {
    statusCode: 503,
    code: 'FEE_ABOVE_CAP',
    message:
      /1940000 gas.*rewards are in 40 denominations.*0\.0097 ATOM even at the lowest price.*cap of 0\.009699 ATOM.*not help.*raise max_fee/,
  })
  await t.rejects(
    at({ max_fee: '0.009699', gas_price_minimum: '0.0049' }),
    { code: 'FEE_ABOVE_CAP', message: /try again when fees have fallen/ },
    'a lower price would do',
  )
})

t.test('an answer on rewards that was lost takes nobody his gas, where the simulation knows of a delegation', async (t) => {
  const lost: Table = { [REWARDS]: new Uint8Array(), [OUTSTANDING]: held(denoms(3)), [SIMULATE]: gasUsed(100_000n, '0uatom') }
  const { act } = stakingOn(nodeOf({ ...good, ...lost }), { gas_limit_percent: 300 })
  const { terms } = await act('stake', { pubkey: key.compressed, amount: 1n })
  t.equal(terms.gasLimit, 3n * 154_922n, 'whatever the validator holds may be paid out')
})
