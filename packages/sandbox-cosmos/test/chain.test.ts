import { execFileSync } from 'node:child_process'
import { Bip39, EnglishMnemonic, Secp256k1, Slip10, Slip10Curve, stringToPath } from '@cosmjs/crypto'
import { toHex } from '@cosmjs/encoding'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { StargateClient } from '@cosmjs/stargate'
import { startSandbox } from '@svc/sandbox'
import {
  type CosmosChain,
  type CosmosGenesis,
  type CosmosScenario,
  type CosmosWallet,
  cosmosEngine,
  cosmosKeys,
  startCosmosChain,
} from '@svc/sandbox-cosmos'
import { freePort } from '@svc/testing/free-ports'
import t from 'tap'
import { bench, celestia, http, hub } from './support.ts'

const scenarioOf = (chain: CosmosChain['id'], genesis: CosmosGenesis): CosmosScenario => ({
  engine: cosmosEngine,
  chain,
  async install(made) {
    made.genesis(genesis)
    return { settings: { validator: made.validator() } }
  },
})

const LIFE = ['hold', 'drop', 'prune', 'keep', 'reorganise', 'exhaust']

t.test('chains run side by side, with funded wallets that have an address on each', async (t) => {
  const scenarios = [scenarioOf('cosmos:cosmoshub-4', hub), scenarioOf('cosmos:celestia', celestia)]
  const sandbox = await startSandbox({ scenarios, controlPort: 0 })
  t.teardown(() => sandbox.close())
  t.same(Object.keys(sandbox.chains), ['cosmos:cosmoshub-4', 'cosmos:celestia'])
  t.match(sandbox.settings, [{ validator: /^cosmosvaloper1/ }, { validator: /^celestiavaloper1/ }])
  t.same(Object.keys(sandbox.wallets), ['cosmos'])
  const wallets = sandbox.wallets.cosmos as readonly CosmosWallet[]
  t.equal(wallets.length, 3)
  for (const { mnemonic, addresses } of wallets) {
    for (const [id, prefix, denom] of [
      ['cosmos:cosmoshub-4', 'cosmos', 'uatom'],
      ['cosmos:celestia', 'celestia', 'utia'],
    ] as const) {
      // The wallet that a stranger would make of the words.
      const wallet = await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix })
      const { address } = (await wallet.getAccounts())[0]!
      t.equal(addresses[id], address)
      const client = await StargateClient.connect(sandbox.chains[id]!.rpcUrl)
      t.same(await client.getBalance(address, denom), { denom, amount: '1000000000000' })
      client.disconnect()
    }
  }
  // Published in CosmJS's test data, with these words.
  t.equal(wallets[2]!.addresses['cosmos:cosmoshub-4'], 'cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6')
})

t.test('the keys are those of the words, by the path of the Cosmos Hub', async (t) => {
  for (const { mnemonic, privateKey, publicKey } of cosmosKeys) {
    const seed = await Bip39.mnemonicToSeed(new EnglishMnemonic(mnemonic))
    const { privkey } = Slip10.derivePath(Slip10Curve.Secp256k1, seed, stringToPath("m/44'/118'/0'/0/0"))
    t.equal(privateKey, toHex(privkey))
    t.equal(publicKey, toHex(Secp256k1.compressPubkey(Secp256k1.makeKeypair(privkey).pubkey)))
  }
})

t.test('the control port moves time, funds, and does what this family can do besides', async (t) => {
  const sandbox = await startSandbox({ scenarios: [scenarioOf('cosmos:cosmoshub-4', hub)], controlPort: 0 })
  t.teardown(() => sandbox.close())
  const at = (operation: string) => `${sandbox.controlUrl}/chains/cosmos/cosmoshub-4/${operation}`
  const { body } = await http(sandbox.controlUrl)
  const offered = Object.keys(body.chains[0].operations).map((path) => path.split('/').at(-1))
  t.same(offered, [
    'advance',
    'fund',
    'fault',
    'mine',
    ...LIFE,
    'rewards',
    'deposit',
    'paid',
    'slash',
    'jail',
    'unjail',
    'tombstone',
    'commission',
    'params',
    'gas-price',
    'vest',
    'blocks',
  ])
  const [{ addresses }] = sandbox.wallets.cosmos as [CosmosWallet]
  const address = addresses['cosmos:cosmoshub-4']!
  t.match(await http(at('fund'), { address, amount: '1.5' }), { status: 200, body: { address, balance: '1000001.5' } })
  t.match(await http(at('fund'), { address, amount: '0.0000001' }), { status: 400, body: { error: /7 decimals, and the chain has 6/ } })
  t.match(await http(at('fund'), { address: 'osmo1', amount: '1' }), {
    status: 400,
    body: { error: /must be bech32 with the prefix cosmos/ },
  })
  t.match(await http(at('advance'), { epochs: 2 }), { status: 200, body: { block: 7 } })
  t.match(await http(at('mine'), { blocks: 3 }), { status: 200, body: { block: 10 } })
  t.match(await http(at('slash'), { fraction: '0.5' }), { status: 200, body: { status: 'bonded', burned: '200000' } })
  t.match(await http(at('commission'), { rate: '0.125' }), { status: 200, body: { commission: '0.125000000000000000' } })
  t.match(await http(at('deposit'), { denominations: ['uother'], units: '5' }), { status: 200, body: { denominations: ['uother'] } })
  for (const units of ['0', '-1', '1.5', 5])
    t.match(await http(at('deposit'), { denominations: ['uother'], units }), { status: 400, body: { error: /base units above 0/ } })
  t.match(await http(at('commission'), { rate: '1.1' }), { status: 400, body: { error: /from 0 to 1/ } })
  t.match(await http(at('params'), { unbonding_seconds: 60, min_commission: '0.1' }), {
    status: 200,
    body: { unbonding_seconds: 60, max_entries: 7 },
  })
  t.match(await http(at('params'), { max_entries: 0 }), { status: 400 })
  t.match(await http(at('jail'), {}), { status: 200, body: { jailed: true } })
  t.match(await http(at('unjail'), {}), { status: 200, body: { jailed: false } })
  t.match(await http(at('gas-price'), { price: '0.01' }), { status: 200, body: { price: '0.010000000000000000' } })
  t.match(await http(at('blocks'), { instant: false }), { status: 200, body: { instant: false, pending: 0 } })
  t.match(await http(at('blocks'), {}), { status: 400, body: { error: /instant is undefined/ } })
  t.match(await http(at('jail'), { who: 'x' }), { status: 400, body: { error: /jail knows no member "who": it takes validator, seconds/ } })
  t.match(await http(at('tombstone'), {}), { status: 200, body: { tombstoned: true } })
  t.match(await http(at('unjail'), {}), { status: 400, body: { error: /stays jailed for ever/ } })
  t.match(await http(at('constructor'), {}), { status: 404 })
})

