import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Step } from '@svc/sandbox'
import { evmWallets, startEvmChain } from '@svc/sandbox-evm'
import { eventually } from '@svc/testing/eventually'
import { JsonRpcProvider, Network, parseEther, Wallet } from 'ethers'
import t, { type Test } from 'tap'
import { anvilBinary, startAnvil } from '../src/anvil.ts'

async function start(t: Test, options: { port?: number } = {}) {
  const chain = await startEvmChain({ chainId: 143, ...options })
  t.teardown(() => chain.close())
  return chain
}

const address = '0x1234567890123456789012345678901234567890'
/** The folder in which an engine keeps old states, by its command line. */
function statesOf(pid: number): string {
  const words = spawnSync('ps', ['-o', 'args=', '-ww', '-p', String(pid)], { encoding: 'utf8' })
    .stdout.trim()
    .split(' ')
  return words[words.indexOf('--cache-path') + 1]!
}

/** Whether something still answers there. */
const answers = (url: string) =>
  fetch(url, { method: 'POST', body: '{}' }).then(
    () => true,
    () => false,
  )

t.test('a chain answers an ordinary client with its id, and includes what a wallet signed', async (t) => {
  const chain = await start(t)
  t.equal(chain.id, 'evm:143')
  const provider = new JsonRpcProvider(chain.rpcUrl, Network.from(143), { staticNetwork: true, cacheTimeout: -1 })
  t.teardown(() => provider.destroy())
  t.equal(await provider.send('eth_chainId', []), '0x8f')

  const wallet = new Wallet(evmWallets[0]!.privateKey, provider)
  await chain.fund(wallet.address, '10')
  const sent = await wallet.sendTransaction({ to: address, value: parseEther('1.25'), type: 0 })
  t.equal((await sent.wait())?.status, 1)
  t.equal(await chain.balance(address), parseEther('1.25'))
})

t.test('funding is exact to the last decimal, and adds to what is there', async (t) => {
  const chain = await start(t)
  t.same(await chain.fund(address, '100000000.000000000000000001'), { address, balance: '100000000.000000000000000001' })
  t.same(await chain.fund(address, 2n), { address, balance: '100000000.000000000000000003' })
  await Promise.all(Array.from({ length: 20 }, () => chain.fund(address, '0.1')))
  t.equal(await chain.balance(address), 100_000_002_000_000_000_000_000_003n)
  for (const wrong of ['0x12', 'me', `${address}00`]) await t.rejects(chain.fund(wrong, '1'), { code: 'INVALID_INPUT' })
  await t.rejects(chain.fund(address, 0n), { code: 'INVALID_INPUT' })
  await t.rejects(chain.fund(address, '1.0000000000000000001'), { code: 'INVALID_INPUT', message: /19 decimals/ })
})

t.test('send acts for any account, and revert data is in the error', async (t) => {
  const chain = await start(t)
  await chain.fund(address, '5')
  const receipt = await chain.send({ from: address, to: evmWallets[1]!.address, value: 7n })
  t.equal(receipt.status, '0x1')
  t.equal(await chain.balance(evmWallets[1]!.address), 7n)

  // PUSH2 0xbeef, MSTORE at 0, REVERT with its two bytes.
  const reverting = '0x00000000000000000000000000000000000000ee'
  await chain.setCode(reverting, '0x61beef6000526002601efd')
  await t.rejects(chain.call({ to: reverting }), { code: 'RPC_ERROR', data: '0xbeef' })
  await t.rejects(chain.send({ from: address, to: reverting }), { code: 'RPC_ERROR', data: '0xbeef' })
  await t.rejects(chain.send({ from: address, to: reverting, gas: 100_000n }), { code: 'RPC_ERROR', message: /reverted/ })
  await t.rejects(chain.rpc('no_such_method'), { code: 'RPC_ERROR', message: /no_such_method: Method not found/ })
})

t.test('rpc passes the faults that a client meets', async (t) => {
  const chain = await start(t)
  chain.fault({ kind: 'error' })
  t.equal((await fetch(chain.rpcUrl, { method: 'POST', body: '{}' })).status, 500)
  t.equal(await chain.rpc('eth_chainId'), '0x8f')
})

t.test('advancing by seconds moves the clock by exactly that, and mining adds blocks', async (t) => {
  const chain = await start(t)
  const before = await chain.latest()
  const after = await chain.advance({ seconds: 86_400 })
  t.same(after, { block: before.block + 1, timestamp: before.timestamp + 86_400 })
  t.equal((await chain.mine(5)).block, before.block + 6)
  await t.rejects(chain.mine(0), { code: 'INVALID_INPUT' })
})

