import { type Call, check, type Decoded, type Effects } from '@svc/verify'
import { call } from '@svc/verify/evm'
import { describe } from '@svc/verify/intent'
import t from 'tap'
import { close, deposit, savings, withdraw } from '../src/index.ts'

const VAULT = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const ETHER = 10n ** 18n
const terms = { vault: VAULT, chainId: '31337', caip2: 'eip155:31337', decimals: 18, symbol: 'ETH', max_fee: '0.1' }

/** What the bytes of one call would be read as. */
const read = (one: Call): Decoded => ({
  chainId: '31337',
  signers: null,
  maxFee: ETHER / 1000n,
  calls: [one],
  terms: { nonce: 7n, gasPrice: 2n, gasLimit: 3n },
})
const differences = (one: Call, effects: Effects) => check(read(one), effects, { chainId: '31337', maxFee: ETHER }).map(({ path }) => path)

const paid = (amount: bigint) => call(VAULT, 'withdraw(uint256 amount)', { amount })
const redeemed = (units: bigint) => call(VAULT, 'redeem(uint256 units)', { units })
const put = (value: bigint) => call(VAULT, 'deposit()', {}, value)

t.test('every call is said in one sentence, with what it moves', async (t) => {
  const native = (kind: string, amount: bigint | null) => ({ kind, asset: 'native', amount })
  const end = 'on eip155:31337; fee at most 0.001 ETH; valid while the nonce of the account is 7.'
  for (const [one, sentence, moves] of [
    [put(ETHER), `Deposit 1 ETH into the savings vault ${VAULT} ${end}`, [native('leaves', ETHER), native('staked', ETHER)]],
    [paid(2n), `Withdraw 0.000000000000000002 ETH from the savings vault ${VAULT} ${end}`, [native('freed', 2n), native('arrives', 2n)]],
    [redeemed(ETHER), `Redeem 1 units of the savings vault ${VAULT} ${end}`, [native('freed', null), native('arrives', null)]],
  ] as const) {
    const deed = `${sentence.split(';')[0]}.`
    t.same(describe(savings, terms, read(one)), { sentence, deed, moves, known: true })
  }
  for (const one of [
    { ...put(1n), target: ADDRESS },
    { ...put(1n), method: '' },
    { ...put(1n), method: 'unknown 0x12345678' },
  ])
    t.equal(describe(savings, terms, read(one)).known, false)
})

t.test('a deposit is what was asked for, and nothing else', async (t) => {
  const effects = deposit.effects(terms, { address: ADDRESS, amount: ETHER }, undefined)
  t.same(differences(put(ETHER), effects), [])
  t.same(differences(put(ETHER + 1n), effects), ['calls[0].value'])
  t.same(differences({ ...put(ETHER), target: ADDRESS }, effects), ['calls[0].target'])
  t.same(differences({ ...paid(ETHER), value: ETHER }, effects), ['calls[0].method', 'calls[0].args.amount'])
})

t.test('a withdrawal may be less than what was asked for by the precision of a JSON number', async (t) => {
  const input = { address: ADDRESS, amount: 2n * ETHER }
  const facts = (found: bigint) => withdraw.factsOf?.(read(paid(found)), terms, input)
  t.same(facts(2n * ETHER), { facts: { amount: 2n * ETHER }, claimed: [] })
  for (const [found, holds] of [
    [2n * ETHER - 10_000n, true],
    [2n * ETHER - 10_001n, false],
    [2n * ETHER + 1n, false],
  ] as const)
    t.match(facts(found), { facts: { amount: found }, claimed: [{ fact: 'amount', holds }] })
  t.same(differences(paid(5n), withdraw.effects(terms, input, { amount: 5n })), [])
  t.same(differences(paid(6n), withdraw.effects(terms, input, { amount: 5n })), ['calls[0].args.amount'])
  t.throws(() => withdraw.factsOf?.(read(redeemed(1n)), terms, input), { code: 'REFUSED' })
})

t.test('the units of closing are claimed, and compared where the caller knows them', async (t) => {
  const input = { address: ADDRESS }
  const facts = (units: bigint) => close.factsOf?.(read(redeemed(units)), terms, input)
  t.match(facts(ETHER / 2n), { facts: { units: ETHER / 2n }, claimed: [{ fact: 'units', value: '0.5 units', holds: true }] })
  t.match(facts(0n), { claimed: [{ holds: false }] })
  t.same(differences(redeemed(9n), close.effects(terms, input, { units: 9n })), [])
  t.same(differences(redeemed(9n), close.effects(terms, input, { units: 8n })), ['calls[0].args.units'])
})
