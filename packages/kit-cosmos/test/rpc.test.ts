import { QueryUnbondingDelegationResponse } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import t from 'tap'
import { readAccount, readSpendable } from '../src/account.ts'
import { orNone, type Query, type QueryRefused } from '../src/index.ts'
import {
  ACCOUNT,
  accountInfo,
  answersOne,
  coins,
  connect,
  decCoin,
  GAS_PRICE,
  gasUsed,
  hubOne,
  NodeRefusal,
  nodeOf,
  notFound,
  RpcError,
  SIMULATE,
  SPENDABLE,
  status,
  type Table,
  WHOLE_ACCOUNT,
  wholeAccount,
} from './support/node.ts'
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
} from './support/staking.ts'
import { key, one } from './support/vectors.ts'

const table = { ...coins('uatom', 5n), status: status(one.chainId) }
const ask = (ctx: ReturnType<typeof connect>['ctx']) => readSpendable(ctx.client, one.address, 'uatom')
const upstream = { statusCode: 502, code: 'UPSTREAM_ERROR' }

t.test('connecting calls nothing, and identify asks the node for its chain, whichever it is', async (t) => {
  const node = nodeOf({ status: status('provider', { catching_up: true }) })
  const { kit, ctx } = connect(hubOne, node)
  t.same(node.asked, [])
  t.equal(await kit.identify(ctx), 'provider')
  t.same(node.asked, ['status'])
})

t.test('questions that start together travel in one request, ten at most, and the state of the node with them', async (t) => {
  const node = nodeOf(table)
  const { ctx } = connect(hubOne, node)
  const asked = Array.from({ length: 23 }, (_, of) => readSpendable(ctx.client, `${one.address}${of}`, 'uatom'))
  t.same(await Promise.all(asked), Array(23).fill(5n))
  t.same(node.requests, [10, 10, 4])
})

t.test('an endpoint without batches is asked call by call, by setting or by its own word; one bad answer is no such word', async (t) => {
  const single = nodeOf(table)
  t.same(await ask(connect(hubOne, single, { batch_max: 1 }).ctx), 5n)
  t.same(single.requests, [1, 1])
  const bad: Record<string, unknown> = {
    'a text': 'rate limited',
    null: null,
    'an internal error': { jsonrpc: '2.0', id: null, error: { code: -32_603, message: 'Internal error' } },
    'a busy node': { jsonrpc: '2.0', id: null, error: { code: -32_005, message: 'concurrent requests limit' } },
  }
  for (const [name, once] of Object.entries(bad)) {
    let left = 1
    const node = nodeOf(table, () => (left-- > 0 ? Response.json(once) : undefined))
    const { ctx } = connect(hubOne, node)
    await t.rejects(ask(ctx), { code: /^UPSTREAM_/ }, name)
    t.equal(await ask(ctx), 5n)
    t.same(node.requests, [2, 2], `${name}: in batches as before`)
  }
  const node = nodeOf(table, (_calls, batch) =>
    batch ? { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'batch requests are not supported' } } : undefined,
  )
  const { ctx } = connect(hubOne, node)
  t.same([await ask(ctx), await ask(ctx)], [5n, 5n])
  t.same(node.requests, [2, 1, 1, 1, 1])
})

const garbled: Record<string, unknown> = {
  null: null,
  'an empty list': [],
  'an empty object': {},
  'a text': 'rate limited',
  'no result': { jsonrpc: '2.0' },
  'a result that is a text': { jsonrpc: '2.0', result: 'OK' },
  'a result of another form': { jsonrpc: '2.0', result: {} },
  'a value that is not base64': { jsonrpc: '2.0', result: { response: { code: 0, value: '?', height: '7' } } },
  'a value that is no message': { jsonrpc: '2.0', result: { response: { code: 0, value: 'Cv//', height: '7' } } },
  'a value that is empty': { jsonrpc: '2.0', result: { response: { code: 0, value: '', height: '7' } } },
  'a value that is a number': { jsonrpc: '2.0', result: { response: { code: 0, value: 7, height: '7' } } },
  'a code that is a text': { jsonrpc: '2.0', result: { response: { code: 'x', value: '', height: '7' } } },
  'no height': { jsonrpc: '2.0', result: { response: { code: 0, value: '' } } },
  'an error without words': { jsonrpc: '2.0', error: 'failed' },
  'an internal error': { jsonrpc: '2.0', error: { code: -32_603, message: 'Internal error', data: 'panic' } },
  'method not found': { jsonrpc: '2.0', error: { code: -32_601, message: 'Method not found' } },
  'a limit': { jsonrpc: '2.0', error: { code: -32_005, message: 'concurrent requests limit' } },
}

