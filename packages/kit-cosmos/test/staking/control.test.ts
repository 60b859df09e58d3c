import { toBech32 } from '@cosmjs/encoding'
import { GenericAuthorization } from 'cosmjs-types/cosmos/authz/v1beta1/authz'
import { QueryGranterGrantsRequest, QueryGranterGrantsResponse } from 'cosmjs-types/cosmos/authz/v1beta1/query'
import { SendAuthorization } from 'cosmjs-types/cosmos/bank/v1beta1/authz'
import { QueryDelegatorWithdrawAddressResponse } from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import { StakeAuthorization } from 'cosmjs-types/cosmos/staking/v1beta1/authz'
import t from 'tap'
import { NodeRefusal, nodeOf, notFound, type Table } from '../support/node.ts'
import { alone, DELEGATION, delegation, GRANTS, REWARDS, rewards, stakingOn, UNBONDING, WITHDRAW } from '../support/staking.ts'
import { one, two } from '../support/vectors.ts'

const OTHER = toBech32('cosmos', new Uint8Array(20).fill(0x33))
const OTHER_VALIDATOR = 'cosmosvaloper1xvenxvenxvenxvenxvenxvenxvenxvene23vre'
/** cosmjs-types 0.11 writes numbers from 2^31 to 2^32 as zero (varint.js, writeVarint64), and reads them rightly: no time from 2038 on can be written by it. */
const YEAR_2030 = { seconds: 1_893_456_000n, nanos: 0 }
const STAKING = '/cosmos.staking.v1beta1'
const SEND = '/cosmos.bank.v1beta1.MsgSend'

const generic = (msg: string) => ({ typeUrl: GenericAuthorization.typeUrl, value: GenericAuthorization.encode({ msg }).finish() })
const stakes = (authorization: object) => ({
  typeUrl: StakeAuthorization.typeUrl,
  value: StakeAuthorization.encode(StakeAuthorization.fromPartial(authorization)).finish(),
})
const spends = (authorization: object) => ({
  typeUrl: SendAuthorization.typeUrl,
  value: SendAuthorization.encode(SendAuthorization.fromPartial(authorization)).finish(),
})
const coin = (amount: string, denom = 'uatom') => ({ denom, amount })

interface Granted {
  readonly authorization: { readonly typeUrl: string; readonly value: Uint8Array }
  readonly grantee?: string
  readonly granter?: string
  readonly expiration?: typeof YEAR_2030
}

const granted = (grants: readonly Granted[], nextKey: Uint8Array = new Uint8Array()) =>
  QueryGranterGrantsResponse.encode(
    QueryGranterGrantsResponse.fromPartial({
      grants: grants.map((grant) => ({ granter: one.address, grantee: OTHER, ...grant })),
      pagination: { nextKey, total: 0n },
    }),
  ).finish()
async function control(change: Table, settings = {}) {
  const node = nodeOf({ ...alone, [DELEGATION]: delegation(7n), [UNBONDING]: notFound('unbonding'), [REWARDS]: rewards([]), ...change })
  const { ctx, protocol } = stakingOn(node, settings)
  const { control: powers } = await protocol.balance(ctx, one.address)
  return { powers, node }
}
/** The one power that an authorisation is read as. */
const readAs = async (authorization: Granted['authorization'], more: Partial<Granted> = {}) =>
  (await control({ [GRANTS]: granted([{ authorization, ...more }]) })).powers?.[0]

t.test('who decides alone shares nothing, and the payout address is told where it is another one', async (t) => {
  t.same((await control({})).powers, [])
  const elsewhere = QueryDelegatorWithdrawAddressResponse.encode({ withdrawAddress: OTHER }).finish()
  const { powers, node } = await control({ [WITHDRAW]: elsewhere })
  t.same(powers, [{ aspect: 'withdraw_address', holder: OTHER, objectId: null, terms: null }])
  t.same(node.requests, [6], 'in the one round trip')
})

