import { toBase64, toHex } from '@cosmjs/encoding'
import { eventually } from '@svc/testing/eventually'
import t from 'tap'
import { txHash } from '../src/node.ts'
import { bench, celestia, http } from './support.ts'

const call = (method: string, params: unknown = {}, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params })

t.test('every method of the client has its answer', async (t) => {
  const { client, chain, delegate, sign } = await bench(t)
  const { comet } = client
  t.match(await comet.status(), {
    nodeInfo: { network: 'cosmoshub-4', version: '0.38.25' },
    syncInfo: { latestBlockHeight: 2, catchingUp: false, earliestBlockHeight: 1 },
  })
  t.equal(await comet.health(), null)
  t.match(await comet.abciInfo(), { lastBlockHeight: 2, data: 'GaiaApp' })
  const bytes = await sign(delegate('1000000'))
  const sent = (await comet.broadcastTxCommit({ tx: bytes })) as { height: number; hash: Uint8Array; checkTx: object; txResult?: object }
  t.match(sent, { height: 3, checkTx: { code: 0 }, txResult: { code: 0 } })
  t.equal(toHex(sent.hash).toUpperCase(), txHash(bytes))
  t.match(await comet.tx({ hash: sent.hash }), { height: 3, index: 0, tx: bytes, result: { code: 0 } })
  t.match(await comet.block(3), { block: { header: { height: 3, chainId: 'cosmoshub-4' }, txs: [bytes] } })
  t.equal((await comet.block(1)).block.header.lastBlockId, null)
  t.match(await comet.blockResults(3), { height: 3, results: [{ code: 0 }] })
  t.match(await comet.validators({ per_page: 1 }), { total: 2, count: 1, validators: [{ votingPower: 600_000n }] })
  t.match(await comet.numUnconfirmedTxs(), { total: 0, totalBytes: 0 })
  t.match(await comet.txSearchAll({ query: 'tx.height=3' }), { totalCount: 1 })
  await t.rejects(comet.block(9), /height 9 must be less than or equal to the current blockchain height 3/)
  await t.rejects(comet.tx({ hash: new Uint8Array(32) }), /not found/)
  await t.rejects(comet.txSearchAll({ query: 'nonsense' }), /got tag, wanted <= operator/)
  const asynchronous = await sign(delegate('1'))
  t.match(await comet.broadcastTxAsync({ tx: asynchronous }), { hash: Buffer.from(txHash(asynchronous), 'hex') })
  t.equal(chain.latest().block, 4)
  const refused = (await comet.broadcastTxCommit({ tx: await sign(delegate('1'), { sequence: 9 }) })) as { height: number; checkTx: object }
  t.match(refused, { height: 0, checkTx: { code: 32, codespace: 'sdk' } })
})

t.test('a broadcast that waits for its block ends with the block', async (t) => {
  const { client, chain, delegate, sign } = await bench(t)
  chain.node!.instant = false
  const waiting = client.comet.broadcastTxCommit({ tx: await sign(delegate('1')) })
  await eventually('it waits', () => chain.node!.pending.length)
  t.match(await client.comet.numUnconfirmedTxs(), { total: 1 })
  await chain.mine()
  t.match(await waiting, { height: 3 })
})

t.test('a node without an index knows what became of a transaction', async (t) => {
  const { client, chain, delegate, sign, address, undelegate } = await bench(t, celestia)
  const status = async (bytes: Uint8Array) =>
    (await http(chain.rpcUrl, call('tx_status', { hash: toBase64(Buffer.from(txHash(bytes), 'hex')) }))).body.result
  const bytes = await sign(delegate('5'))
  t.same(await status(bytes), { height: '0', index: 0, execution_code: 0, error: '', status: 'UNKNOWN' })
  chain.node!.instant = false
  await client.broadcastTxSync(bytes)
  t.same(await status(bytes), { height: '0', index: 0, execution_code: 0, error: '', status: 'PENDING' })
  await chain.mine()
  t.match(await status(bytes), { status: 'COMMITTED', height: '3', execution_code: 0, gas_wanted: '400000', signers: [address] })
  chain.node!.instant = true
  const failing = await sign(undelegate('50'))
  await client.broadcastTxSync(failing)
  t.match(await status(failing), { status: 'COMMITTED', execution_code: 18, codespace: 'sdk', error: /invalid shares amount/ })
  const refused = await sign(delegate('1'), { sequence: 0 })
  await t.rejects(client.broadcastTxSync(refused))
  const why = 'account sequence mismatch, expected 2, got 0: incorrect account sequence'
  t.same(await status(refused), { height: '0', index: 0, execution_code: 32, error: why, status: 'REJECTED' })
  for (const method of ['tx', 'tx_search']) {
    t.match((await http(chain.rpcUrl, call(method, {}))).body.error, {
      code: -32603,
      message: 'Internal error',
      data: 'transaction indexing is disabled',
    })
  }
  t.match((await http((await bench(t)).chain.rpcUrl, call('tx_status'))).body.error, { code: -32601, message: 'Method not found' })
})

