import { startSandbox } from '@svc/sandbox'
import { type EvmChain, startEvmChain } from '@svc/sandbox-evm'
import t, { type Test } from 'tap'
import { parseQuery, project } from '../sandbox/graphql.ts'
import { capacity, firstStaker, scenario, scenarios, updateSeconds, vaultAddresses, worldOf } from '../sandbox/index.ts'

async function start(t: Test, at = scenario) {
  const chain: EvmChain = await startEvmChain({ chainId: Number(at.chain.slice(4)) })
  t.teardown(() => chain.close())
  const { settings, endpoints } = await at.install(chain)
  const query = async (text: string, variables: object = {}) => {
    const response = await fetch(endpoints!.subgraph![0]!, { method: 'POST', body: JSON.stringify({ query: text, variables }) })
    return (await response.json()) as { data: Record<string, Record<string, unknown>>; errors?: { message: string }[] }
  }
  return { chain, settings, world: worldOf(chain), query, url: endpoints!.subgraph![0]! }
}

t.test('both networks have their genesis vault, a day of rewards and a subgraph that ends with the chain', async (t) => {
  for (const at of scenarios) {
    const { chain, settings, world, query, url } = await start(t, at)
    t.match(settings, { vault: vaultAddresses[chain.chainId], first_block: 0, inclusion_ms: 500 })
    t.equal(await world.read('capacity'), capacity)
    t.ok((await world.read<bigint>('convertToAssets', [10n ** 18n])) > 10n ** 18n)
    const { data } = await query('query Any($id: ID!) { vault(id: $id) { apy feePercent rewardsRoot } _meta { block { number } } }', {
      id: world.vault.toLowerCase(),
    })
    t.match(data.vault, { feePercent: 1000, rewardsRoot: world.report!.rewardsRoot })
    t.ok(Math.abs(Number(data.vault!.apy) - 2.7) < 0.01, 'a rate of 3 % less a fee of a tenth')
    await chain.close()
    await t.rejects(fetch(url))
  }
})

t.test('an epoch is an oracle update, and what waits in the queue comes back from validators at the second', async (t) => {
  const { chain, world } = await start(t)
  const before = await chain.latest()
  await world.act(firstStaker, 'enterExitQueue', [10n ** 19n, firstStaker])
  const { rewards_nonce } = await chain.advance({ epochs: 1 })
  t.equal(rewards_nonce, 5)
  t.equal(await world.read('getExitQueueIndex', [0n]), -1n)
  const after = await chain.advance({ epochs: 1 })
  t.equal(await world.read('getExitQueueIndex', [0n]), 0n)
  const drift = Number(after.timestamp) - before.timestamp - 2 * updateSeconds
  t.ok(drift >= 0 && drift < 600, `${drift}`)
  t.equal(await world.readShared('keeper', 'canHarvest', [world.vault]), false)
})

t.test('advancing by seconds passes the updates that fall into them', async (t) => {
  const { chain } = await start(t)
  t.match(await chain.advance({ seconds: updateSeconds - 600 }), { rewards_nonce: 4 })
  t.match(await chain.advance({ seconds: 700 }), { rewards_nonce: 5 })
  t.match(await chain.advance({ seconds: 30 * 86_400 }), { rewards_nonce: 7 })
})

t.test('the control port moves a whole sandbox on, and names the endpoints beside the chain', async (t) => {
  const sandbox = await startSandbox({ scenarios, controlPort: 0 })
  t.teardown(() => sandbox.close())
  t.same(
    sandbox.endpoints.map((groups) => Object.keys(groups)),
    [['subgraph'], ['subgraph']],
  )
  const response = await fetch(`${sandbox.controlUrl}/chains/evm/560048/advance`, { method: 'POST', body: '{ "epochs": 2 }' })
  t.match(await response.json(), { rewards_nonce: 6, block: Number, timestamp: Number })
})

t.test('the subgraph refuses what it does not have', async (t) => {
  const { query, world } = await start(t)
  const vault = `vault(id: "${world.vault.toLowerCase()}")`
  for (const [text, message] of [
    [`query A { ${vault} { apy nonsense } }`, /no field `nonsense`/],
    ['query A { boosts { id } }', /no field `boosts`/],
    ['query A($id: ID!) { vault(id: $id) { apy } }', /\$id is not given/],
    ['mutation A { x }', /expected query/],
    ['query A { vault', /the end/],
  ] as const) {
    const { errors, data } = await query(text)
    t.match(errors?.[0]?.message, message, text)
    t.equal(data, undefined)
  }
  t.same((await query('query A { vault(id: "0x00") { apy } }')).data, { vault: null })
})

t.test('queries are read with nested arguments and variables', async (t) => {
  const [field] = parseQuery('query Q($a: Bytes!) { rows(where: { x_: { id: $a }, open: false }, first: 3, orderBy: time) { id } }', {
    a: '0x1',
  })
  t.same(field, {
    name: 'rows',
    args: { where: { x_: { id: '0x1' }, open: false }, first: 3, orderBy: 'time' },
    fields: [{ name: 'id', args: {}, fields: [] }],
  })
  t.same(project([{ id: 1, other: 2 }], field!), [{ id: 1 }])
})
