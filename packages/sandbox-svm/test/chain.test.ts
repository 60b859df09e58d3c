import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@svc/testing/eventually'
import t from 'tap'
import { startSvmChain, svmWallets } from '../src/index.ts'
import { bench, keypair, PublicKey, SystemProgram } from './support.ts'

const { Keypair } = await import('@solana/web3.js')

t.test('nothing large is loaded by an import, only when a chain is started', (t) => {
  const script = `
    const { registerHooks } = await import('node:module')
    const asked = new Set()
    registerHooks({ resolve: (specifier, context, next) => { asked.add(specifier); return next(specifier, context) } })
    await import('@svc/sandbox-svm')
    console.log([...asked].filter((name) => !name.startsWith('.')).join())`
  const loaded = execFileSync(process.execPath, ['--conditions=@svc/source', '--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  })
  t.match(loaded, '@svc/sandbox')
  t.notMatch(loaded, /litesvm|@solana/)
  t.end()
})

t.test('names make the same addresses in every run', async (t) => {
  const made = async () => {
    const { chain } = await bench(t, { chainId: 'mainnet-beta' })
    const validator = await chain.createValidator({ name: 'operator', commissionBps: 0 })
    return { validator, pool: await chain.createStakePool({ name: 'pool', validators: [validator.vote] }) }
  }
  t.same(await made(), await made())
})

t.test('the wallets have the keys of their addresses', (t) => {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  const bytesOf = (text: string) => {
    const number = [...text].reduce((sum, character) => sum * 58n + BigInt(alphabet.indexOf(character)), 0n)
    return Uint8Array.from(Buffer.from(number.toString(16).padStart(128, '0'), 'hex'))
  }
  t.equal(svmWallets.length, 5)
  for (const { address, secretKey } of svmWallets) t.equal(Keypair.fromSecretKey(bytesOf(secretKey)).publicKey.toBase58(), address)
  t.end()
})

t.test('genesis hashes are those of the clusters, or made from the name', async (t) => {
  const hash = async (chainId: string, more = {}) => (await bench(t, { chainId, ...more })).connection.getGenesisHash()
  t.equal(await hash('mainnet-beta'), '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d')
  t.match(await hash('localnet'), /^[1-9A-HJ-NP-Za-km-z]{43,44}$/)
  t.not(await hash('localnet'), await hash('elsewhere'))
  t.equal(await hash('localnet', { genesisHash: '1'.repeat(32) }), '1'.repeat(32))
  await t.rejects(startSvmChain({ chainId: 'no spaces' }), { code: 'INVALID_INPUT' })
})

t.test('time passes by slots, blocks and epochs', async (t) => {
  const { chain, connection } = await bench(t)
  const start = chain.latest()
  const minute = await chain.advance({ seconds: 60 })
  t.match(minute, { timestamp: start.timestamp + 60, slot: start.slot + 172, block: start.block + 172, epoch: start.epoch })
  const next = await chain.advance({ epochs: 1 })
  t.match(next, { epoch: start.epoch + 1, slot: (start.epoch + 1) * 432_000 })
  t.same(await chain.mine(5), { ...next, block: next.block + 5, slot: next.slot + 5, timestamp: next.timestamp + 1 })
  const week = await chain.advance({ seconds: 7 * 86_400 })
  t.equal(week.epoch, next.epoch + 4, '604,800 s are four epochs of 151,200 s')
  t.equal(await connection.getSlot(), week.slot)
  for (const step of [{ epochs: 0 }, { seconds: 1.5 }, {}] as never[]) await t.rejects(chain.advance(step), { code: 'INVALID_INPUT' })
  await t.rejects(chain.mine(0), { code: 'INVALID_INPUT' })
})

t.test('real time passes when the chain is let to notice', async (t) => {
  const { chain } = await bench(t)
  const { slot } = chain.latest()
  t.equal(chain.latest().slot, slot)
  const later = await eventually(
    'two slots of real time',
    async () => {
      await chain.tick()
      return chain.latest().slot
    },
    (at) => at >= slot + 2,
  )
  t.ok(later >= slot + 2)
})

t.test('accounts can be written past every rule', async (t) => {
  const { chain, connection } = await bench(t)
  const address = keypair(5).publicKey.toBase58()
  chain.setAccount(address, { lamports: 5n, data: Uint8Array.of(1, 2) })
  t.match(await connection.getAccountInfo(new PublicKey(address)), {
    lamports: 5,
    data: Buffer.from([1, 2]),
    owner: SystemProgram.programId,
  })
  chain.setAccount(address, { lamports: 0n })
  t.equal(chain.account(address), undefined)
  t.throws(() => chain.setAccount('nothing', { lamports: 1n }), { code: 'INVALID_INPUT' })
  t.throws(() => chain.setAccount(address, { lamports: -1n }), { code: 'INVALID_INPUT' })
  t.throws(() => chain.mintTo(address, address, 1n), { code: 'INVALID_INPUT' })
})

t.test('every operation says what it takes, and refuses the rest with a sentence', async (t) => {
  const { chain } = await bench(t)
  for (const [name, { example, members }] of Object.entries(chain.operations)) {
    t.same(
      Object.keys(example).filter((member) => !members.includes(member)),
      [],
      name,
    )
  }
  const bad: readonly (readonly [name: string, body: Record<string, unknown>])[] = [
    ['rewards', { on: 'yes' }],
    ['epoch-rewards', { blocks: -1 }],
    ['cluster', { effective: 1 }],
    ['validator', { vote: 'nobody' }],
    ['unit-price', { micro_lamports: 0.5 }],
    ['program-accounts', {}],
    ['rent', { lamports_per_byte: 0 }],
    ['tip', { account: keypair(5).publicKey.toBase58(), amount: '1' }],
    ['steal', { wallet: keypair(5).publicKey.toBase58() }],
    ['stale-pool', { stale: true }],
    ['drain-reserve', { pool: 'none' }],
    ['pool-fee', { pool: 'none' }],
    ['pool-loss', { pool: 'none' }],
    ['hold', { on: 'yes' }],
    ['votes', {}],
  ]
  for (const [name, body] of bad) await t.rejects(chain.operations[name]!.run(body), { code: 'INVALID_INPUT', message: /: / }, name)
})

t.test('the real program of the pool is run when its file is given', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'svm-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const missing = join(folder, 'missing.so')
  await t.rejects(startSvmChain({ chainId: 'devnet', stakePoolProgram: missing }), {
    code: 'INVALID_INPUT',
    message: /solana program dump/,
  })
  const text = join(folder, 'text.so')
  await writeFile(text, 'no program')
  await t.rejects(startSvmChain({ chainId: 'devnet', stakePoolProgram: text }), { code: 'INVALID_INPUT', message: /ELF/ })

  // Any program will do to see that it is the file that runs: this one is the memo program, which takes text.
  const source = await bench(t)
  const memo = source.chain.account('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')!
  const file = join(folder, 'pool.so')
  await writeFile(file, memo.data)
  const { chain, connection, signed } = await bench(t, { stakePoolProgram: file })
  t.equal(source.chain.stakePoolProgram, 'stand-in')
  t.equal(chain.stakePoolProgram, 'real')
  const { program } = await chain.createStakePool({ name: 'pool' })
  t.equal(program, 'DPoo15wWDqpPJJtS2MUZ49aRxqz5ZaaJCJP4z8bLuib')
  const instruction = { programId: new PublicKey(program), keys: [], data: Buffer.from('hello') } as never
  const { Transaction } = await import('@solana/web3.js')
  const { value } = await connection.simulateTransaction(Transaction.from(await signed([instruction])))
  t.equal(value.err, null)
  t.ok(value.logs!.some((line) => line.includes('hello')))
})

t.test('a port that is taken is said to be', async (t) => {
  const { chain } = await bench(t)
  const port = Number(new URL(chain.rpcUrl).port)
  await t.rejects(startSvmChain({ chainId: 'devnet', port }), { code: 'PORT_BUSY' })
})

t.test('after its end nothing listens', async (t) => {
  const lines: string[] = []
  const chain = await startSvmChain({ chainId: 'devnet', log: (line) => lines.push(line) })
  await Promise.all([chain.close(), chain.close()])
  await t.rejects(fetch(chain.rpcUrl))
  t.match(lines, [/listens on/, /is closed/])
})
