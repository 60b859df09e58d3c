import type { Call, Decoded, Effects } from '@svc/verify'
import { type CraftRejection, type CraftReview, describe, review } from '@svc/verify/intent'
import { nonceAdvance, seededAddress } from '@svc/verify/svm'
import fc from 'fast-check'
import t from 'tap'
import { svmNative } from '../src/index.ts'

const WALLET = 'AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9'
const ACCOUNT = '9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu'
const VALIDATOR = 'GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse'
const NONCE = '2TF7YuTVDHy9kd2jEuPYZf42NeKSgGRho7219GLPkbeP'
const THIEF = 'HhGs98mVkJt8pWjC3sMeuZDcR2GyRmog7VdevVLLv4ah'
const STAKE = 'Stake11111111111111111111111111111111111111'
const SYSTEM = '11111111111111111111111111111111'
const RENT = 2_282_880n
const NONCE_RENT = 1_447_680n

const terms = {
  chainId: 'mainnet-beta',
  caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  decimals: 9,
  symbol: 'SOL',
  max_fee: '0.001',
  validator: VALIDATOR,
}
const { actions } = svmNative
const wallet = { wallet_address: WALLET }
const input = { ...wallet, amount: 1_500_000_000n }
const END =
  'on solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp, which the bytes do not name; fee at most 0.00001 SOL; valid for about a minute, until the block hash B is forgotten.'

const decodedOf = ({ signers, calls }: Effects, more: Decoded['terms'] = {}): Decoded => ({
  chainId: null,
  signers,
  calls,
  maxFee: 10_000n,
  terms: { blockhash: 'B', ...more },
})

type Name = keyof typeof actions

/** The check of a caller, of what the bytes say. */
function read(name: Name, given: object, effects: Effects, more: Decoded['terms'] = {}, facts: object = {}): CraftReview | CraftRejection {
  const intent = { ...svmNative, family: { ...svmNative.family, decode: () => decodedOf(effects, more) } }
  return review<never, never, never>({ intent, action: actions[name], terms, input: given, answer: {}, facts } as never)
}

const paths = (found: CraftReview | CraftRejection) => ('mismatches' in found ? found.mismatches.map(({ path }) => path) : [])
/** What the action took on the service's word; what the family takes of every transaction has a cost. */
const assumed = (found: CraftReview | CraftRejection) =>
  'assumed' in found ? found.assumed.flatMap(({ fact, value, cost }) => (cost === undefined ? [`${fact} ${value}`] : [])) : found
const sentence = (found: CraftReview | CraftRejection) => ('sentence' in found ? found.sentence : found)

/** Effects with one call changed. */
function changed(effects: Effects, method: string, args: Call['args']): Effects {
  const calls = effects.calls.map((each) => (each.method.startsWith(method) ? { ...each, args: { ...each.args, ...args } } : each))
  return { ...effects, calls }
}

const keyed = (rent: bigint) => actions.stake.effects(terms, input, { rent, account: ACCOUNT })
const signed = { signed: ACCOUNT }

t.test('a stake is said whole: account, authorities, lockup, validator', async (t) => {
  const found = read('stake', input, keyed(RENT), signed)
  t.equal(
    sentence(found),
    `Make the account ${ACCOUNT}, of 200 bytes for the stake program ${STAKE} with 1.50228288 SOL of ${WALLET}, then give the stake account ` +
      `${ACCOUNT} the staker ${WALLET}, the withdrawer ${WALLET} and no lockup, then delegate the stake account ${ACCOUNT} to validator ` +
      `${VALIDATOR} by the authority of ${WALLET} ${END}`,
  )
  t.strictSame('moves' in found && found.moves, [
    { kind: 'leaves', asset: 'native', amount: 1_502_282_880n },
    { kind: 'staked', asset: 'native', amount: null },
  ])
  t.strictSame(assumed(found), ['rent 0.00228288 SOL', `account ${ACCOUNT}`])
})

t.test('the rent of a stake has a ceiling, and takes nothing from the stake', async (t) => {
  for (const rent of [0n, RENT]) t.strictSame(paths(read('stake', input, keyed(rent), signed)), [], String(rent))
  const of = (rent: bigint) => {
    const { calls, ...effects } = changed(keyed(0n), 'System.CreateAccount(', { lamports: input.amount + rent })
    return { ...effects, calls: calls.map((each, i) => (i === 0 ? { ...each, value: input.amount + rent } : each)) }
  }
  t.ok(paths(read('stake', input, of(RENT + 1n), signed)).includes('facts.rent'))
  t.ok(paths(read('stake', input, of(-1n), signed)).includes('facts.rent'))
  const property = fc.property(fc.bigInt({ min: -RENT, max: 3n * RENT }), (rent) => {
    const found = paths(read('stake', input, of(rent), signed))
    return rent >= 0n && rent <= RENT ? found.length === 0 : found.includes('facts.rent')
  })
  t.doesNotThrow(() => fc.assert(property, { numRuns: 100 }))
})