t.test('a transaction that failed may come again, and one that succeeded may not', async (t) => {
  const { chain, sign, undelegate, delegate } = await bench(t)
  const send = async (bytes: Uint8Array) => (await http(chain.rpcUrl, call('broadcast_tx_sync', { tx: toBase64(bytes) }))).body
  const failing = await sign(undelegate('1'))
  t.match(await send(failing), { result: { code: 0, hash: txHash(failing) } })
  t.match(await send(failing), { result: { code: 32, codespace: 'sdk' } })
  const good = await sign(delegate('1'))
  t.match(await send(good), { result: { code: 0 } })
  t.same(await send(good), {
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32603, message: 'Internal error', data: 'tx already exists in cache' },
  })
  t.match(await send(new Uint8Array(1_048_577)), { error: { code: -32600, data: /request body too large$/ } })
})

t.test('batches are answered in order, ten at most', async (t) => {
  const { chain } = await bench(t)
  const batch = Array.from({ length: 10 }, (_, index) => call(index % 2 === 0 ? 'health' : 'nothing', {}, index))
  const { body } = await http(chain.rpcUrl, batch)
  t.same(
    body.map(({ id, error }: { id: number; error?: { code: number } }) => [id, error?.code]),
    batch.map(({ id }, index) => [id, index % 2 === 0 ? undefined : -32601]),
  )
  const eleven = await http(chain.rpcUrl, [...batch, call('health')])
  t.equal(eleven.status, 200)
  t.notOk('id' in eleven.body)
  t.match(eleven.body.error, { code: -32600, data: /batch request exceeds maximum \(10\)/ })
  t.match((await http(chain.rpcUrl, [call('health', {}, 'a')])).body, { id: 'a', result: {} })
  t.equal((await http(chain.rpcUrl, { jsonrpc: '2.0', method: 'health' })).body, '')
})

t.test('a body that is no call is refused', async (t) => {
  const { chain } = await bench(t)
  t.match(await http(chain.rpcUrl, '{'), { status: 500, body: { error: { code: -32700 } } })
  t.match((await http(chain.rpcUrl, call('block', { height: 'x' }))).body.error, {
    code: -32602,
    data: /invalid character 'x' looking for beginning of value$/,
  })
  t.match((await http(chain.rpcUrl, call('block', ['1']))).body.result.block.header, { height: '1' })
  t.match((await http(chain.rpcUrl, call('block', [1, 2]))).body.error, { code: -32602 })
  t.match((await http(chain.rpcUrl, call('broadcast_tx_sync', { tx: 'ä' }))).body.error, { code: -32602 })
  t.match((await http(chain.rpcUrl, call('abci_query', { path: '/x', data: 'zz' }))).body.error, { code: -32602 })
})

t.test('every method can be asked by GET', async (t) => {
  const { chain, address, sign, delegate } = await bench(t)
  t.match((await http(`${chain.rpcUrl}/status`)).body.result.node_info, { network: 'cosmoshub-4' })
  t.match((await http(`${chain.rpcUrl}/block?height=1`)).body.result.block.header, { height: '1' })
  t.match((await http(`${chain.rpcUrl}/`)).body, /^<html>.*abci_query\?path=_&data=_/)
  t.equal((await http(`${chain.rpcUrl}/nothing`)).status, 404)
  t.match(await http(`${chain.rpcUrl}/block?height=99`), { status: 500, body: { error: { code: -32603 } } })
  const { QueryAccountInfoRequest } = await import('cosmjs-types/cosmos/auth/v1beta1/query')
  const data = toHex(QueryAccountInfoRequest.encode({ address }).finish())
  const query = await http(`${chain.rpcUrl}/abci_query?path="/cosmos.auth.v1beta1.Query/AccountInfo"&data=0x${data}`)
  t.match(query.body.result.response, { code: 0, height: '2' })
  const bytes = await sign(delegate('1'))
  t.match((await http(`${chain.rpcUrl}/broadcast_tx_sync?tx=0x${toHex(bytes)}`)).body.result, { code: 0, hash: txHash(bytes) })
  t.match((await http(`${chain.rpcUrl}/tx?hash=0x${txHash(bytes)}`)).body.result, { height: '3', hash: txHash(bytes) })
})

