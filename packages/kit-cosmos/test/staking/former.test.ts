import { QueryDelegationRequest, QueryUnbondingDelegationRequest, QueryValidatorRequest } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import t from 'tap'
import { answersOne, nodeOf, notFound, type Table } from '../support/node.ts'
import {
  alone,
  DELEGATION,
  delegation,
  OUTSTANDING,
  outstanding,
  PARAMS,
  params,
  REWARDS,
  rewards,
  stakingOn,
  UNBONDING,
  unbondings,
  VALIDATOR,
  validator,
} from '../support/staking.ts'
import { key, one } from '../support/vectors.ts'

const E18 = 10n ** 18n
const pubkey = key.compressed
const FORMER = 'cosmosvaloper1xvenxvenxvenxvenxvenxvenxvenxvene23vre'
const settings = { former_validators: [FORMER] }

/** Delegations by validator, and rewards by validator. */
function world(staked: Readonly<Record<string, bigint>>, owed: Readonly<Record<string, bigint>> = {}): Table {
  return {
    ...answersOne(300_000n),
    ...alone,
    [VALIDATOR]: (request: Uint8Array) => validator({ operatorAddress: QueryValidatorRequest.decode(request).validatorAddr }),
    [DELEGATION](request: Uint8Array) {
      const { validatorAddr } = QueryDelegationRequest.decode(request)
      const amount = staked[validatorAddr]
      return amount === undefined ? notFound('delegation') : delegation(amount, { validatorAddress: validatorAddr })
    },
    [UNBONDING](request: Uint8Array) {
      const { validatorAddr } = QueryUnbondingDelegationRequest.decode(request)
      return validatorAddr === FORMER ? unbondings([{ id: 41n, balance: 5n, at: '2026-12-01T00:00:00Z' }]) : notFound('unbonding')
    },
    [PARAMS]: params(),
    [REWARDS]: rewards(Object.entries(owed).map(([name, units]) => [name, 'uatom', units * E18] as const)),
    [OUTSTANDING]: outstanding({}),
  }
}

const act = (table: Table, action: string, input: object) => stakingOn(nodeOf(table), settings).act(action, { pubkey, ...input })

t.test('what lies with a former validator is part of the position, in the same round trip', async (t) => {
  const node = nodeOf(world({ [one.validator]: 20n, [FORMER]: 50n }, { [one.validator]: 2n, [FORMER]: 3n }))
  const { ctx, protocol } = stakingOn(node, settings)
  const found = await protocol.balance(ctx, one.address)
  t.match(found, { staked: 70n, deactivating: 5n, rewards: 5n, objects: [{ id: '41', validator: FORMER }] })
  t.match(found.parts, [
    { validator: one.validator, isFormer: false, staked: 20n, deactivating: 0n, rewards: 2n },
    { validator: FORMER, isFormer: true, staked: 50n, deactivating: 5n, rewards: 3n },
  ])
  t.same(node.requests, [8], 'two more for a former one')
})

t.test('an exit and a claim that name a former validator are about it', async (t) => {
  const table = world({ [FORMER]: 50_000_000n }, { [FORMER]: 3n })
  for (const [action, input] of [
    ['unstake', { amount: 50_000_000n }],
    ['claim-rewards', {}],
  ] as const) {
    const { decoded } = await act(table, action, { ...input, validator: FORMER })
    t.match(decoded.calls, [{ args: { validator: FORMER } }], action)
  }
})

t.test('a refusal names the validator with which something lies, and how to ask for it', async (t) => {
  const alone = world({ [FORMER]: 50_000_000n }, { [FORMER]: 3n })
  const held = { statusCode: 400, code: 'HELD_BY_ANOTHER_VALIDATOR' }
  const named = `name it in the request, as in {"validator":"${FORMER}"}.`
  await t.rejects(act(alone, 'unstake', { amount: 1_000_000n }), {
    ...held,
    message: `Nothing is staked with the operator's validator. 50 ATOM is staked with ${FORMER}: to ask for that, ${named}`,
  })
  await t.rejects(act(alone, 'claim-rewards', {}), { ...held, message: new RegExp(`0\\.000003 ATOM can be claimed with ${FORMER}`) })
  const both = world({ [one.validator]: 20_000_000n, [FORMER]: 50_000_000n }, { [one.validator]: 1n })
  await t.rejects(act(both, 'unstake', { amount: 30_000_000n }), {
    code: 'INSUFFICIENT_STAKE',
    message: `30 ATOM is more than the 20 ATOM staked with the operator's validator. 50 ATOM is staked with ${FORMER}: to ask for that, ${named}`,
  })
  await t.rejects(act(both, 'unstake', { amount: 60_000_000n, validator: FORMER }), {
    code: 'INSUFFICIENT_STAKE',
    message: new RegExp(`with its former validator ${FORMER}.*20 ATOM is staked with ${one.validator}`),
  })
  await t.rejects(act(both, 'claim-rewards', { validator: FORMER }), { ...held, message: new RegExp(`claimed with ${one.validator}`) })
  const nothing = world({}, {})
  await t.rejects(act(nothing, 'unstake', { amount: 1n }), { code: 'INSUFFICIENT_STAKE' })
  await t.rejects(act(nothing, 'claim-rewards', { validator: FORMER }), { code: 'NOTHING_TO_CLAIM' })
})

t.test("a validator that is none of the operator's is refused, and so is a setting that does not fit", async (t) => {
  const stranger = 'cosmosvaloper1mnyn7x24xj6vraxeeq56dfkxa009tvhgn9xr2e'
  for (const action of ['unstake', 'claim-rewards'])
    await t.rejects(act(world({}), action, { amount: 1n, validator: stranger }), {
      statusCode: 400,
      code: 'VALIDATOR_NOT_SERVED',
      message: new RegExp(`${one.validator}, the present one, or a former one: ${FORMER}`),
    })
  const wrong = (former_validators: readonly string[]) => () => stakingOn(nodeOf({}), { former_validators })
  t.throws(wrong([one.validator]), { code: 'SETTINGS_INVALID', message: /which is the present one/ })
  t.throws(wrong([FORMER, FORMER]), { code: 'SETTINGS_INVALID' })
  t.throws(wrong([stranger.replace('2e', '2f')]), {
    code: 'SETTINGS_INVALID',
    message: /former_validators\.0: must be a validator's address/,
  })
  t.throws(wrong(Array.from({ length: 9 }, () => FORMER)), { code: 'SETTINGS_INVALID' })
})

t.test('an operator hears of a former validator that the chain does not know, and may start all the same', async (t) => {
  const doubts = (known: readonly string[]) => {
    const node = nodeOf({
      ...world({}),
      [VALIDATOR](request: Uint8Array) {
        const { validatorAddr } = QueryValidatorRequest.decode(request)
        return known.includes(validatorAddr) ? validator({ operatorAddress: validatorAddr }) : notFound('validator')
      },
    })
    const { ctx, protocol } = stakingOn(node, settings)
    return protocol.inspectFormer?.(ctx)
  }
  t.same(await doubts([one.validator, FORMER]), [])
  const told = await doubts([one.validator])
  t.equal(told?.length, 1)
  t.match(told?.[0], new RegExp(`^former_validators names ${FORMER}, and the chain knows no such validator`))
})
