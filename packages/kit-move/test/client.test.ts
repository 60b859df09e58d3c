import { declareErrors } from '@svc/contract'
import t from 'tap'
import { answer, type MoveClient, type MoveNode, move, verdictOf } from '../src/index.ts'
import { contextOf, frame, grpc, info, MAINNET, NodeRefusal, nodeOf, now, refusal, type Table, TESTNET } from './support/node.ts'

const { badGateway, gatewayTimeout, unavailable } = declareErrors({
  UPSTREAM_TIMEOUT: [504, 'The endpoints are too slow.'],
  UPSTREAM_UNAVAILABLE: [502, 'No endpoint answers.'],
})

const stateOf = (client: MoveClient) => client.exchange(({ systemState }) => systemState())
const table = (id: string) => ({ id, size: 3n })
const validator = (change: object = {}) => ({
  address: '0xabab',
  name: 'Operator',
  commissionRate: 400n,
  stakingPool: {
    id: '0x55',
    activationEpoch: 0n,
    suiBalance: 10n,
    rewardsPool: 1n,
    poolTokenBalance: 9n,
    exchangeRates: table('0x66'),
    pendingStake: 2n,
    pendingTotalSuiWithdraw: 0n,
    pendingPoolTokenWithdraw: 0n,
    extraFields: table('0x77'),
  },
  ...change,
})
const epoch = (number: bigint, change: object = {}) => ({
  epoch: {
    epoch: number,
    referenceGasPrice: 500n,
    systemState: {
      epochStartTimestampMs: 1000n,
      parameters: { epochDurationMs: 86_400_000n, stakeSubsidyStartEpoch: 20n },
      validators: { activeValidators: [validator()], pendingRemovals: [] as bigint[] },
      ...change,
    },
  },
})

t.test('the system state is read whole, and remembered for its epoch', async (t) => {
  let present = 999n
  const { fetch, asked, requests } = nodeOf({ GetServiceInfo: () => info({ epoch: present }), GetEpoch: () => epoch(present) })
  const { client } = contextOf(fetch)
  const state = await stateOf(client)
  t.same(state, {
    epoch: 999n,
    referenceGasPrice: 500n,
    epochStartMs: 1000n,
    epochDurationMs: 86_400_000n,
    stakeSubsidyStartEpoch: 20n,
    safeMode: false,
    validators: [
      {
        address: '0xabab',
        name: 'Operator',
        commissionBps: 400n,
        nextCommissionBps: 400n,
        leaving: false,
        pool: {
          id: '0x55',
          activationEpoch: 0n,
          deactivationEpoch: null,
          suiBalance: 10n,
          poolTokenBalance: 9n,
          rewardsPool: 1n,
          exchangeRatesId: '0x66',
          extraFieldsId: '0x77',
          pendingStake: 2n,
          pendingTotalSuiWithdraw: 0n,
          pendingPoolTokenWithdraw: 0n,
        },
      },
    ],
  })
  t.same(requests[1].readMask, { paths: ['epoch', 'reference_gas_price', 'system_state'] })
  t.equal(await stateOf(client), state)
  t.same(asked, ['GetServiceInfo', 'GetEpoch', 'GetServiceInfo'])
  present = 1000n
  const [one, two] = await Promise.all([stateOf(client), stateOf(client)])
  t.equal(one.epoch, 1000n)
  t.equal(two, one)
  t.equal(asked.filter((method) => method === 'GetEpoch').length, 2, 'calls under way together ask once')
  present = 999n
  t.equal((await stateOf(client)).epoch, 1000n, 'a node that has yet to see the epoch begin takes nothing back')
  present = 5000n
  t.equal((await stateOf(client)).epoch, 5000n)
  present = 1001n
  t.equal((await stateOf(client)).epoch, 1001n, 'and one that was far ahead of all others is not believed for longer than it is asked')
})

t.test('who leaves with the epoch is told by places in the active set, and is remembered without a question', async (t) => {
  const leaves = (pendingRemovals: bigint[]) => epoch(999n, { validators: { activeValidators: [validator()], pendingRemovals } })
  const { fetch, asked } = nodeOf({ GetServiceInfo: info(), GetEpoch: leaves([0n]) })
  const { client } = contextOf(fetch)
  t.equal(client.remembered(), undefined)
  t.equal((await stateOf(client)).validators[0]?.leaving, true)
  const before = asked.length
  t.equal(client.remembered()?.validators[0]?.leaving, true)
  t.equal(asked.length, before)
  const lying = contextOf(nodeOf({ GetServiceInfo: info(), GetEpoch: leaves([1n]) }).fetch).client
  t.match(await refusal(stateOf(lying)), { status: 502, code: 'UPSTREAM_ERROR' }, 'a place that there is not')
})

