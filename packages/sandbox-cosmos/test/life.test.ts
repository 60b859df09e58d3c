import { toBase64 } from '@cosmjs/encoding'
import t from 'tap'
import { moduleAddress } from '../src/modules/auth.ts'
import { send as sendCoins } from '../src/modules/bank.ts'
import { txHash } from '../src/node.ts'
import { type Bench, bench, celestia, http } from './support.ts'

const operate = ({ chain }: Bench, name: string, body: Record<string, unknown> = {}) => chain.operations[name]!.run(body) as Promise<any>
const ask = async ({ chain }: Bench, method: string, params: unknown = {}) =>
  (await http(chain.rpcUrl, { jsonrpc: '2.0', id: 1, method, params })).body
const send = (here: Bench, bytes: Uint8Array) => ask(here, 'broadcast_tx_sync', { tx: toBase64(bytes) })
const hashOf = (bytes: Uint8Array) => ({ hash: toBase64(Buffer.from(txHash(bytes), 'hex')) })
const statusOf = async (here: Bench, bytes: Uint8Array) => (await ask(here, 'tx_status', hashOf(bytes))).result

t.test('a transaction that is held is in no block until it is released, and its sequence is taken meanwhile', async (t) => {
  const here = await bench(t)
  const bytes = await here.sign(here.delegate('1'))
  t.match(await operate(here, 'hold', { on: true }), { held: true, waiting: [] })
  t.match(await send(here, bytes), { result: { code: 0 } })
  await here.chain.mine(2)
  t.match(await ask(here, 'unconfirmed_txs', { limit: '100' }), { result: { n_txs: '1', total: '1', txs: [toBase64(bytes)] } })
  t.match(await send(here, await here.sign(here.delegate('2'))), { result: { code: 32 } }, 'also after blocks without it')
  t.match(await operate(here, 'hold', { on: false }), { held: false, waiting: [] })
  t.match(await ask(here, 'tx', hashOf(bytes)), { result: { hash: txHash(bytes), tx_result: { code: 0 } } })
  await t.rejects(operate(here, 'hold', { on: 'yes' }), { code: 'INVALID_INPUT', message: /on is "yes"/ })
})

t.test('one that is dropped leaves its sequence to another, and celestia-core remembers it', async (t) => {
  for (const genesis of [undefined, celestia]) {
    const here = await bench(t, genesis)
    const [bytes, other] = [await here.sign(here.delegate('1')), await here.sign(here.delegate('2'))]
    await operate(here, 'hold', { on: true })
    await send(here, bytes)
    t.match(await operate(here, 'drop', { hash: txHash(bytes) }), { waiting: [] })
    if (genesis) t.match(await statusOf(here, bytes), { status: 'EVICTED' })
    t.match(await send(here, other), { result: { code: 0 } })
    await operate(here, 'hold', { on: false })
    t.match(await send(here, bytes), { result: { code: 32 } })
    if (!genesis)
      t.match((await ask(here, 'tx_search', { query: `tx.acc_seq='${here.address}/0'` })).result, {
        total_count: '1',
        txs: [{ hash: txHash(other) }],
      })
    await t.rejects(operate(here, 'drop', { hash: txHash(bytes) }), {
      code: 'INVALID_INPUT',
      message: /must be of a transaction that waits/,
    })
  }
})

t.test('what fails in its messages keeps the events of its fee; what fails before has none', async (t) => {
  const types = ({ tx_result: { events } }: any) => events.map(({ type }: { type: string }) => type)
  const here = await bench(t)
  const failing = await here.sign(here.undelegate('1'))
  await send(here, failing)
  const { result } = await ask(here, 'tx', hashOf(failing))
  t.not(result.tx_result.code, 0)
  t.ok(types(result).includes('tx'), types(result).join())
  t.notOk(types(result).includes('unbond'))

  // Checking does not run the messages: the first leaves nothing for the fee of the second, which both passed the check with.
  const { amount, ...rest } = here.delegate('1').value
  const all = { typeUrl: '/cosmos.staking.v1beta1.MsgDelegate', value: { ...rest, amount: { ...amount, amount: '999995000' } } }
  const { sequence } = await here.client.getSequence(here.address)
  const pair = [await here.sign(all), await here.sign(here.delegate('1'), { sequence: sequence + 1 })] as const
  here.chain.node!.instant = false
  for (const bytes of pair) t.match(await send(here, bytes), { result: { code: 0 } })
  await here.chain.mine()
  t.match((await ask(here, 'tx', hashOf(pair[0]))).result, { tx_result: { code: 0 } })
  t.match((await ask(here, 'tx', hashOf(pair[1]))).result, { tx_result: { code: 5, events: [] } })

  // Celestia's blocks have them too, with a code and without events.
  const there = await bench(t, celestia)
  const one = await there.sign(there.delegate('1'))
  await operate(there, 'hold', { on: true })
  await send(there, one)
  there.chain.node!.held = false
  const take = 1_000_000_000n
  there.chain.makeBlock({ begin: (ctx) => sendCoins(ctx, there.address, moduleAddress(ctx.genesis, 'fee_collector'), take) })
  t.match(await statusOf(there, one), { status: 'COMMITTED', execution_code: 5, codespace: 'sdk', signers: [there.address] })
  t.match((await ask(there, 'tx', hashOf(one))).error, { data: 'transaction indexing is disabled' })
  await operate(there, 'keep', { index: true, results: true })
  t.match((await ask(there, 'tx', hashOf(one))).result, { tx_result: { code: 5, events: [] } })
  t.equal((await there.client.getSequence(there.address)).sequence, 0, 'its sequence is free')

  // One that waits while its account is emptied is forgotten, with what the checks said.
  const other = await bench(t, celestia)
  const waiting = await other.sign(other.delegate('1'))
  await operate(other, 'hold', { on: true })
  await send(other, waiting)
  other.chain.makeBlock({ begin: (ctx) => sendCoins(ctx, other.address, moduleAddress(ctx.genesis, 'fee_collector'), take) })
  t.match(await statusOf(other, waiting), { status: 'REJECTED', execution_code: 5, error: /insufficient funds$/ })
})