t.test('a query that cannot be answered has its code, its codespace and its text', async (t) => {
  const { chain, client } = await bench(t)
  const ask = async (path: string, data = '', height?: string) =>
    (await http(chain.rpcUrl, call('abci_query', { path, data, height }))).body.result.response
  t.match(await ask('/cosmos.gov.v1.Query/Proposals'), {
    code: 6,
    codespace: 'sdk',
    log: 'unknown query path: unknown request',
    value: null,
  })
  t.match(await ask('/celestia.mint.v1.Query/AnnualProvisions'), { code: 6 })
  t.match(await ask('/cosmos.auth.v1beta1.Query/AccountInfo', '0a0161'), {
    code: 18,
    log: 'decoding bech32 failed: invalid bech32 string length 1: invalid request',
  })
  t.match(await ask('/cosmos.auth.v1beta1.Query/AccountInfo', 'ff'), { code: 18 })
  t.match(await ask('/cosmos.staking.v1beta1.Query/Pool', '', '1'), { code: 18, log: /version does not exist \(latest height: 2\)/ })
  t.match(await ask('/cosmos.staking.v1beta1.Query/Pool', '', '2'), { code: 0 })
  await t.rejects(
    client.query.staking.validator('cosmosvaloper1yg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zt5x3kt'),
    /\(22\).*code = NotFound desc = validator .* not found: key not found/,
  )
  await t.rejects(client.query.auth.account('celestia1mnyn7x24xj6vraxeeq56dfkxa009tvhg8ext4c'), /hrp does not match bech32 prefix/)
})

t.test('parameters are those of the genesis, on the paths of the chain', async (t) => {
  const world = await bench(t)
  const other = await bench(t, celestia)
  const { QueryParamsResponse: Mint, QueryAnnualProvisionsResponse: Provisions } = await import('cosmjs-types/cosmos/mint/v1beta1/query')
  const { QueryParamsResponse: Slashing } = await import('cosmjs-types/cosmos/slashing/v1beta1/query')
  const { QueryParamsResponse: Consensus } = await import('cosmjs-types/cosmos/consensus/v1/query')
  const ask = async (path: string, to = world) => (await to.client.query.queryAbci(path, new Uint8Array())).value
  const ascii = (bytes: Uint8Array) => Buffer.from(bytes).toString('ascii')
  t.equal(Mint.decode(await ask('/cosmos.mint.v1beta1.Query/Params')).params.blocksPerYear, 5_259_492n)
  const provisions = BigInt(ascii(Provisions.decode(await ask('/cosmos.mint.v1beta1.Query/AnnualProvisions')).annualProvisions))
  t.equal(provisions, world.chain.node!.app.view().state.supply.get('uatom')! * 10n ** 17n)
  const slashing = Slashing.decode(await ask('/cosmos.slashing.v1beta1.Query/Params')).params
  t.equal(ascii(slashing.slashFractionDoubleSign), '50000000000000000')
  t.equal(Consensus.decode(await ask('/cosmos.consensus.v1.Query/Params')).params!.block!.maxGas, 75_000_000n)
  t.ok(Provisions.decode(await ask('/celestia.mint.v1.Query/AnnualProvisions', other)).annualProvisions.length > 10)
  t.equal(ascii(Provisions.decode(await ask('/celestia.mint.v1.Query/InflationRate', other)).annualProvisions).length, 17)
  // `0a` length, then the digits of 0.000001.
  t.equal(ascii((await ask('/celestia.minfee.v1.Query/NetworkMinGasPrice', other)).slice(2)), '1000000000000')
  const estimate = await ask('/celestia.core.v1.gas_estimation.GasEstimator/EstimateGasPrice', other)
  t.equal(estimate[0], 9)
  t.equal(Buffer.from(estimate).readDoubleLE(1), 0.004)
  const { queryDynamicGasPrice } = await import('@cosmjs/stargate')
  t.equal((await queryDynamicGasPrice(world.client.query, 'uatom', 'cosmoshub-4')).toString(), '0.005')
  const one = await world.client.query.queryAbci('/feemarket.feemarket.v1.Query/GasPrice', Buffer.from('0a057561746f6d', 'hex'))
  t.match(ascii(one.value), /uatom.*5000000000000000$/s)
  for (const name of ['State', 'Params']) t.ok((await ask(`/feemarket.feemarket.v1.Query/${name}`)).length > 20, name)
})
