import { execFileSync } from 'node:child_process'
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import t from 'tap'
import { MoveChain, moveWallets, startMoveChain } from '../src/index.ts'
import { bench, clientOf, sui } from './support.ts'

const address = moveWallets[0]!.address

t.test('the wallets are the first accounts of the public test mnemonic', async (t) => {
  const mnemonic = 'test test test test test test test test test test test junk'
  for (const [index, wallet] of moveWallets.entries()) {
    const key = Ed25519Keypair.deriveKeypair(mnemonic, `m/44'/784'/${index}'/0'/0'`)
    t.same(wallet, { address: key.toSuiAddress(), secretKey: key.getSecretKey() })
    t.equal(Ed25519Keypair.fromSecretKey(wallet.secretKey).toSuiAddress(), wallet.address)
  }
  t.equal(moveWallets.length, 5)
})

t.test('each network has its own identifier, and another name one that follows from it', async (t) => {
  const identifiers: string[] = []
  for (const options of [
    { chainId: 'testnet' },
    { chainId: 'localnet' },
    { chainId: 'localnet' },
    { chainId: 'mainnet', chainIdentifier: '11111111111111111111111111111112' },
  ]) {
    const chain = await startMoveChain(options)
    t.ok(chain instanceof MoveChain)
    t.equal(chain.id, `move:${options.chainId}`)
    const { chainIdentifier } = await clientOf(chain).getChainIdentifier()
    t.equal(chainIdentifier, chain.chainIdentifier)
    identifiers.push(chainIdentifier)
    await chain.close()
  }
  t.equal(identifiers[0], '69WiPg3DAQiwdxfncX6wYQ2siKwAe6L9BZthQea3JNMD')
  t.equal(identifiers[1], identifiers[2])
  t.equal(identifiers[3], '11111111111111111111111111111112')
})

t.test('a validator follows from its name', async (t) => {
  const [one, two] = [await bench(t), await bench(t)]
  t.same([one.validator, one.poolId], [two.validator, two.poolId])
  const made = await one.chain.createValidator({ name: 'Second', commissionBps: 10_000 })
  t.not(made.address, one.validator)
  t.same(one.chain.validator(), { address: one.validator, poolId: one.poolId })
  t.same(one.chain.validator('Second'), made)
  t.same(one.chain.validator(made.address), made)
  for (const bad of [
    { name: 'Second', commissionBps: 0 },
    { name: '', commissionBps: 0 },
    { name: 'x', commissionBps: 10_001 },
    { name: 'x', commissionBps: 1.5 },
    { name: 'x', commissionBps: 0, stake: -1n },
  ]) {
    await t.rejects(one.chain.createValidator(bad), { code: 'INVALID_INPUT' })
  }
  t.throws(() => one.chain.validator('Third'), { code: 'INVALID_INPUT' })
})

t.test('an epoch is a day: advanced by, passed by seconds, or by real time', async (t) => {
  const { chain } = await bench(t)
  const start = chain.latest().timestamp
  t.match(await chain.advance({ epochs: 2 }), { epoch: 1002, timestamp: start + 2 * 86_400 })
  t.match(await chain.advance({ seconds: 86_399 }), { epoch: 1002 })
  t.match(await chain.advance({ seconds: 1 }), { epoch: 1003, timestamp: start + 3 * 86_400 })
  t.match(await chain.advance({ seconds: 5 * 86_400 }), { epoch: 1008 })
  const before = chain.latest().timestamp
  await chain.tick()
  const after = chain.latest()
  t.ok(after.timestamp >= before && after.timestamp < before + 60)
  await t.rejects(chain.advance({ epochs: 0 }), { code: 'INVALID_INPUT' })
  await t.rejects(chain.advance({ epochs: 1, seconds: 1 } as never), { code: 'INVALID_INPUT' })
})

t.test('addresses are funded with coins, and beside them', async (t) => {
  const { chain } = await bench(t)
  t.match(await chain.fund(address, '1.5'), { address, balance: '1.5' })
  t.match(await chain.fund(address.toUpperCase().replace('0X', '0x'), 1n), { balance: '1.500000001' })
  t.match(await chain.fundAddressBalance(address, 2n * sui), { balance: '3.500000001' })
  t.equal((await chain.giveCoins(address, 3, sui)).length, 3)
  t.same(await chain.balance(address), { coins: 4_500_000_001n, address: 2n * sui, total: 6_500_000_001n })
  for (const [to, amount] of [
    ['0x1', '1'],
    ['', '1'],
    [address, '0'],
    [address, '1.0000000001'],
    [address, 0n],
    [address, 1n << 64n],
    [address, '-1'],
  ] as const) {
    await t.rejects(chain.fund(to, amount), { code: 'INVALID_INPUT' })
  }
  await t.rejects(chain.giveCoins(address, 0, 1n), { code: 'INVALID_INPUT' })
})