t.test('one that needs more gas than it may fails in its messages', async (t) => {
  const here = await bench(t)
  const bytes = await here.sign(here.delegate('1'))
  await operate(here, 'hold', { on: true })
  await send(here, bytes)
  await operate(here, 'exhaust', { hash: txHash(bytes) })
  await operate(here, 'hold', { on: false })
  const { tx_result: outcome } = (await ask(here, 'tx', hashOf(bytes))).result
  t.match(outcome, { code: 11, codespace: 'sdk', log: /^out of gas in location/ })
  t.ok(outcome.events.length > 0)
  await t.rejects(operate(here, 'exhaust', { hash: txHash(bytes) }), {
    code: 'INVALID_INPUT',
    message: /must be of a transaction that waits/,
  })
})

t.test('events of a message name it, and say who received and who spent', async (t) => {
  const here = await bench(t)
  const bytes = await here.sign(here.delegate('7'))
  await send(here, bytes)
  const { events } = (await ask(here, 'tx', hashOf(bytes))).result.tx_result
  const spent = events.filter(({ type }: any) => type === 'coin_spent').map(({ attributes }: any) => attributes)
  // The last one is the tip.
  t.match(spent.at(-2), [
    { key: 'spender', value: here.address },
    { key: 'amount', value: '7uatom' },
    { key: 'msg_index', value: '0' },
  ])
  t.match(events.find(({ type }: any) => type === 'delegate').attributes.at(-1), { key: 'msg_index', value: '0' })
  t.notOk(
    spent[0].some(({ key }: any) => key === 'msg_index'),
    'the fee is of no message',
  )
})

t.test('what a node keeps besides blocks is what its software keeps by default, and can be turned on and off', async (t) => {
  const results = (here: Bench) => ask(here, 'block_results', { height: '2' })
  const [first, second] = [await bench(t), await bench(t, celestia)]
  t.match(await results(first), { result: { height: '2' } })
  t.match(await ask(first, 'status'), { result: { node_info: { other: { tx_index: 'on' } } } })
  t.match(await results(second), { error: { code: -32603, data: 'node is not persisting finalize block responses' } })
  t.match(await ask(second, 'status'), { result: { node_info: { other: { tx_index: 'off' } } } })
  t.match(await operate(second, 'keep', { results: true }), { index: false, results: true })
  t.match(await results(second), { result: { height: '2' } })
  t.match(await operate(second, 'keep', { index: true, results: false }), { index: true, results: false })
  t.match(await results(second), { error: { data: 'node is not persisting finalize block responses' } })
  await t.rejects(operate(second, 'keep', { index: 'yes' }), { code: 'INVALID_INPUT', message: /index is "yes"/ })
})

t.test('a node that has forgotten says what it has, and refuses what it has not', async (t) => {
  for (const genesis of [undefined, celestia]) {
    const here = await bench(t, genesis)
    const bytes = await here.sign(here.delegate('1'))
    await send(here, bytes)
    await here.chain.mine(2)
    const { height } = here.chain.node!.latest
    t.match(await operate(here, 'prune'), { lowest: Number(height) })
    t.match((await ask(here, 'status')).result.sync_info, { earliest_block_height: String(height), latest_block_height: String(height) })
    if (genesis) t.same(await statusOf(here, bytes), { height: '0', index: 0, execution_code: 0, error: '', status: 'REJECTED' })
    else t.match(await ask(here, 'tx', hashOf(bytes)), { error: { data: /not found/ } })
    for (const method of ['block', 'block_results', 'header'])
      t.match(await ask(here, method, { height: '3' }), {
        error: { data: `height 3 is not available, lowest height is ${height}` },
      })
    await here.chain.mine()
    t.match((await ask(here, 'blockchain', { minHeight: '1', maxHeight: '99' })).result, {
      last_height: String(height + 1n),
      block_metas: [{ header: { height: String(height + 1n) } }, { header: { height: String(height) } }],
    })
    t.match(await ask(here, 'blockchain', { minHeight: '1', maxHeight: '2' }), { error: { data: /can't be greater than max height 2/ } })
  }
})

t.test('no block is taken back', async (t) => {
  const here = await bench(t)
  await t.rejects(operate(here, 'reorganise'), { code: 'NOT_SUPPORTED', message: /never takes back a block/ })
})