t.test('a reading each hour asks the node each time, and leaves no gap in what is remembered', async (t) => {
  let minutes = 0
  const at = () => new Date(now.getTime() + minutes * 60_000)
  const head = () => info({ timestamp: { seconds: BigInt(at().getTime() / 1000), nanos: 0 } })
  let asked = 0
  const { fetch } = nodeOf({
    GetServiceInfo: head,
    GetEpoch: () => {
      asked++
      return epoch(999n)
    },
  })
  const { client } = contextOf(fetch, { clock: at })
  for (const [hour, readings] of [1, 2, 3].entries()) {
    minutes = hour * 60
    await stateOf(client)
    t.equal(asked, readings)
    minutes += 59
    t.ok(client.remembered(), `${minutes} minutes`)
    minutes -= 29
    await stateOf(client)
    t.equal(asked, readings, 'what is half an hour old is taken for the epoch’s')
  }
  minutes = 4 * 60
  t.equal(client.remembered(), undefined, 'nearly two hours after the last one')
})

t.test('an epoch that begins between the two calls is asked for again', async (t) => {
  let asked = 0
  const { fetch } = nodeOf({ GetServiceInfo: info({ epoch: 1000n }), GetEpoch: () => epoch(asked++ === 0 ? 999n : 1000n) })
  t.equal((await stateOf(contextOf(fetch).client)).epoch, 1000n)
  t.equal(asked, 2)
})

t.test('of a node of another chain, or one that is epochs ahead of itself, nothing is taken or remembered', async (t) => {
  for (const [given, state, code] of [
    [info({ chainId: TESTNET }), epoch(5000n), 'UPSTREAM_OTHER_CHAIN'],
    [info(), epoch(1001n), 'UPSTREAM_ERROR'],
  ] as const) {
    let right = false
    const { client } = contextOf(
      nodeOf({ GetServiceInfo: () => (right ? info() : given), GetEpoch: () => (right ? epoch(999n) : state) }).fetch,
    )
    t.match(await refusal(stateOf(client)), { status: 502, code })
    right = true
    t.equal((await stateOf(client)).epoch, 999n)
  }
  const { client } = contextOf(nodeOf({ GetServiceInfo: info(), GetEpoch: epoch(1000n) }).fetch)
  t.equal((await stateOf(client)).epoch, 1000n, 'an epoch can begin between the two calls')
})

t.test('a system state with something missing is a 502, and is not remembered', async (t) => {
  const whole = epoch(999n)
  for (const missing of [
    {},
    { epoch: {} },
    epoch(999n, { parameters: undefined }),
    epoch(999n, { validators: undefined }),
    epoch(999n, { validators: { activeValidators: [validator({ stakingPool: undefined })] } }),
    epoch(999n, { validators: { activeValidators: [validator({ commissionRate: undefined })] } }),
  ]) {
    let answered: object = missing
    const { client } = contextOf(nodeOf({ GetServiceInfo: info(), GetEpoch: () => answered }).fetch)
    t.match(await refusal(stateOf(client)), { status: 502, code: 'UPSTREAM_ERROR' })
    answered = whole
    t.equal((await stateOf(client)).epoch, 999n)
  }
})

t.test('a chain is known by the digest of its genesis', async (t) => {
  const identified = (given: object, options = {}) => {
    const ctx = contextOf(nodeOf({ GetServiceInfo: given }).fetch, options)
    return move.identify(ctx)
  }
  t.equal(await identified(info()), 'mainnet')
  t.equal(await identified(info({ chainId: TESTNET })), 'testnet')
  t.equal(await identified(info({ chainId: '2' })), '2')
  t.equal(await identified(info({ chainId: TESTNET }), { settings: { chain_identifier: TESTNET } }), 'mainnet', 'a setting comes first')
  t.equal(await identified(info({ chainId: MAINNET }), { chainId: 'testnet' }), 'mainnet')
  t.match(await refusal(identified({})), { status: 502, code: 'UPSTREAM_ERROR' })
})