t.test('only an account that has signed already is a new one', async (t) => {
  for (const more of [{}, { signed: THIEF }, { signed: `${ACCOUNT},${THIEF}` }])
    t.strictSame(paths(read('stake', input, keyed(RENT), more)), ['facts.account'])
})

t.test('what the caller knows is compared exactly, and not assumed', async (t) => {
  t.strictSame(assumed(read('stake', input, keyed(RENT), signed, { rent: RENT, account: ACCOUNT })), [])
  t.strictSame(paths(read('stake', input, keyed(RENT), signed, { rent: RENT - 1n })), ['calls[0].args.lamports', 'calls[0].value'])
  t.ok(paths(read('stake', input, keyed(RENT), signed, { account: THIEF })).includes('calls[1].args.stake'))
})

t.test('what a thief would change of a stake is refused', async (t) => {
  const thefts: readonly (readonly [string, Call['args']])[] = [
    ['System.CreateAccount', { from: THIEF }],
    ['System.CreateAccount', { owner: SYSTEM }],
    ['System.CreateAccount', { space: 201n }],
    ['Stake.Initialize', { staker: THIEF }],
    ['Stake.Initialize', { withdrawer: THIEF }],
    ['Stake.Initialize', { custodian: THIEF }],
    ['Stake.Initialize', { lockupTimestamp: 1n }],
    ['Stake.Initialize', { lockupEpoch: 1n }],
    ['Stake.DelegateStake', { vote: THIEF }],
    ['Stake.DelegateStake', { authority: THIEF }],
  ]
  for (const [method, args] of thefts) {
    const found = read('stake', input, changed(keyed(RENT), method, args), signed)
    t.not(paths(found).length, 0, `${method} ${Object.keys(args)}`)
    const said = describe(svmNative, terms, decodedOf(changed(keyed(RENT), method, args))).sentence
    t.ok(
      Object.values(args).every((value) => said.includes(String(value))),
      `and is said: ${said}`,
    )
  }
  const advanced = { ...keyed(RENT), calls: [nonceAdvance(NONCE, WALLET), ...keyed(RENT).calls] }
  t.not(paths(read('stake', input, advanced, signed)).length, 0, 'a nonce that was not asked for')
})

t.test('a stake by a seed is the wallet’s whatever the seed, which must print', async (t) => {
  const bySeed = { ...input, sign: false }
  const seed = '0123456789abcdef0123456789abcdef'
  const effects = (seed: string) => actions.stake.effects(terms, bySeed, { rent: RENT, seed })
  const found = read('stake', bySeed, effects(seed))
  const account = seededAddress(WALLET, seed, STAKE)
  t.match(
    sentence(found),
    `Make the account ${account}, derived from ${WALLET} by the seed "${seed}", of 200 bytes for the stake program ${STAKE} with 1.50228288 SOL of ${WALLET}, then`,
  )
  t.strictSame(assumed(found), ['rent 0.00228288 SOL', `seed ${seed}`])
  for (const other of ['', `${seed}0`, 'a b', 'a\n', 'ä']) t.strictSame(paths(read('stake', bySeed, effects(other))), ['facts.seed'], other)
  t.strictSame(paths(read('stake', input, effects(seed))), ['calls'], 'the form is the one that was asked for')
  t.strictSame(paths(read('stake', bySeed, keyed(RENT), signed)), ['calls'])
  t.throws(() => actions.stake.effects(terms, input, { rent: RENT }), { code: 'REFUSED', message: /^facts\.account/ })
})

t.test('a nonce stands first where one was asked for, and is said', async (t) => {
  const exit = { ...wallet, stake_account_address: ACCOUNT, nonce_account_address: NONCE }
  const effects = actions.unstake.effects({}, exit)
  t.equal(
    sentence(read('unstake', exit, effects, { nonce: 'N' })),
    `Use up the value of the nonce account ${NONCE}, whose authority is ${WALLET}, then deactivate the stake account ${ACCOUNT}, whole, by the ` +
      `authority of ${WALLET} on ${terms.caip2}, which the bytes do not name; fee at most 0.00001 SOL; valid until the nonce account is used: its value is N.`,
  )
  for (const args of [{ nonceAccount: THIEF }, { authority: THIEF }])
    t.not(paths(read('unstake', exit, changed(effects, 'System.AdvanceNonceAccount', args))).length, 0)
  t.not(paths(read('unstake', exit, { ...effects, calls: effects.calls.slice(1) })).length, 0)
})