t.test('a grant is named by its message, with its weight', async (t) => {
  const shared = { holder: OTHER, objectId: null }
  const cases: readonly (readonly [string, string, string, (readonly string[])?])[] = [
    [SEND, 'grant_send', 'critical'],
    [`${STAKING}.MsgUndelegate`, 'grant_undelegate', 'critical', ['exit']],
    [`${STAKING}.MsgBeginRedelegate`, 'grant_begin_redelegate', 'critical', ['move']],
    ['/cosmos.distribution.v1beta1.MsgSetWithdrawAddress', 'grant_set_withdraw_address', 'critical'],
    ['/gaia.liquid.v1beta1.MsgTokenizeShares', 'grant_tokenize_shares', 'critical'],
    ['/cosmos.authz.v1beta1.MsgGrant', 'grant_grant', 'critical', ['exit', 'move']],
    ['/stranger.v1.MsgVote', 'grant_vote', 'critical'],
    [`${STAKING}.MsgDelegate`, 'grant_delegate', 'warning'],
    [`${STAKING}.MsgCancelUnbondingDelegation`, 'grant_cancel_unbonding_delegation', 'warning'],
    ['/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward', 'grant_withdraw_delegator_reward', 'warning'],
    ['/cosmos.gov.v1.MsgVote', 'grant_vote', 'info'],
    ['nothing', 'grant_other', 'critical'],
  ]
  for (const [type, aspect, severity, permits] of cases)
    t.same(await readAs(generic(type)), { ...shared, aspect, severity, terms: type, ...(permits ? { permits } : {}) }, type)
  t.match(await readAs(generic(SEND), { expiration: YEAR_2030 }), { terms: `${SEND}, until 2030-01-01T00:00:00.000Z` })
  t.match(await readAs(generic('\u202e\n'.repeat(300))), { terms: '??'.repeat(60) }, 'what is no text is shown as none')
})

t.test('the bounds of a stake authorisation are its terms, and what it may still take stands by itself', async (t) => {
  const lists = { allowList: { address: [one.validator, OTHER_VALIDATOR] }, authorizationType: 2 }
  t.match(await readAs(stakes({ ...lists, maxTokens: coin('5') })), {
    aspect: 'grant_undelegate',
    terms: `${STAKING}.MsgUndelegate, with ${one.validator} and ${OTHER_VALIDATOR}`,
    limit: 5n,
    permits: ['exit'],
  })
  t.match(await readAs(stakes({ denyList: { address: [OTHER_VALIDATOR] }, authorizationType: 3 })), {
    aspect: 'grant_begin_redelegate',
    terms: `${STAKING}.MsgBeginRedelegate, not with ${OTHER_VALIDATOR}`,
    limit: undefined,
  })
  t.match(await readAs(stakes({ authorizationType: 0 })), {
    aspect: 'grant_other',
    terms: StakeAuthorization.typeUrl,
    severity: 'critical',
  })
  const many = Array.from({ length: 8 }, () => OTHER_VALIDATOR)
  t.match((await readAs(stakes({ allowList: { address: many }, authorizationType: 1 })))?.terms, / and 3 more$/)
})

t.test('who may only stake more with the operator is a tool', async (t) => {
  const tool = (address: readonly string[]) => stakes({ allowList: { address }, authorizationType: 1 })
  t.match(await readAs(tool([one.validator])), { severity: 'info' })
  t.match(await readAs(tool([one.validator, OTHER_VALIDATOR])), { severity: 'warning' })
  t.match(await readAs(stakes({ authorizationType: 1 })), { severity: 'warning' }, 'any validator')
  t.match(await readAs(stakes({ allowList: { address: [one.validator] }, authorizationType: 2 })), { severity: 'critical' }, 'to leave')
  const { powers } = await control(
    { [DELEGATION]: notFound('delegation'), [GRANTS]: granted([{ authorization: tool([OTHER_VALIDATOR]) }]) },
    { former_validators: [OTHER_VALIDATOR] },
  )
  t.match(powers, [{ severity: 'info' }], 'a former one is the operator’s too')
})