const read = ({ sui }: MoveNode) => answer(sui.getBalance({ owner: '0x5' }))
const balance = { balance: { coinType: '0x2::sui::SUI', balance: 7n, coinBalance: 7n, addressBalance: 0n } }
const behind = { timestamp: { seconds: BigInt(now.getTime() / 1000) - 901n, nanos: 0 } }

t.test('of a node of another chain, or one that is behind, nothing is taken, and the next one is asked', async (t) => {
  const cases: readonly (readonly [object, number, string])[] = [
    [info({ chainId: TESTNET }), 502, 'UPSTREAM_OTHER_CHAIN'],
    [info(behind), 503, 'UPSTREAM_BEHIND'],
    [info({ timestamp: undefined }), 502, 'UPSTREAM_ERROR'],
    [info({ timestamp: { seconds: 2n ** 62n, nanos: 0 } }), 502, 'UPSTREAM_ERROR'],
    [info({ epoch: undefined }), 502, 'UPSTREAM_ERROR'],
    [info({ epoch: 2n ** 33n }), 502, 'UPSTREAM_ERROR'],
    [{}, 502, 'UPSTREAM_ERROR'],
  ]
  for (const [given, status, code] of cases) {
    // Whatever it says of the question itself: that it is not there, too.
    for (const GetBalance of [balance, new NodeRefusal(5, 'Object 0x55 not found')]) {
      const bad = nodeOf({ GetServiceInfo: given, GetBalance }).fetch
      t.match(await refusal(contextOf(bad).client.exchange(read)), { status, code })
      const found = await contextOf([bad, nodeOf({ GetBalance: balance }).fetch]).client.exchange(read)
      t.equal(found.balance.balance, '7')
    }
  }
  const any = contextOf(nodeOf({ GetServiceInfo: info(behind), GetBalance: balance }).fetch, { settings: { max_checkpoint_age: 0 } })
  t.equal((await any.client.exchange(read)).balance.balance, '7', 'where the operator sets no limit')
})

t.test("refusals of the service's fetch come through the client as they are", async (t) => {
  for (const given of [
    badGateway('UPSTREAM_UNAVAILABLE', 'The upstream is unavailable.'),
    gatewayTimeout('UPSTREAM_TIMEOUT', 'The upstream did not answer in time.'),
    unavailable('UPSTREAM_BUSY', 'The upstream is overloaded.', 7),
  ]) {
    const { client } = contextOf(nodeOf({ GetServiceInfo: given, GetBalance: given, BatchGetObjects: given }).fetch)
    await t.rejects(client.serviceInfo(), given)
    await t.rejects(client.exchange(read), given)
    const part = contextOf(nodeOf({ BatchGetObjects: given }).fetch).client
    await t.rejects(
      part.exchange(({ sui }) => sui.getObjects({ objectIds: ['0x5'] })),
      given,
      'without `answer` too',
    )
  }
})

t.test('a node that could not answer is followed by the next one; a verdict stays the own error of the node', async (t) => {
  const statuses: readonly (readonly [number, string, number, string])[] = [
    [1, 'cancelled', 502, 'UPSTREAM_ERROR'],
    [2, 'transport error', 502, 'UPSTREAM_ERROR'],
    [4, 'deadline', 504, 'UPSTREAM_TIMEOUT'],
    [5, 'Not Found', 502, 'UPSTREAM_ERROR'],
    [7, 'no key', 502, 'UPSTREAM_ERROR'],
    [8, 'quota', 503, 'UPSTREAM_BUSY'],
    [12, 'no such method', 502, 'UPSTREAM_ERROR'],
    [13, 'panic', 502, 'UPSTREAM_ERROR'],
    [14, 'overloaded', 503, 'UPSTREAM_BUSY'],
    [15, 'lost', 502, 'UPSTREAM_ERROR'],
    [16, 'no key', 502, 'UPSTREAM_ERROR'],
  ]
  const good = nodeOf({ GetBalance: balance }).fetch
  for (const [status, message, expected, code] of statuses) {
    for (const table of [
      { GetBalance: new NodeRefusal(status, message) },
      { GetServiceInfo: new NodeRefusal(status, message), GetBalance: balance },
    ]) {
      const bad = nodeOf(table).fetch
      t.match(await refusal(contextOf(bad).client.exchange(read)), { status: expected, code }, `status ${status}`)
      t.match(await refusal(contextOf(bad).client.exchange(({ sui }) => sui.getBalance({ owner: '0x5' }))), { status: expected, code })
      t.equal((await contextOf([bad, good]).client.exchange(read)).balance.balance, '7')
    }
  }
  const digest = '239CnnRU86J6xVJQSivpKrWTLMR2QhrSCnuWUKn7Vvdq'
  const missing = contextOf(nodeOf({ GetTransaction: new NodeRefusal(5, `Transaction ${digest} not found`) }).fetch).client
  t.match(await refusal(missing.exchange(({ sui }) => answer(sui.getTransaction({ digest })))), { status: 502, code: 'UPSTREAM_ERROR' })
  const thrown = await missing.exchange(({ sui }) => sui.getTransaction({ digest }).catch((error: unknown) => error))
  t.match(thrown, { reason: 'notFound' })
  t.match(verdictOf(thrown), { code: 'NOT_FOUND', message: /not found/ })
  t.equal(verdictOf(new Error('of something else')), null)
})