t.test('with a clock, blocks come on top of one until it is final for every protocol, and none while transactions are held', async (t) => {
  const chain = await start(t)
  const { block } = await chain.mine()
  const heights: number[] = []
  for (let beats = 0; beats < 20; beats++) {
    await chain.grow()
    heights.push((await chain.latest()).block)
  }
  t.equal(heights[0], block + 1, 'one at a time')
  t.equal(heights.at(-1), block + 12, 'and then it rests')
  await chain.operations.hold!.run({ on: true })
  await chain.mine()
  for (const beat of [() => chain.grow(), () => chain.tick()]) await beat()
  t.equal((await chain.latest()).block, block + 13)
  await chain.operations.hold!.run({ on: false })
  await chain.grow()
  t.equal((await chain.latest()).block, block + 15, 'what was held is in a block, with one on top')
})

t.test('a chain without a scenario has no epochs', async (t) => {
  const chain = await start(t)
  await t.rejects(chain.advance({ epochs: 1 }), { code: 'NOT_SUPPORTED', message: /evm:143 has no epochs/ })
})

t.test('a step that is not one is refused', async (t) => {
  const chain = await start(t)
  const wrong = [{}, { epochs: 1, seconds: 1 }, { epochs: 0 }, { seconds: 1.5 }, { seconds: 31_536_001 }, null, 'soon']
  for (const step of wrong) await t.rejects(chain.advance(step as Step), { code: 'INVALID_INPUT' }, JSON.stringify(step))
})

t.test('advances run one after the other, every handler in its order, and one that fails does not stop the next', async (t) => {
  const chain = await start(t)
  const order: string[] = []
  chain.onAdvance(async (step) => {
    const name = JSON.stringify(step)
    order.push(`first ${name}`)
    await chain.mine()
    if ('epochs' in step && step.epochs === 2) throw new TypeError('second advance fails')
    order.push(`first done ${name}`)
    return { epoch: 9 }
  })
  chain.onAdvance(async (step) => {
    order.push(`second ${JSON.stringify(step)}`)
  })
  const [one, two, three] = await Promise.allSettled([
    chain.advance({ epochs: 1 }),
    chain.advance({ epochs: 2 }),
    chain.advance({ seconds: 3 }),
  ])
  t.match(one, { status: 'fulfilled', value: { epoch: 9, block: Number, timestamp: Number } })
  t.match(two, { status: 'rejected', reason: { message: 'second advance fails' } })
  t.match(three, { status: 'fulfilled', value: { epoch: 9 } })
  const [a, b, c] = ['{"epochs":1}', '{"epochs":2}', '{"seconds":3}']
  t.same(order, [`first ${a}`, `first done ${a}`, `second ${a}`, `first ${b}`, `first ${c}`, `first done ${c}`, `second ${c}`])
})

t.test('a tick makes a block and tells the handlers that time has passed', async (t) => {
  const chain = await start(t)
  const steps: Step[] = []
  chain.onAdvance(async (step) => void steps.push(step))
  const before = await chain.latest()
  await chain.tick()
  t.equal((await chain.latest()).block, before.block + 1)
  t.match(steps, [{ seconds: Number }])
})

t.test('close leaves no process and no folder, and may be called twice', async (t) => {
  const lines: string[] = []
  const chain = await startEvmChain({ chainId: 5, log: (line) => lines.push(line) })
  t.ok(process.kill(chain.engine.pid, 0))
  const states = statesOf(chain.engine.pid)
  t.ok(existsSync(states), states)
  await Promise.all([chain.close(), chain.close()])
  t.throws(() => process.kill(chain.engine.pid, 0), { code: 'ESRCH' })
  t.notOk(existsSync(states), 'nor its old states')
  t.notOk(await answers(chain.engine.url))
  t.notOk(await answers(chain.rpcUrl))
  t.same(lines, [`evm:5 listens on ${chain.rpcUrl}`, 'evm:5 is closed'])
  await t.rejects(chain.rpc('eth_chainId'), { code: 'RPC_ERROR', message: /evm:5 does not answer/ })
})

t.test('an engine that ends by itself is an HTTP 502 for clients', async (t) => {
  const chain = await start(t)
  process.kill(chain.engine.pid, 'SIGKILL')
  await eventually('the engine has ended', async () => !(await answers(chain.engine.url)))
  t.equal((await fetch(chain.rpcUrl, { method: 'POST', body: '{}' })).status, 502)
})