t.test('a send authorisation says to whom, in what, and how much', async (t) => {
  t.match(await readAs(spends({ spendLimit: [coin('9'), coin('3', 'ibc/A')], allowList: [two.address] })), {
    aspect: 'grant_send',
    terms: `${SEND}, to ${two.address}, also in ibc/A`,
    limit: 9n,
    severity: 'critical',
  })
  t.match(await readAs(spends({ spendLimit: [coin('3', 'ibc/A')] })), { limit: 0n }, 'nothing of the chain’s own token')
  t.match((await readAs(spends({ spendLimit: [coin(String(1n << 200n))] })))?.limit, undefined, 'more than there is bounds nothing')
  t.match(await readAs({ typeUrl: '/ibc.applications.transfer.v1.TransferAuthorization', value: new Uint8Array() }), {
    aspect: 'grant_other',
    terms: '/ibc.applications.transfer.v1.TransferAuthorization',
    severity: 'critical',
  })
})

t.test('a long list is followed as far as five pages', async (t) => {
  const page = Array.from({ length: 100 }, (_, index) => ({ authorization: generic(`/a.Msg${String.fromCharCode(65 + (index % 26))}`) }))
  for (const [pages, expected] of [
    [1, 100],
    [3, 300],
    [9, 500],
  ] as const) {
    const { powers, node } = await control({
      [GRANTS](request: Uint8Array) {
        const at = QueryGranterGrantsRequest.decode(request).pagination?.key[0] ?? 0
        return granted(page, at + 1 < pages ? Uint8Array.of(at + 1) : new Uint8Array())
      },
    })
    t.equal(powers?.length, expected)
    t.equal(node.requests.length, Math.min(pages, 5), 'a wave for each page')
  }
})

t.test('where a node does not serve a query, nobody knows who has power', async (t) => {
  for (const path of [WITHDRAW, GRANTS]) {
    const { powers } = await control({ [path]: new NodeRefusal(6, 'unknown query path: unknown request') })
    t.equal(powers, undefined, path)
  }
})

t.test('what no chain would tell of powers is a 502, and never nobody', async (t) => {
  const send = { authorization: generic(SEND) }
  const lies: Readonly<Record<string, Table>> = {
    'no payout address': { [WITHDRAW]: new Uint8Array() },
    'a payout address of another chain': {
      [WITHDRAW]: QueryDelegatorWithdrawAddressResponse.encode({ withdrawAddress: one.validator }).finish(),
    },
    'no content at all': { [GRANTS]: new Uint8Array() },
    'another granter': { [GRANTS]: granted([{ ...send, granter: two.address }]) },
    'a grantee that is no address': { [GRANTS]: granted([{ ...send, grantee: 'cosmos1thief' }]) },
    'an end that never comes': { [GRANTS]: granted([{ ...send, expiration: { seconds: 1n << 60n, nanos: 0 } }]) },
    'a limit that is no number': { [GRANTS]: granted([{ authorization: spends({ spendLimit: [coin('1.5')] }) }]) },
    'more than a page': { [GRANTS]: granted(Array.from({ length: 101 }, () => send)) },
    'a next page behind one that is not full': { [GRANTS]: granted([send], Uint8Array.of(1)) },
    'a place without an end': {
      [GRANTS]: granted(
        Array.from({ length: 100 }, () => send),
        new Uint8Array(401),
      ),
    },
    'a refusal of another kind': { [GRANTS]: new NodeRefusal(22, 'key not found') },
    'a payout that is refused': { [WITHDRAW]: new NodeRefusal(18, 'invalid height') },
  }
  for (const [name, change] of Object.entries(lies)) await t.rejects(control(change), { statusCode: 502, code: 'UPSTREAM_ERROR' }, name)
})