t.test('operations say what they did, and refuse what they cannot', async (t) => {
  const { chain, validator } = await bench(t)
  const run = (name: string, body: object) => chain.operations[name]!.run(body as never)
  t.match(await run('create-validator', { name: 'Another', commissionBps: 200, stake: '100' }), { address: /^0x/, poolId: /^0x/ })
  t.match(await run('commission', { bps: 700 }), { validator, commissionBps: 700, nextCommissionBps: 700 })
  t.match(await run('next-commission', { bps: 900 }), { validator, commissionBps: 700, nextCommissionBps: 900 })
  t.match(await run('reward', { validator: 'Another', amount: '2.5' }), { rewardPerEpoch: '2.5' })
  t.match(await run('reward', { validator: 'Another', amount: '0' }), { rewardPerEpoch: '0' })
  t.match(await run('address-balance', { address, amount: '2' }), { balance: '2' })
  t.match(await run('coins', { address, count: 2, each: '0.5' }), { coins: 2, balance: '3' })
  const { coin } = await chain.fund(address, '1')
  t.match(await run('conflict', { object: coin }), { contested: [coin] })
  t.match(await run('party', { object: coin }), { object: coin })
  const { coin: other } = await chain.fund(address, '1')
  t.match(await run('put-into', { object: other, into: coin }), { object: other, into: coin })
  t.match(await run('lag', { reads: 0 }), { reads: 0 })
  t.match(await run('safe-mode', {}), { epoch: 1001, safeMode: true })
  for (const [name, operation] of Object.entries(chain.operations)) {
    for (const member of Object.keys(operation.example)) t.ok(operation.members.includes(member), `${name}: ${member}`)
  }
  const refused: [string, object][] = [
    ['create-validator', { name: 'Another', commissionBps: 0 }],
    ['deactivate-validator', { validator: 'Nobody' }],
    ['deactivate-validator', { validator: 7 }],
    ['commission', { bps: 10_001 }],
    ['next-commission', { bps: -1 }],
    ['reward', { amount: 5 }],
    ['gas-price', { price: 0 }],
    ['address-balance', { address: 'x', amount: '1' }],
    ['coins', { address, count: 0, each: '1' }],
    ['party', { object: coin }],
    ['put-into', { object: coin, into: other }],
    ['put-into', { object: other, into: coin }],
    ['conflict', { object: `0x${'00'.repeat(32)}` }],
    ['status', { code: 'NO_SUCH_CODE' }],
    ['status', { code: 'UNAVAILABLE', times: 0 }],
    ['lag', { reads: -1 }],
    ['pages', { emptyEvery: 1 }],
    ['proposers', { restrict: 'yes' }],
  ]
  for (const [name, body] of refused) await t.rejects(run(name, body), { code: 'INVALID_INPUT' }, `${name} ${JSON.stringify(body)}`)
})

t.test('a chain that cannot start says why, and one that closes is gone', async (t) => {
  await t.rejects(startMoveChain({ chainId: '../x' }), { code: 'INVALID_INPUT' })
  await t.rejects(startMoveChain({ chainId: 'mainnet', port: 70_000 }), { code: 'INVALID_INPUT' })
  const lines: string[] = []
  const chain = await startMoveChain({ chainId: 'mainnet', log: (line) => lines.push(line) })
  const port = Number(new URL(chain.rpcUrl).port)
  await t.rejects(startMoveChain({ chainId: 'mainnet', port }), { code: 'PORT_BUSY' })
  await Promise.all([chain.close(), chain.close()])
  t.match(lines, [/listens on http:\/\/127\.0\.0\.1:/, 'move:mainnet is closed'])
  await t.rejects(fetch(chain.rpcUrl))
})

t.test('nothing large is loaded by an import, only when a chain is started', (t) => {
  const script = `
    const { registerHooks } = await import('node:module')
    const asked = new Set()
    registerHooks({ resolve: (specifier, context, next) => { asked.add(specifier); return next(specifier, context) } })
    await import('@svc/sandbox-move')
    console.log([...asked].filter((name) => !name.startsWith('.')).join())`
  const loaded = execFileSync(process.execPath, ['--conditions=@svc/source', '--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  })
  t.match(loaded, '@svc/sandbox')
  t.notMatch(loaded, /@mysten/)
  t.end()
})
