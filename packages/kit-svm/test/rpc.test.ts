import { declareErrors, membersOf } from '@svc/contract'
import { PublicKey } from '@svc/solana'
import t from 'tap'
import { lamportsOf, readAccounts, SvmAddress, svm } from '../src/index.ts'
import { account, answers, clockOf, connect, nodeOf, over, RpcError, type Table, withContext } from './support/node.ts'
import { transactions } from './support/vectors.ts'

const { badRequest, gatewayTimeout } = declareErrors({
  ACCOUNT_MISSING: [400, 'The account is not there.'],
  UPSTREAM_TIMEOUT: [504, 'The endpoints are too slow.'],
})

const upstream = { statusCode: 502, code: 'UPSTREAM_ERROR' }
const key = new PublicKey(transactions.wallet)

t.test('connecting asks nothing', async (t) => {
  const node = nodeOf({})
  connect(node)
  t.same(node.asked, [])
})

t.test('identify tells clusters by their first block', async (t) => {
  const identify = (getGenesisHash: unknown, settings = {}, chainId = 'mainnet-beta') =>
    svm.identify(connect(nodeOf({ getGenesisHash }), settings, chainId))
  const [mainnet, devnet] = ['5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d', 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG']
  t.equal(await identify(mainnet), 'mainnet-beta')
  t.equal(await identify(devnet), 'devnet')
  t.equal(await identify('4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY'), 'testnet')
  t.equal(await identify(transactions.blockhash), transactions.blockhash, 'a cluster that nobody knows')
  t.equal(await identify(transactions.blockhash, { genesis_hash: transactions.blockhash }, 'own'), 'own')
  t.equal(await identify(mainnet, { genesis_hash: transactions.blockhash }, 'own'), 'mainnet-beta')
  await t.rejects(identify(7), upstream)
})

t.test('rent is asked once in a while, and again after a failure', async (t) => {
  let failing = true
  const node = nodeOf({
    getMinimumBalanceForRentExemption: ([space]: [number]) => (failing ? new RpcError(-32_603, 'internal') : (128 + space) * 6960),
  })
  const { client } = connect(node)
  await t.rejects(client.rent(200), upstream)
  failing = false
  t.same(await Promise.all([client.rent(200), client.rent(200), client.rent(0)]), [2_282_880n, 2_282_880n, 890_880n])
  t.equal(await client.rent(200), 2_282_880n)
  t.equal(node.asked.length, 3)
})

t.test('a rent above what any account has ever cost is a 502, and one below a lamport for each byte too', async (t) => {
  const rentOf = (lamports: number, space: number) => connect(nodeOf({ getMinimumBalanceForRentExemption: lamports })).client.rent(space)
  for (const [space, most] of [
    [0, 890_880],
    [80, 1_447_680],
    [165, 2_039_280],
    [200, 2_282_880],
  ] as const) {
    t.equal(await rentOf(most, space), BigInt(most))
    for (const lamports of [most + 1, 50_000_000_000, 127 + space, 0])
      await t.rejects(rentOf(lamports, space), upstream, `${space}, ${lamports}`)
  }
})

t.test('what the service says about its endpoints passes through as it is', async (t) => {
  const { client } = connect(nodeOf({ getSlot: gatewayTimeout('UPSTREAM_TIMEOUT', 'too slow') }))
  const refusal = { statusCode: 504, code: 'UPSTREAM_TIMEOUT', message: 'too slow' }
  await t.rejects(client.rpc('getSlot', []), refusal)
  await t.rejects(client.connection.getSlot(), refusal)
})

t.test('an error of a node is told by its code, with and without the library', async (t) => {
  const cases: [error: RpcError, status: number, code: string][] = [
    [new RpcError(-32_005, 'Node is behind'), 503, 'UPSTREAM_BEHIND'],
    [new RpcError(-32_010, 'excluded from account secondary indexes'), 503, 'UPSTREAM_UNSEARCHABLE'],
    [new RpcError(-32_011, 'Transaction history is not available from this node'), 503, 'TRANSACTION_UNSEEN'],
    [new RpcError(-32_017, 'Epoch rewards period still active'), 503, 'EPOCH_REWARDS'],
    [new RpcError(-32_000, 'rate limit exceeded'), 503, 'UPSTREAM_BUSY'],
    [new RpcError(-32_601, 'Method not found'), 502, 'UPSTREAM_ERROR'],
    [new RpcError(-32_602, 'Invalid param'), 502, 'UPSTREAM_ERROR'],
  ]
  for (const [error, statusCode, code] of cases) {
    const { client } = connect(nodeOf({ getBalance: error }))
    await t.rejects(client.rpc('getBalance', []), { statusCode, code, cause: { code: error.code } })
    await t.rejects(client.connection.getBalance(key), { statusCode, code })
  }
})

t.test('an account that is refused at one endpoint is read at every other one', async (t) => {
  const there = withContext([account(7)])
  const missing = withContext([null])
  const read = (...values: readonly unknown[]) =>
    readAccounts(
      connect(over(...values.map((getMultipleAccounts) => nodeOf({ getMultipleAccounts })))).client,
      [transactions.wallet],
      ([entry]) => {
        if (!entry) throw badRequest('ACCOUNT_MISSING', 'no')
        return entry.lamports
      },
    )
  t.equal(await read(missing, there), 7n)
  t.equal(await read(there, new Error('must not be asked')), 7n, 'who has it is asked alone')
  await t.rejects(read(missing, missing), { statusCode: 400, code: 'ACCOUNT_MISSING' })
})

t.test('whoever reads the clock of the chain asks no second time how old the head is, and is held against it', async (t) => {
  const CLOCK = 'SysvarC1ock11111111111111111111111111111111'
  const node = (age: number) => {
    const { value } = membersOf(clockOf(age))
    return nodeOf({ getAccountInfo: new Error('must not be asked'), getMultipleAccounts: withContext([null, value]) })
  }
  const fresh = node(300)
  const accounts = await readAccounts(connect(fresh).client, [transactions.wallet, CLOCK])
  t.equal(accounts.length, 2)
  t.same(fresh.asked, ['getMultipleAccounts'])
  await t.rejects(readAccounts(connect(node(301)).client, [transactions.wallet, CLOCK]), { statusCode: 503, code: 'UPSTREAM_BEHIND' })
  const short = nodeOf({ getMultipleAccounts: withContext([null]) })
  await t.rejects(readAccounts(connect(short).client, [transactions.wallet, CLOCK]), upstream, 'an answer that leaves it out')
  const sliced = { encoding: 'base64', dataSlice: { offset: 0, length: 0 } }
  const elsewhere = nodeOf({ getAccountInfo: clockOf(301), getMultipleAccounts: withContext([null]) })
  const { client } = connect(elsewhere)
  await t.rejects(client.rpc('getMultipleAccounts', [[CLOCK], sliced]), { code: 'UPSTREAM_BEHIND' }, 'a part of it does not tell')
})

t.test('every call asks the node who it is and how old its head', async (t) => {
  const read = (table: Table, settings = {}, chainId?: string) =>
    connect(nodeOf({ getSlot: 7, ...table }), settings, chainId).client.rpc('getSlot', [])
  const behind = { statusCode: 503, code: 'UPSTREAM_BEHIND' }
  t.equal(await read({ getAccountInfo: clockOf(300) }), 7)
  await t.rejects(read({ getAccountInfo: clockOf(301) }), behind)
  t.equal(await read({ getAccountInfo: clockOf(301) }, { max_block_age: 400 }), 7)
  t.equal(await read({ getAccountInfo: new Error('must not be asked') }, { max_block_age: 0 }), 7)
  t.equal(await read({ getAccountInfo: clockOf(-1_000_000_000) }), 7, 'a chain may be ahead of this clock')
  const clocks = [
    null,
    {},
    withContext(null),
    clockOf(0, (data) => data.subarray(1)),
    clockOf(0, (data) => Buffer.concat([data, data])),
    clockOf(0, undefined, transactions.wallet),
    new RpcError(-32_603, 'internal'),
  ]
  for (const getAccountInfo of clocks) await t.rejects(read({ getAccountInfo }), upstream, JSON.stringify(getAccountInfo))
  const devnet = { getGenesisHash: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG' }
  await t.rejects(read(devnet), { statusCode: 502, code: 'UPSTREAM_OTHER_CHAIN', message: /chain devnet instead of mainnet-beta/ })
  t.equal(await read(devnet, {}, 'devnet'), 7)
  t.equal(await read({ getGenesisHash: new Error('must not be asked') }, {}, 'own'), 7, 'a cluster that nothing is known of')
  for (const getGenesisHash of [null, 7, '', 'short', {}]) await t.rejects(read({ getGenesisHash }), upstream)
})

t.test('the library goes the same way', async (t) => {
  const { client } = connect(nodeOf({ getSlot: 7, getAccountInfo: clockOf(301) }))
  await t.rejects(client.connection.getSlot(), { statusCode: 503, code: 'UPSTREAM_BEHIND' })
  const held = '{"context":{"slot":1},"value":18446744073709551615}'
  const rich = nodeOf({ getBalance: '@' }, (answer, method) =>
    JSON.stringify(answer).replace('"@"', method === 'getBalance' ? held : '"@"'),
  )
  t.equal(await connect(rich).client.connection.getBalance(key), 2 ** 64)
})

t.test('the refusal of a transaction keeps code and data', async (t) => {
  const { client } = connect(nodeOf({ sendTransaction: new RpcError(-32_002, 'simulation failed', { err: 'AccountNotFound' }) }))
  await t.rejects(client.rpc('sendTransaction', []), { name: 'NodeError', code: -32_002, data: { err: 'AccountNotFound' } })
})

const NO_ANSWERS: Readonly<Record<string, (answer: Record<string, unknown>) => string>> = {
  'no JSON': () => '<html>',
  nothing: () => '',
  null: () => 'null',
  'a list': (answer) => JSON.stringify([answer]),
  'a text': () => '"rate limited"',
  'another id': (answer) => JSON.stringify({ ...answer, id: 'another' }),
  'no result': ({ id }) => JSON.stringify({ jsonrpc: '2.0', id }),
  'an error that is none': ({ id }) => JSON.stringify({ jsonrpc: '2.0', id, error: 'failed' }),
  'a result of another form': (answer) => JSON.stringify({ ...answer, result: 'OK' }),
}

t.test('an answer that is none is a 502', async (t) => {
  for (const [name, reply] of Object.entries(NO_ANSWERS)) {
    const ctx = connect(nodeOf(answers(1000), reply))
    await t.rejects(ctx.client.connection.getMultipleAccountsInfo([key]), upstream, `${name}, with the library`)
    await t.rejects(ctx.client.rent(0), upstream, `${name}, of rent`)
    await t.rejects(svm.preflight(ctx, transactions.wallet, {}), upstream, `${name}, of a preflight`)
  }
})

t.test('accounts of another form are a 502', async (t) => {
  const read = (value: unknown) => readAccounts(connect(nodeOf({ getMultipleAccounts: value } as Table)).client, [transactions.wallet])
  t.same(await read(withContext([null])), [null])
  t.match(await read(withContext([account(7)])), [{ lamports: 7n, owner: '11111111111111111111111111111111' }])
  const wrong = [
    7,
    {},
    { ...account(7), lamports: 1.5 },
    { ...account(7), lamports: -1 },
    { ...account(7), owner: 'x' },
    { ...account(7), data: 'AA==' },
  ]
  for (const value of [null, {}, withContext(null), withContext([]), ...wrong.map((each) => withContext([each]))])
    await t.rejects(read(value), upstream, JSON.stringify(value))
  for (const value of ['7', 1.5, -1, null, undefined, 2 ** 60]) t.throws(() => lamportsOf(value), upstream)
})

t.test('an address is base58 of 32 bytes', async (t) => {
  for (const good of [
    transactions.wallet,
    '11111111111111111111111111111111',
    (SvmAddress as unknown as { examples: [string] }).examples[0],
  ])
    t.equal(svm.address(good), good)
  const bad = [
    '',
    '1',
    '1'.repeat(31),
    '1'.repeat(33),
    '1'.repeat(44),
    'z'.repeat(44),
    `${transactions.wallet}1`,
    `0${transactions.wallet.slice(1)}`,
  ]
  for (const text of [...bad, ' ', '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A', '1'.repeat(100_000)])
    t.throws(() => svm.address(text), { statusCode: 400, code: 'ADDRESS_INVALID' }, text.slice(0, 50))
})