t.test('an answer that is none is asked of the next endpoint, and is a 502 or 503 where there is none', async (t) => {
  for (const [name, reply] of Object.entries(garbled)) {
    const node = nodeOf(table, (calls) =>
      reply !== null && typeof reply === 'object' && 'jsonrpc' in reply
        ? calls.map(({ id, method }) => (method === 'status' ? { id, result: table.status } : { ...reply, id }))
        : Response.json(reply),
    )
    await t.rejects(ask(connect(hubOne, node).ctx), { statusCode: /50[23]/, code: /UPSTREAM_(ERROR|BUSY)/ }, name)
    t.equal(await ask(connect(hubOne, [node, nodeOf(table)]).ctx), 5n, `${name}, and another endpoint`)
  }
  const html = nodeOf(table, () => new Response('<html>'))
  await t.rejects(ask(connect(hubOne, html).ctx), upstream, 'no JSON')
  t.equal(await ask(connect(hubOne, [html, nodeOf(table)]).ctx), 5n)
})

t.test('an amount that is no integer, or of another token, is a 502', async (t) => {
  for (const amount of ['', '-5', '1.5', 'NaN', '1'.repeat(100)]) {
    const coin = [0x0a, 5, ...Buffer.from('uatom'), 0x12, amount.length, ...Buffer.from(amount)]
    await t.rejects(ask(connect(hubOne, nodeOf({ [SPENDABLE]: Buffer.from([0x0a, coin.length, ...coin]) })).ctx), upstream, amount)
  }
  await t.rejects(ask(connect(hubOne, nodeOf(coins('uosmo', 5n))).ctx), upstream)
})

const behind = { statusCode: 503, code: 'UPSTREAM_BEHIND', retryAfter: 60 }
const states: Record<string, readonly [unknown, { statusCode: number; code: string; message?: RegExp }]> = {
  'another chain': [status('provider'), { statusCode: 502, code: 'UPSTREAM_OTHER_CHAIN', message: /provider instead of cosmoshub-4/ }],
  'one that catches up': [status(one.chainId, { catching_up: true }), behind],
  'one that is 40 days old': [status(one.chainId, { latest_block_time: '2026-10-12T12:00:00Z' }), behind],
  'one that says so in words': [new RpcError('endpoint is closed while node is catching up'), behind],
  'one without a state': [{}, upstream],
  'one with a time that is none': [status(one.chainId, { latest_block_time: 'yesterday' }), upstream],
}
const position: Table = {
  ...answersOne(300_000n),
  [VALIDATOR]: validator(),
  [DELEGATION]: delegation(750_000n),
  [UNBONDING]: notFound('unbonding delegation'),
  [PARAMS]: params(),
  ...alone,
  [REWARDS]: rewards([[one.validator, 'uatom', 5n * 10n ** 18n]]),
  [OUTSTANDING]: outstanding({}),
}

t.test('of a node of another chain, or one that lies behind, nothing is read and nothing crafted', async (t) => {
  for (const [name, [state, refused]] of Object.entries(states)) {
    const bad = nodeOf({ ...position, status: state })
    for (const run of [
      (nodes: (typeof bad)[]) => stakingOn(nodes).act('stake', { pubkey: key.compressed, amount: 1n }),
      (nodes: (typeof bad)[]) => stakingOn(nodes).act('claim-rewards', { pubkey: key.compressed }),
      (nodes: (typeof bad)[]) => {
        const { protocol, ctx } = stakingOn(nodes)
        return protocol.balance(ctx, one.address)
      },
      (nodes: (typeof bad)[]) => readAccount(connect(hubOne, nodes).ctx.client, one.address),
    ]) {
      await t.rejects(Promise.resolve<unknown>(run([bad])), refused, name)
      t.ok(await run([bad, nodeOf(position)]), `${name}, and another endpoint`)
    }
  }
})

t.test('words of a node that is behind or busy are a 503 with the time to wait', async (t) => {
  const cases: [unknown, string][] = [
    [new RpcError('endpoint is closed while node is catching up'), 'UPSTREAM_BEHIND'],
    [new NodeRefusal(38, 'app is not ready; please wait for first block: invalid height'), 'UPSTREAM_BEHIND'],
    [new RpcError('rate limit exceeded'), 'UPSTREAM_BUSY'],
    [new RpcError('', 'Too Many Requests'), 'UPSTREAM_BUSY'],
  ]
  for (const [entry, code] of cases) {
    const { ctx } = connect(hubOne, nodeOf({ [SPENDABLE]: entry }))
    await t.rejects(ask(ctx), { statusCode: 503, code, retryAfter: Number }, code)
  }
})