t.test('a process that is killed outright takes its chain with it', async (t) => {
  const file = new URL('./fixtures/start-and-wait.ts', import.meta.url).pathname
  const parent = spawn(process.execPath, ['--conditions=@svc/source', file], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => parent.kill('SIGKILL'))
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  const engine = JSON.parse(line.toString()) as { pid: number; url: string }
  t.ok(await answers(engine.url))
  const states = statesOf(engine.pid)
  t.ok(existsSync(states), states)
  parent.kill('SIGKILL')
  await eventually('the engine has ended', async () => !(await answers(engine.url)))
  await eventually('its old states are gone', async () => !existsSync(states))
})

t.test('a port that is taken is one clear sentence, and no engine stays behind', async (t) => {
  const chain = await start(t)
  const port = Number(new URL(chain.rpcUrl).port)
  await t.rejects(startEvmChain({ chainId: 7, port }), {
    code: 'PORT_BUSY',
    message: `port ${port}, wanted for chain evm:7, is in use: end the program that listens there, or choose another port`,
  })
})

t.test('a missing engine is one clear sentence', async (t) => {
  t.throws(() => anvilBinary('sunos', 'sparc'), {
    code: 'ENGINE_MISSING',
    message:
      'anvil is not installed for sunos sparc: the package @foundry-rs/anvil-sunos-sparc is missing; install with optional dependencies',
  })
  await t.rejects(startEvmChain({ chainId: 143, binary: '/no/such/anvil' }), {
    code: 'ENGINE_MISSING',
    message: /anvil is not there: \/no\/such\/anvil/,
  })
})

t.test('an engine that does not come up is refused with its last output', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-sandbox-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const program = async (name: string, code: string) => {
    await writeFile(join(folder, name), `#!${process.execPath}\n${code}`)
    await chmod(join(folder, name), 0o755)
    return join(folder, name)
  }
  const ending = await program('ending', `console.error('disk is full'); process.exitCode = 3`)
  await t.rejects(startAnvil({ chainId: 1, binary: ending }), {
    code: 'ENGINE_FAILED',
    message: 'anvil ended with code 3 before it listened; its last output was: disk is full',
  })
  const hanging = await program('hanging', 'setInterval(() => {}, 1000)')
  await t.rejects(startAnvil({ chainId: 1, binary: hanging, timeout: 200 }), {
    code: 'ENGINE_FAILED',
    message: 'anvil did not listen within 200 ms; it said nothing',
  })
})

t.test('a chain id that is not one is refused', async (t) => {
  for (const chainId of [0, -1, 1.5]) await t.rejects(startEvmChain({ chainId }), { code: 'INVALID_INPUT', message: /chainId is/ })
})

t.test('between its broadcast and its end a transaction waits, vanishes, or loses its block', async (t) => {
  const chain = await start(t)
  const { hold, drop, reorganise, prune } = chain.operations
  const provider = new JsonRpcProvider(chain.rpcUrl, Network.from(143), { staticNetwork: true, cacheTimeout: -1 })
  t.teardown(() => provider.destroy())
  const wallet = new Wallet(evmWallets[0]!.privateKey, provider)
  await chain.fund(wallet.address, '10')
  const send = async () => (await wallet.sendTransaction({ to: address, value: 1n, type: 0, nonce: 0 })).hash
  const block = async (hash: string) =>
    ((await chain.rpc('eth_getTransactionByHash', [hash])) as { blockNumber: string | null } | null)?.blockNumber

  await hold!.run({ on: true })
  const first = await send()
  t.equal(await block(first), null, 'it waits')
  await drop!.run({ hash: first })
  t.equal(await block(first), undefined, 'it is forgotten')
  await t.rejects(drop!.run({ hash: first }), { code: 'INVALID_INPUT', message: /waits/ })
  await send()
  await hold!.run({ on: false })
  t.ok(await block(first), 'released, it is in a block')
  await t.rejects(drop!.run({ hash: first }), { code: 'INVALID_INPUT' })

  const { block: head } = await chain.latest()
  t.match(await reorganise!.run({}), { reorganised: 1, block: head })
  t.equal(await block(first), undefined, 'its block was taken back')
  t.equal(await provider.getTransactionCount(wallet.address), 0, 'and its nonce is free')
  const finalised = async () => Number(((await chain.rpc('eth_getBlockByNumber', ['finalized', false])) as { number: string }).number)
  await chain.mine(5)
  t.equal(await finalised(), head + 3, 'two blocks below the newest all is final')

  for (const wrong of [{ blocks: 0 }, { blocks: 65 }, { blocks: '1' }]) await t.rejects(reorganise!.run(wrong), { code: 'INVALID_INPUT' })
  await t.rejects(hold!.run({ on: 'yes' }), { code: 'INVALID_INPUT' })
  await t.rejects(drop!.run({ hash: '0x12' }), { code: 'INVALID_INPUT' })
  await t.rejects(prune!.run({}), { code: 'NOT_SUPPORTED', message: /cannot forget/ })
})