t.test('faults act on what the client asks, and the control port goes past them', async (t) => {
  const { chain, client, address } = await bench(t)
  chain.fault({ kind: 'error', times: 2 })
  await t.rejects(client.getHeight(), /500/)
  await t.rejects(client.getHeight())
  t.equal(await client.getHeight(), 2)
  chain.fault({ kind: 'drop' })
  await t.rejects(client.getBalance(address, 'uatom'), /fetch failed/)
  t.match(await chain.fund(address, '1'), { balance: '1001' })
  chain.fault({ kind: 'none' })
  t.equal(await client.getHeight(), 3)
})

t.test('a chain says no until it has a genesis, and takes one only', async (t) => {
  const chain = await startCosmosChain({ chainId: 'test-1' })
  t.teardown(() => chain.close())
  t.match(await http(chain.rpcUrl, { jsonrpc: '2.0', id: 1, method: 'health' }), {
    status: 503,
    body: { error: { data: /has no genesis yet/ } },
  })
  await t.rejects(chain.fund('cosmos1', '1'), { code: 'NOT_SUPPORTED', message: /has no genesis yet/ })
  await t.rejects(chain.operations.jail!.run({}), { code: 'NOT_SUPPORTED' })
  const [operator] = hub.validators as [(typeof hub.validators)[0]]
  const wrong: [Partial<typeof hub>, RegExp][] = [
    [{ distribution: { communityTax: 'much', parksRewards: false } }, /"much" is not a decimal/],
    [{ distribution: { communityTax: '2', parksRewards: false } }, /communityTax is 2: a rate is at most 1/],
    [{ validators: [] }, /somebody must make the blocks/],
    [{ validators: [operator, operator] }, /no two may have the same moniker/],
    [{ validators: [{ ...operator, commission: '0.01' }] }, /it must be from 0.05 to 1/],
    [{ idleSupply: '-1' }, /amount is "-1"/],
  ]
  for (const [change, message] of wrong) t.throws(() => chain.genesis({ ...hub, ...change }), { code: 'INVALID_INPUT', message })
  chain.genesis(hub)
  t.throws(() => chain.genesis(hub), { code: 'INVALID_INPUT', message: /has a genesis already/ })
  t.throws(() => chain.validator('nobody'), { code: 'INVALID_INPUT' })
  t.equal(chain.id, 'cosmos:test-1')
  await t.rejects(startCosmosChain({ chainId: 'a b' }), { code: 'INVALID_INPUT' })
})

t.test('a chain closes at once, however often it is told to, and frees its port', async (t) => {
  const lines: string[] = []
  const port = await freePort()
  const chain = await startCosmosChain({ chainId: 'cosmoshub-4', genesis: hub, port, log: (line) => lines.push(line) })
  await t.rejects(startCosmosChain({ chainId: 'other', genesis: hub, port }), { code: 'PORT_BUSY' })
  await Promise.all([chain.close(), chain.close()])
  await t.rejects(fetch(chain.rpcUrl))
  t.same(lines, [`cosmos:cosmoshub-4 listens on ${chain.rpcUrl}`, 'cosmos:cosmoshub-4 is closed'])
  const again = await startCosmosChain({ chainId: 'cosmoshub-4', genesis: hub, port })
  t.equal(again.rpcUrl, chain.rpcUrl)
  await again.close()
})

t.test('nothing large is loaded by an import, only when a chain is started', (t) => {
  const script = `
    const { registerHooks } = await import('node:module')
    const asked = new Set()
    registerHooks({ resolve: (specifier, context, next) => { asked.add(specifier); return next(specifier, context) } })
    await import('@svc/sandbox-cosmos')
    console.log([...asked].filter((name) => !name.startsWith('.')).join())`
  const loaded = execFileSync(process.execPath, ['--conditions=@svc/source', '--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  })
  t.match(loaded, '@svc/sandbox')
  t.notMatch(loaded, /@cosmjs|cosmjs-types/)
  t.end()
})
