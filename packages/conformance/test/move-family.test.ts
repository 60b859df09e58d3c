import { createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Bounds, check, type Effects } from '@svc/verify'
import { decodeMove } from '@svc/verify/move'
import t from 'tap'
import { moveFamily } from '../src/families/move/family.ts'
import { blake2b256 } from '../src/families/move/hash.ts'
import { base58 } from '../src/families/shared/base58.ts'

const { keys, transactions } = JSON.parse(readFileSync(new URL('vectors/move-transactions.json', import.meta.url), 'utf8'))
const SENDER: string = keys.ed25519.address
const id = (byte: string) => `0x${byte.repeat(32)}`
const network = { chainId: 'mainnet', chainIdentifier: '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S' }
const SYSTEM = `0x${'5'.padStart(64, '0')}`
const target = (home: number, module: string) => `0x${String(home).padStart(64, '0')}::${module}`
const digest = (byte: number) => base58(new Uint8Array(32).fill(byte))

const stake: Effects['calls'] = [
  { target: 'ptb', method: 'SplitCoins(argument coin, u64[] amounts)', args: { coin: 'GasCoin', amounts: [1_500_000_000n] }, value: 0n },
  {
    target: target(3, 'sui_system'),
    method: 'request_add_stake(object system, argument stake, address validator)',
    args: { system: SYSTEM, stake: 'Result(0,0)', validator: id('ab') },
    value: 0n,
  },
]
const unstake: Effects['calls'] = [
  {
    target: target(3, 'sui_system'),
    method: 'request_withdraw_stake(object system, object stakedSui)',
    args: { system: SYSTEM, stakedSui: id('33') },
    value: 0n,
  },
]
const SUI = `0x${'2'.padStart(64, '0')}::sui::SUI`
const redeem: Effects['calls'] = [
  {
    target: target(3, 'sui_system'),
    method: 'redeem_fungible_staked_sui(object system, object stakedSui)',
    args: { system: SYSTEM, stakedSui: id('44') },
    value: 0n,
  },
  {
    target: target(2, 'coin'),
    method: `from_balance<${SUI}>(argument balance)`,
    args: { balance: 'Result(0,0)' },
    value: 0n,
  },
  {
    target: 'ptb',
    method: 'TransferObjects(argument[] objects, address recipient)',
    args: { objects: ['Result(1,0)'], recipient: SENDER },
    value: 0n,
  },
]
const shared = { gasPrice: 500n, gasBudget: 20_000_000n, [`object:${SYSTEM}`]: 'shared@1:mut' }
const coins = `${id('11')}@7#${digest(1)},${id('22')}@9#${digest(2)}`
const during = 'valid-during:999-1000:16909060'
const cases: readonly { readonly at: number; readonly calls: Effects['calls']; readonly terms: Record<string, string | bigint> }[] = [
  { at: 0, calls: stake, terms: { ...shared, gasPayment: coins, expiration: 'none' } },
  { at: 1, calls: stake, terms: { ...shared, gasPayment: coins, expiration: 'epoch:1000' } },
  {
    at: 2,
    calls: [
      {
        target: target(2, 'coin'),
        method: `redeem_funds<${SUI}>(argument withdrawal)`,
        args: { withdrawal: `Withdrawal(1500000000,${SUI},sender)` },
        value: 0n,
      },
      stake[1]!,
    ],
    terms: { ...shared, gasPayment: 'address-balance', expiration: during },
  },
  { at: 3, calls: unstake, terms: { ...shared, gasPayment: coins, expiration: 'none', [`object:${id('33')}`]: `owned@12#${digest(3)}` } },
  { at: 4, calls: redeem, terms: { ...shared, gasPayment: coins, expiration: 'none', [`object:${id('44')}`]: `owned@15#${digest(4)}` } },
]