t.test('what no chain would tell is a 502, or the word of the next endpoint', async (t) => {
  const e18 = 10n ** 18n
  // As far as a timestamp reaches and no calendar does.
  const entry = { unbondingId: 1n, balance: '1', initialBalance: '1', completionTime: { seconds: 1_800_000_000n, nanos: 0 } }
  const unbondingsOf = (entries: object[]) =>
    QueryUnbondingDelegationResponse.encode(
      QueryUnbondingDelegationResponse.fromPartial({ unbond: { delegatorAddress: one.address, entries } }),
    ).finish()
  const never = unbondingsOf([{ ...entry, completionTime: { seconds: 2n ** 62n, nanos: 0 } }])
  const twice = unbondingsOf([entry, { ...entry, balance: '2' }])
  const plainAccount = { [WHOLE_ACCOUNT]: wholeAccount(200) }
  const lies: Record<string, readonly [Table, 'stake' | 'unstake' | 'balance']> = {
    'a sequence': [{ [ACCOUNT]: accountInfo(one.address, 1n, 2n ** 63n) }, 'stake'],
    'an account number': [{ [ACCOUNT]: accountInfo(one.address, 2n ** 63n, 1n) }, 'stake'],
    'an account number that no chain has reached': [{ [ACCOUNT]: accountInfo(one.address, 2n ** 32n, 1n) }, 'stake'],
    'another account': [{ [ACCOUNT]: accountInfo('cosmos1other', 1n, 1n) }, 'stake'],
    'gas of 2^53': [{ [SIMULATE]: gasUsed(2n ** 53n), ...plainAccount }, 'stake'],
    'gas of 2^63': [{ [SIMULATE]: gasUsed(2n ** 63n - 1n), ...plainAccount }, 'unstake'],
    'a little too much gas': [{ [SIMULATE]: gasUsed(536_089n), ...plainAccount }, 'stake'],
    'an account of many bytes, and gas that not even these explain': [
      { [SIMULATE]: gasUsed(536_089n + 130n * 10_000n), [WHOLE_ACCOUNT]: wholeAccount(10_000) },
      'stake',
    ],
    'a price of a token': [{ [GAS_PRICE]: decCoin('uatom', e18 * 1_000_000n) }, 'stake'],
    'a price in another token': [{ [GAS_PRICE]: decCoin('uosmo', e18 / 200n) }, 'stake'],
    'a refused price': [{ [GAS_PRICE]: new NodeRefusal(1, 'internal') }, 'stake'],
    'another validator': [{ [VALIDATOR]: validator({ operatorAddress: 'cosmosvaloper1other' }) }, 'stake'],
    'a commission of 200 %': [{ [VALIDATOR]: validator({ commission: { commissionRates: { rate: String(2n * e18) } } }) }, 'stake'],
    'no validator': [{ [VALIDATOR]: notFound('validator') }, 'stake'],
    'no entries at all': [{ [PARAMS]: params({ maxEntries: 0 }) }, 'unstake'],
    'centuries of unbonding': [{ [PARAMS]: params({ unbondingTime: { seconds: 10n ** 12n, nanos: 0 } }) }, 'unstake'],
    'a time that never comes': [{ [UNBONDING]: never }, 'balance'],
    'an entry twice': [{ [UNBONDING]: twice }, 'balance'],
    'an entry of more than there is': [{ [UNBONDING]: unbondingsOf([{ ...entry, balance: String(2n ** 128n) }]) }, 'balance'],
    'more stake than there is': [{ [DELEGATION]: delegation(2n ** 128n) }, 'balance'],
    'more rewards than there are': [{ [REWARDS]: rewards([[one.validator, 'uatom', e18 * 2n ** 128n]]) }, 'balance'],
    'stake in another token': [{ [DELEGATION]: delegation(7n, { denom: 'uosmo' }) }, 'balance'],
    'unbondings of somebody else': [{ [UNBONDING]: unbondings([], 'cosmos1other') }, 'balance'],
  }
  for (const [name, [lie, what]] of Object.entries(lies)) {
    const run = (nodes: ReturnType<typeof nodeOf>[]): Promise<unknown> => {
      const { act, protocol, ctx } = stakingOn(nodes)
      return what === 'balance' ? protocol.balance(ctx, one.address) : act(what, { pubkey: key.compressed, amount: 1n })
    }
    const liar = nodeOf({ ...position, ...lie })
    await t.rejects(run([liar]), { code: /UPSTREAM_ERROR|VALIDATOR_UNKNOWN|GAS_ABOVE_MAXIMUM|FEE_ABOVE_CAP/ }, name)
    t.ok(await run([liar, nodeOf(position)]), `${name}, and another endpoint`)
  }
})

t.test('what the application refuses keeps its code and its words where somebody wants them', async (t) => {
  const { ctx } = connect(hubOne, nodeOf({ '/a': notFound('account'), '/b': new NodeRefusal(18, 'invalid\nheight') }))
  const query = (path: string, refused?: Query<unknown>['refused']) =>
    ctx.client.query({ path, request: new Uint8Array(), read: () => 'read', ...(refused ? { refused } : {}) })
  t.equal(
    await query(
      '/a',
      orNone(() => 'none'),
    ),
    'none',
  )
  await t.rejects(
    query(
      '/b',
      orNone(() => 'none'),
    ),
    upstream,
  )
  await t.rejects(query('/a'), upstream)
  let seen: QueryRefused | undefined
  await query('/b', (refusal) => (seen = refusal))
  t.match(seen, { code: 18, log: 'invalid\nheight' })
})
