import { GenericAuthorization } from 'cosmjs-types/cosmos/authz/v1beta1/authz'
import { QueryGranterGrantsRequest, QueryGranterGrantsResponse } from 'cosmjs-types/cosmos/authz/v1beta1/query'
import { MsgExec, MsgGrant, MsgRevoke } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { SendAuthorization } from 'cosmjs-types/cosmos/bank/v1beta1/authz'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { StakeAuthorization } from 'cosmjs-types/cosmos/staking/v1beta1/authz'
import { QueryRedelegationsRequest, QueryRedelegationsResponse } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { MsgBeginRedelegate, MsgUndelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import t from 'tap'
import { toAddress } from '../src/address.ts'
import type { Context } from '../src/context.ts'
import { allQueries } from '../src/queries/index.ts'
import { readMessage } from '../src/tx/messages.ts'
import { bench, hub, startTime } from './support.ts'

const OWNER = toAddress('cosmos', new Uint8Array(20).fill(1))
const FRIEND = toAddress('cosmos', new Uint8Array(20).fill(2))
const THIRD = toAddress('cosmos', new Uint8Array(20).fill(3))
const generic = (msg: string) => ({ typeUrl: GenericAuthorization.typeUrl, value: GenericAuthorization.encode({ msg }).finish() })
const encode = (codec: any, value: object) => ({ typeUrl: codec.typeUrl, value: codec.encode(codec.fromPartial(value)).finish() })

/** A chain on which messages run without signatures: who signs is not what is tested. */
async function stage(t: import('tap').Test) {
  const world = await bench(t, hub, { fund: '1' })
  const { chain } = world
  const [own, other] = [chain.validator(), chain.validator('other')]
  await chain.fund(OWNER, '1000')
  await chain.fund(FRIEND, '1000')
  chain.delegate(OWNER, own, 100_000_000n)
  /** Runs a message in a block of its own. @returns events, or the refusal */
  const run = (codec: any, value: object) => {
    let events: Context['events'] = []
    try {
      chain.makeBlock({
        begin(ctx) {
          const at = { ...ctx, events: [] as Context['events'] }
          readMessage(encode(codec, value), hub).run(at)
          events = at.events
        },
      })
      return events
    } catch (error) {
      return String((error as Error).message)
    }
  }
  const ask = (path: string, request: Uint8Array) => {
    const { app } = chain.node!
    return allQueries(app)[path]!(request, app.view())
  }
  const grants = () =>
    QueryGranterGrantsResponse.decode(
      ask('/cosmos.authz.v1beta1.Query/GranterGrants', QueryGranterGrantsRequest.encode({ granter: OWNER }).finish()),
    ).grants
  return { chain, own, other, run, ask, grants, balance: () => chain.balance(OWNER) }
}

t.test('a grant lets another account act, until it is taken back or ends', async (t) => {
  const { run, grants, chain, own } = await stage(t)
  const undelegates = (amount = '1000') => ({ delegatorAddress: OWNER, validatorAddress: own, amount: { denom: 'uatom', amount } })
  const exec = () => run(MsgExec, { grantee: FRIEND, msgs: [encode(MsgUndelegate, undelegates())] })
  t.match(exec(), /authorization not found/)
  const expiration = { seconds: BigInt(startTime / 1000) + 3600n, nanos: 0 }
  t.match(run(MsgGrant, { granter: OWNER, grantee: FRIEND, grant: { authorization: generic(MsgUndelegate.typeUrl), expiration } }), [
    { type: 'cosmos.authz.v1beta1.EventGrant', attributes: [{ key: 'grantee', value: JSON.stringify(FRIEND) }, {}, {}] },
  ])
  t.match(grants(), [{ granter: OWNER, grantee: FRIEND, expiration, authorization: { typeUrl: GenericAuthorization.typeUrl } }])
  const events = exec() as Context['events']
  t.ok(
    events.every(({ attributes }) => attributes.at(-1)?.key === 'authz_msg_index'),
    'events say by which message',
  )
  t.equal(events.at(-1)?.type, 'unbond')
  await chain.advance({ seconds: 3601 })
  t.same(grants(), [], 'it has ended')
  t.match(exec(), /authorization not found/)
  run(MsgGrant, { granter: OWNER, grantee: FRIEND, grant: { authorization: generic(MsgUndelegate.typeUrl) } })
  t.equal(grants().length, 1)
  run(MsgRevoke, { granter: OWNER, grantee: FRIEND, msgTypeUrl: MsgUndelegate.typeUrl })
  t.match(exec(), /authorization not found/)
  t.match(run(MsgRevoke, { granter: OWNER, grantee: FRIEND, msgTypeUrl: MsgUndelegate.typeUrl }), /authorization not found/)
  t.match(run(MsgGrant, { granter: OWNER, grantee: OWNER, grant: { authorization: generic(MsgSend.typeUrl) } }), /should be different/)
  const past = { seconds: 1n, nanos: 0 }
  t.match(
    run(MsgGrant, { granter: OWNER, grantee: FRIEND, grant: { authorization: generic(MsgSend.typeUrl), expiration: past } }),
    /more than current time/,
  )
  t.match(
    run(MsgGrant, { granter: OWNER, grantee: FRIEND, grant: { authorization: { typeUrl: '/a.B', value: new Uint8Array() } } }),
    /unknown authorization type/,
  )
})

t.test('the limit of a grant is less by each use, and a grant that is used up is gone', async (t) => {
  const { run, grants, own, other } = await stage(t)
  const stakes = encode(StakeAuthorization, {
    maxTokens: { denom: 'uatom', amount: '1500' },
    allowList: { address: [other] },
    authorizationType: 3,
  })
  run(MsgGrant, { granter: OWNER, grantee: FRIEND, grant: { authorization: stakes } })
  const moves = (to: string, amount: string) =>
    run(MsgExec, {
      grantee: FRIEND,
      msgs: [
        encode(MsgBeginRedelegate, {
          delegatorAddress: OWNER,
          validatorSrcAddress: own,
          validatorDstAddress: to,
          amount: { denom: 'uatom', amount },
        }),
      ],
    })
  t.match(moves(own, '1'), /cannot delegate\/undelegate to/)
  t.match(moves(other, '1501'), /negative coin amount/)
  t.type(moves(other, '1000'), Array)
  t.equal(StakeAuthorization.decode(grants()[0]!.authorization!.value).maxTokens?.amount, '500')
  t.type(moves(other, '500'), Array)
  t.same(grants(), [])
  const sends = encode(SendAuthorization, { spendLimit: [{ denom: 'uatom', amount: '10' }], allowList: [THIRD] })
  run(MsgGrant, { granter: OWNER, grantee: FRIEND, grant: { authorization: sends } })
  const pays = (to: string, amount: string) =>
    run(MsgExec, { grantee: FRIEND, msgs: [encode(MsgSend, { fromAddress: OWNER, toAddress: to, amount: [{ denom: 'uatom', amount }] })] })
  t.match(pays(FRIEND, '1'), /cannot send to/)
  t.match(pays(THIRD, '11'), /more than spend limit/)
  t.type(pays(THIRD, '4'), Array)
  t.equal(SendAuthorization.decode(grants()[0]!.authorization!.value).spendLimit[0]?.amount, '6')
  t.type(pays(THIRD, '6'), Array)
  t.same(grants(), [])
})

t.test('a redelegation is shown until it answers for nothing any more', async (t) => {
  const { run, ask, chain, own, other } = await stage(t)
  const redelegations = () =>
    QueryRedelegationsResponse.decode(
      ask(
        '/cosmos.staking.v1beta1.Query/Redelegations',
        QueryRedelegationsRequest.encode(QueryRedelegationsRequest.fromPartial({ delegatorAddr: OWNER })).finish(),
      ),
    ).redelegationResponses
  t.same(redelegations(), [])
  const height = BigInt(chain.latest().block) + 1n
  run(MsgBeginRedelegate, {
    delegatorAddress: OWNER,
    validatorSrcAddress: own,
    validatorDstAddress: other,
    amount: { denom: 'uatom', amount: '1000' },
  })
  t.match(redelegations(), [
    {
      redelegation: { delegatorAddress: OWNER, validatorSrcAddress: own, validatorDstAddress: other, entries: [] },
      entries: [{ redelegationEntry: { creationHeight: height, initialBalance: '1000' }, balance: '1000' }],
    },
  ])
  await chain.advance({ seconds: hub.staking.unbondingSeconds })
  t.same(redelegations(), [])
})