t.test('a withdrawal goes to the wallet, and may be a little less than what was asked for', async (t) => {
  const asked = 17_179_869_184_000_004n
  const all = { ...wallet, stake_account_address: ACCOUNT }
  const part = { ...all, amount: asked }
  const paying = (whole: bigint, locked = false) => actions.withdraw.effects({}, all, { whole, locked })
  t.equal(
    sentence(read('withdraw', all, paying(5n))),
    `Withdraw 0.000000005 SOL from the stake account ${ACCOUNT} to ${WALLET} by the authority of ${WALLET} ${END}`,
  )
  t.match(sentence(read('withdraw', all, paying(5n, true))), `${WALLET}, though it is locked, by its custodian ${WALLET} on`)
  t.strictSame(assumed(read('withdraw', all, paying(5n, true))), ['whole 0.000000005 SOL', 'locked yes'])
  t.strictSame(assumed(read('withdraw', part, paying(asked))), ['locked no'])
  t.strictSame(assumed(read('withdraw', part, paying(asked - 100n))), ['whole 17179869.183999904 SOL', 'locked no'])
  t.strictSame(paths(read('withdraw', part, paying(asked - 101n))), ['facts.whole'])
  t.ok(paths(read('withdraw', part, paying(asked + 1n))).includes('facts.whole'))
  t.strictSame(paths(read('withdraw', all, paying(0n))), ['facts.whole'])
  t.strictSame(paths(read('withdraw', all, paying(5n), {}, { whole: 6n })), ['calls[0].args.lamports'])
  t.not(paths(read('withdraw', all, paying(5n), {}, { locked: true })).length, 0)
  for (const args of [{ recipient: THIEF }, { authority: THIEF }, { stake: THIEF }])
    t.not(paths(read('withdraw', all, changed(paying(5n), 'Stake.Withdraw', args))).length, 0, JSON.stringify(args))
  t.not(paths(read('withdraw', all, changed(paying(5n, true), 'Stake.Withdraw', { custodian: THIEF }))).length, 0)
  const stolen = describe(svmNative, terms, decodedOf(changed(paying(5n), 'Stake.Withdraw', { recipient: THIEF })))
  t.match(stolen, { moves: [{ kind: 'freed' }] }, 'what goes to somebody else does not arrive')
})

t.test('a nonce account is made at an address that can be found again', async (t) => {
  const effects = (seed: string, rent = NONCE_RENT) => actions['create-nonce-account'].effects({}, wallet, { seed, rent })
  const found = read('create-nonce-account', wallet, effects('nonce:0'))
  const account = seededAddress(WALLET, 'nonce:0', SYSTEM)
  t.equal(
    sentence(found),
    `Make the account ${account}, derived from ${WALLET} by the seed "nonce:0", of 80 bytes for the system program ${SYSTEM} with 0.00144768 SOL ` +
      `of ${WALLET}, then make ${account} a nonce account whose authority is ${WALLET} ${END}`,
  )
  t.strictSame(assumed(found), ['rent 0.00144768 SOL', 'seed nonce:0'])
  for (const seed of ['nonce:1000000000000000', 'nonce:00', 'nonce:-1', 'nonce:1e3', 'nonce:', 'nonce', 'xnonce:1'])
    t.strictSame(paths(read('create-nonce-account', wallet, effects(seed))), ['facts.seed'], seed)
  t.strictSame(paths(read('create-nonce-account', wallet, effects('nonce:999999999999999'))), [])
  const dear = changed(effects('nonce:0'), 'System.CreateAccountWithSeed', { lamports: NONCE_RENT + 1n })
  t.ok(paths(read('create-nonce-account', wallet, dear)).includes('facts.rent'))
  const stolen = changed(effects('nonce:0'), 'System.InitializeNonceAccount', { authority: THIEF })
  t.strictSame(paths(read('create-nonce-account', wallet, stolen)), ['calls[1].args.authority'])
  t.strictSame(paths(read('create-nonce-account', wallet, effects('nonce:0'), {}, { seed: 'nonce:1' })).slice(0, 1), [
    'calls[0].args.newAccount',
  ])
})

t.test('a nonce account is closed to the wallet', async (t) => {
  const closing = { ...wallet, account_address: NONCE }
  const effects = actions['close-nonce-account'].effects({}, closing, { whole: NONCE_RENT })
  const found = read('close-nonce-account', closing, effects)
  t.equal(sentence(found), `Withdraw 0.00144768 SOL from the nonce account ${NONCE} to ${WALLET} by the authority of ${WALLET} ${END}`)
  t.strictSame(assumed(found), ['whole 0.00144768 SOL'])
  t.strictSame(paths(read('close-nonce-account', closing, effects, {}, { whole: 1n })), ['calls[0].args.lamports'])
  t.not(paths(read('close-nonce-account', closing, changed(effects, 'System.Withdraw', { recipient: THIEF }))).length, 0)
})

t.test('what is of no program of the protocol is no call that it knows', async (t) => {
  const [creation] = keyed(RENT).calls
  for (const each of [
    { ...creation, target: THIEF },
    { ...creation, method: 'System.Transfer(from, to, lamports)' },
  ])
    t.equal(describe(svmNative, terms, decodedOf({ signers: [], calls: [each as Call] })).known, false)
})