for (const { at, calls, terms } of cases) {
  const { name, unsigned_tx_b64 } = transactions[at]
  const craft = { unsigned_tx_b64 }
  const effects: Effects = { signers: [SENDER], calls }
  const bounds: Bounds = { chainId: 'mainnet', maxFee: 10n ** 9n, terms }
  const forgeries = moveFamily.forgeries(craft, effects)
  const fields = moveFamily.fields(craft)
  const mismatches = (unsigned: { unsigned_tx_b64: string }) => {
    try {
      return check(decodeMove(unsigned, effects.calls, network), effects, bounds)
    } catch (error) {
      return [{ path: 'bytes', expected: '', found: (error as Error).message }]
    }
  }

  t.test(`${name}: the transaction itself passes, so that a refusal means something`, async (t) => {
    t.same(mismatches(craft), [])
  })

  t.test(`${name}: every forgery is another transaction with a name of its own`, async (t) => {
    const all = [...fields, ...forgeries]
    t.same(
      all.filter(({ unsigned }) => unsigned.unsigned_tx_b64 === craft.unsigned_tx_b64).map((forgery) => forgery.name),
      [],
    )
    t.equal(new Set(all.map((forgery) => forgery.name)).size, all.length)
    t.ok(fields.length === transactions[at].len, 'one field forgery for each byte')
  })

  t.test(`${name}: every forgery is refused, where it says`, async (t) => {
    for (const forgery of [...fields, ...forgeries]) {
      const found = mismatches(forgery.unsigned)
      const { at: path } = forgery
      const paths = found.map((mismatch) => mismatch.path)
      const told = found.length > 0 && (path === undefined || paths.some((each) => each.startsWith(path)))
      if (!told) t.fail(`${forgery.name}: found ${JSON.stringify(found)} instead of ${path}`)
    }
    t.ok(forgeries.length > 75, `${forgeries.length} forgeries`)
  })

  t.test(`${name}: everything that a thief would change is among the attacks`, async (t) => {
    const attacks = forgeries.filter(({ attack }) => attack).map((forgery) => forgery.name)
    for (const wanted of [/the gas coin sent/, /split off/, /somebody else altogether/, /fortune/, /another package/])
      t.ok(
        attacks.some((attack) => wanted.test(attack)),
        String(wanted),
      )
    if (calls === stake)
      t.ok(attacks.some((attack) => /amount tenfold/.test(attack)) && attacks.some((attack) => /somebody else's address/.test(attack)))
  })
}

t.test('hashes are those of the vectors', async (t) => {
  for (const { unsigned_tx_b64, digest: expected, intent_hash } of transactions) {
    const bytes = Buffer.from(unsigned_tx_b64, 'base64')
    t.equal(base58(blake2b256(Buffer.from('TransactionData::'), bytes)), expected)
    if (intent_hash) t.equal(Buffer.from(blake2b256(Uint8Array.of(0, 0, 0), bytes)).toString('hex'), intent_hash)
  }
  t.equal(`0x${Buffer.from(blake2b256(Uint8Array.of(0), Buffer.from(keys.ed25519.publicKey, 'hex'))).toString('hex')}`, SENDER)
})

t.test('a wallet signs what its address stands for', async (t) => {
  const wallet = moveFamily.wallet(3)
  t.equal(wallet.address, moveFamily.wallet(3).address)
  t.not(wallet.address, moveFamily.wallet(4).address)
  const [{ unsigned_tx_b64 }] = transactions
  const { signatures } = (await moveFamily.sign({ unsigned_tx_b64 }, wallet)) as { signatures: readonly string[] }
  const signature = Buffer.from(signatures[0]!, 'base64')
  t.equal(signature.length, 97)
  const hash = blake2b256(Uint8Array.of(0, 0, 0), Buffer.from(unsigned_tx_b64, 'base64'))
  t.ok(verify(null, hash, createPublicKey(wallet.key), signature.subarray(1, 65)))
  t.equal(`0x${Buffer.from(blake2b256(signature.subarray(0, 1), signature.subarray(65))).toString('hex')}`, wallet.address)
})

t.test('bad prepares and garbled answers are all different, and none is good', async (t) => {
  const [, , , { unsigned_tx_b64, signature }] = transactions
  const body = { unsigned_tx_b64, signatures: [signature] }
  const bodies = moveFamily.badPrepares(body).map((bad) => JSON.stringify(bad.body))
  t.equal(new Set(bodies).size, bodies.length)
  t.notOk(bodies.includes(JSON.stringify(body)))
  const trailers = 'grpc-status: 0\r\n'
  const good = `\0\0\0\0\x02\x08\x01\x80\0\0\0${String.fromCharCode(trailers.length)}${trailers}`
  const answers = moveFamily.garble(good)
  t.equal(new Set(answers).size, answers.length)
  t.notOk(answers.includes(good))
})