t.test('a node that keeps no index says so by a status without a word, and only in calls that rest on the index', async (t) => {
  const bare = new NodeRefusal(5, '')
  const inHeaders = new Response(null, { headers: { 'content-type': 'application/grpc-web+proto', 'grpc-status': '5' } })
  for (const given of [bare, () => inHeaders.clone()]) {
    const { client } = contextOf(nodeOf({ GetBalance: given }).fetch)
    t.match(await refusal(client.exchange(read)), {
      status: 502,
      code: 'NODE_WITHOUT_INDEX',
      message: /`enable-indexing: true` under `rpc`/,
    })
    const good = nodeOf({ GetBalance: balance }).fetch
    t.equal((await contextOf([nodeOf({ GetBalance: given }).fetch, good]).client.exchange(read)).balance.balance, '7', 'another one may')
    const info = contextOf(nodeOf({ GetServiceInfo: given, GetBalance: balance }).fetch).client
    t.match(await refusal(info.exchange(read)), { status: 502, code: 'UPSTREAM_ERROR' }, 'its own state rests on no index')
    const other = contextOf(nodeOf({ GetTransaction: given }).fetch).client
    const digest = '239CnnRU86J6xVJQSivpKrWTLMR2QhrSCnuWUKn7Vvdq'
    t.match(await refusal(other.exchange(({ sui }) => answer(sui.getTransaction({ digest })))), { code: 'UPSTREAM_ERROR' })
  }
  const path = contextOf(nodeOf({ GetBalance: () => new Response('', { status: 404, statusText: '' }) }).fetch).client
  t.match(await refusal(path.exchange(read)), { status: 502, code: 'UPSTREAM_ERROR' }, 'a path that leads to no node may bring no word')
})

t.test('an answer that is none is a 502', async (t) => {
  const type = { 'content-type': 'application/grpc-web+proto' }
  const answers: Table = {
    'a page of HTML': new Response('<html></html>', { headers: { 'content-type': 'text/html' } }),
    'a page under the right type': new Response('<html></html>', { headers: type }),
    nothing: new Response('', { headers: type }),
    'a path that does not exist': new Response('Not Found', { status: 404, statusText: 'Not Found' }),
    'half a message': grpc(Buffer.from('0a20', 'hex'), 0),
    'a message that is none': grpc(Buffer.alloc(30, 0xff), 0),
    'no trailers': new Response(frame(0, Buffer.from('0a0131', 'hex')), { headers: type }),
    'no message': grpc(null, 0),
  }
  for (const [name, response] of Object.entries(answers)) {
    const again = () => (response as Response).clone()
    const { client } = contextOf(nodeOf({ GetServiceInfo: again, GetBalance: balance }).fetch)
    t.match(await refusal(client.serviceInfo()), { status: 502, code: 'UPSTREAM_ERROR' }, name)
    const bad = nodeOf({ GetBalance: again }).fetch
    t.match(await refusal(contextOf(bad).client.exchange(read)), { status: 502, code: 'UPSTREAM_ERROR' }, name)
    t.equal((await contextOf([bad, nodeOf({ GetBalance: balance }).fetch]).client.exchange(read)).balance.balance, '7', name)
  }
})
