import { startStage } from '@svc/conformance'
import { itemsOf, membersOf } from '@svc/contract'
import { observe } from '@svc/sandbox'
import t from 'tap'
import { scenario } from '../sandbox/index.ts'
import { nearFamily } from './family/near.ts'
import { options } from './options.ts'

// What a caller of a service meets that has never heard of the family, on a chain that pays rewards.

const { scenario: paying, chain } = observe(scenario)
const stage = await startStage({ ...options, scenario: paying })
t.teardown(() => stage.close())
const { client, service, world } = stage
const wallet = nearFamily.wallet(900)
await world.fund(wallet.address, '1000')

async function act(action: string, body: object = {}): Promise<string> {
  const crafted = await client.post(`/action/${action}`, { account_id: wallet.address, ...body })
  const prepared = await client.post('/action/prepare', await nearFamily.sign(crafted.json as never, wallet))
  const sent = await client.post('/action/broadcast', prepared.json)
  t.equal(sent.status, 200, sent.text)
  return String(membersOf(sent.json).tx_hash)
}
const statusOf = async (hash: string, query = '') => (await client.get(`/transaction/${hash}${query}`)).json

t.test('nothing is taken from a node of another chain', async (t) => {
  const other = await stage.serve({ chainIds: ['testnet'] })
  t.teardown(() => other.close())
  const caller = await other.client()
  const craft = await caller.post('/action/stake', { account_id: wallet.address, amount: '1' })
  t.match([craft.status, craft.code], [502, 'UPSTREAM_OTHER_CHAIN'])
  t.equal((await caller.get(`/staking-balance/${wallet.address}`)).code, 'UPSTREAM_OTHER_CHAIN')
})

t.test('the document has its actions and its schemas, and says that a look-up takes the signer', async (t) => {
  const document = membersOf(await (await fetch(`${service.url}/openapi.json`)).json())
  const paths = membersOf(document.paths)
  const prefix = '/api/v1/near-example/pool'
  for (const path of [
    '/action/stake',
    '/action/unstake',
    '/action/unstake-all',
    '/action/withdraw',
    '/action/inspect',
    '/networks',
    '/staking-info',
  ])
    t.ok(paths[prefix + path], path)
  t.match(JSON.stringify(document), 'NearUnsignedTransaction')
  const look = membersOf(membersOf(paths[`${prefix}/transaction/{tx_hash}`]).get)
  t.match(JSON.stringify(look.parameters), /"name":"wallet"/)
})

t.test('a craft says until when it can land: a height and a nonce', async (t) => {
  const { headers, json } = await client.post('/action/stake', { account_id: wallet.address, amount: '1' })
  const { height } = chain().node
  t.match(JSON.parse(headers.get('x-valid-until') ?? ''), {
    ...{ kind: 'block_height', value: String(height + 86_400n) },
    also: { kind: 'nonce', value: String((height - 1n) * 1_000_000n + 1n), estimated_at: null },
  })
  const { json: said } = await client.post('/action/inspect', { transaction: membersOf(json).unsigned_tx_hex })
  t.match(said, {
    known: true,
    form: 'unsigned',
    sentence: /^Stake 1 NEAR with the pool pool-one\.poolv1\.near on near:mainnet, which the bytes do not name; /,
    order: null,
  })
  // The family says nothing of what a wallet may change.
  const expect = { action: 'stake', body: { account_id: wallet.address, amount: '1' } }
  const held = await client.post('/action/inspect', { transaction: membersOf(json).unsigned_tx_hex, expect })
  t.match(held, { status: 400, code: 'REQUEST_INVALID', sentence: /cannot hold a signed transaction against a request; leave it out/ })
})

t.test('a transaction is found by its hash and its signer, and by its hash alone it is unknown', async (t) => {
  const { world: ground } = stage
  const crafted = await client.post('/action/stake', { account_id: wallet.address, amount: '100' })
  const prepared = await client.post('/action/prepare', await nearFamily.sign(crafted.json as never, wallet))
  // Past the service, which follows nothing of it then.
  await nearFamily.life?.send(ground.rpcUrl, membersOf(prepared.json))
  const hash = String(membersOf(crafted.json).tx_hash)
  t.match(await statusOf(hash), { status: 'unknown', certainty: 'likely', valid_until: null })
  t.match(await statusOf(hash, `?wallet=${'ab'.repeat(32)}`), { status: 'unknown' }, 'of somebody else')
  t.match(await statusOf(hash, `?wallet=${wallet.address}`), {
    ...{ status: 'final', finality: 'final', certainty: 'proven' },
    moves: [
      { kind: 'leaves', units: `${100n * 10n ** 24n}` },
      { kind: 'staked', units: `${100n * 10n ** 24n}` },
    ],
  })
  t.equal((await client.get(`/transaction/${hash}?wallet=0x12`)).code, 'ADDRESS_INVALID')
})

t.test('rewards count from the first call of an epoch on, and a yocto more that is freed is no difference', async (t) => {
  const staked = async () => /"staked_amount":([\d.]+)/.exec((await client.get(`/staking-balance/${wallet.address}`)).text)?.[1]
  t.equal(await staked(), '100')
  await world.advance({ epochs: 1 })
  t.equal(await staked(), '100', 'nobody has called the pool yet')
  const hash = await act('unstake', { amount: '33.333333333333333333333333' })
  const left = Number(await staked())
  t.ok(left > 66.66 && left < 66.68, `${left}: the rest, with 95 percent of what its part of 40 NEAR was`)
  const { moves } = membersOf(await statusOf(hash))
  const [freed] = itemsOf(moves).map(membersOf)
  const more = BigInt(String(freed?.units)) - 33_333333333333333333333333n
  t.ok(freed?.kind === 'freed' && (more === 0n || more === 1n), `${more} more than was asked for`)
})

t.test('a payment that fails is not told to have arrived', async (t) => {
  await world.advance({ epochs: 4 })
  await world.operate('break', { times: 1 })
  const hash = await act('withdraw')
  t.match(await statusOf(hash), { status: 'final', moves: [] })
})

t.test('the terms of staking are told', async (t) => {
  const { json } = await client.get('/staking-info')
  t.match(json, { staking_reward_fee: 5, stake_deactivation_max_time: 1728, max_slashing_percentage: 0 })
  const { staking_apr, users } = membersOf(json)
  // 2.25 percent of 1.29 billion on 620 million staked, less 5 percent.
  t.ok(Number(staking_apr) > 4.4 && Number(staking_apr) < 4.5, String(staking_apr))
  t.type(users, 'number')
})
