import type { Call, Decoded, Effects } from '@svc/verify'
import { type CraftRejection, type CraftReview, describe, review } from '@svc/verify/intent'
import { seededAddress } from '@svc/verify/svm'
import fc from 'fast-check'
import t from 'tap'
import { svmLiquid, type UnstakeFacts } from '../src/index.ts'

const WALLET = 'AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9'
const RESERVE = '9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu'
const FEES = '2TF7YuTVDHy9kd2jEuPYZf42NeKSgGRho7219GLPkbeP'
const LIST = 'GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse'
const SPLIT = '3yZ8XxWQ7jYRJfNf1rTL9FLWAqsasjbcWphUi8q7QDg5'
const THIEF = 'HhGs98mVkJt8pWjC3sMeuZDcR2GyRmog7VdevVLLv4ah'
const POOL = 'CtMyWsrUtAwXWiGr9WjHT5fC3p3fgV8cyGpLTo2LJzG1'
const MINT = '7Q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9Dcavn'
const PROGRAM = 'SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy'
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const STAKE = 'Stake11111111111111111111111111111111111111'
const RENT = 2_282_880n
const SEED = '0123456789abcdef0123456789abcdef'

const terms = {
  chainId: 'mainnet-beta',
  caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  decimals: 9,
  symbol: 'SOL',
  max_fee: '0.001',
  token_program: TOKEN,
  validator: SPLIT,
  referral_code: 'us',
}
const { stake, unstake } = svmLiquid.actions
const input = { wallet_address: WALLET, amount: 2_500_000_000n }
const END =
  'on solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp, which the bytes do not name; fee at most 0.00001 SOL; valid for about a minute, until the block hash B is forgotten.'

const decodedOf = ({ signers, calls }: Effects): Decoded => ({ chainId: null, signers, calls, maxFee: 10_000n, terms: { blockhash: 'B' } })

/** The check of a caller, of what the bytes say. */
function read(action: 'stake' | 'unstake', effects: Effects, facts: object = {}, given = input): CraftReview | CraftRejection {
  const intent = { ...svmLiquid, family: { ...svmLiquid.family, decode: () => decodedOf(effects) } }
  return review<never, never, never>({ intent, action: svmLiquid.actions[action], terms, input: given, answer: {}, facts } as never)
}

const paths = (found: CraftReview | CraftRejection) => ('mismatches' in found ? found.mismatches.map(({ path }) => path) : [])
/** What the action took on the service's word; what the family takes of every transaction has a cost. */
const assumed = (found: CraftReview | CraftRejection) =>
  'assumed' in found ? found.assumed.flatMap(({ fact, value, cost }) => (cost === undefined ? [`${fact} ${value}`] : [])) : found
const said = (effects: Effects) => describe(svmLiquid, terms, decodedOf(effects))

/** Effects with one call changed. */
function changed(effects: Effects, method: string, args: Call['args']): Effects {
  const calls = effects.calls.map((each) => (each.method.startsWith(method) ? { ...each, args: { ...each.args, ...args } } : each))
  return { ...effects, calls }
}

const deposit = stake.effects(terms, input, { reserve: RESERVE, managerFee: FEES })
const instantly: UnstakeFacts = { tokens: input.amount, deferred: false, managerFee: FEES, reserve: RESERVE }
const later: UnstakeFacts = {
  tokens: input.amount,
  deferred: true,
  managerFee: FEES,
  validatorList: LIST,
  stakeFrom: SPLIT,
  seed: SEED,
  rent: RENT,
}
const paid = unstake.effects(terms, input, instantly)
const split = unstake.effects(terms, input, later)
const account = seededAddress(WALLET, SEED, STAKE)
const tokenAccount = String(deposit.calls[0]?.args.tokenAccount)

t.test('a deposit is said whole, memo included', async (t) => {
  const { sentence, moves, known } = said(deposit)
  t.equal(
    sentence,
    `Make the token account ${tokenAccount} of ${WALLET} for the mint ${MINT} with the token program ${TOKEN}, if it is missing, at the expense of ` +
      `${WALLET}, then deposit 2.5 SOL of ${WALLET} into the stake pool ${POOL} through ${PROGRAM} and its reserve ${RESERVE}, for tokens of the ` +
      `mint ${MINT} to ${tokenAccount}, less fees to ${FEES} and ${tokenAccount}, then leave the memo "ref:us&direct:${SPLIT}" ${END}`,
  )
  t.strictSame(moves, [
    { kind: 'leaves', asset: 'native', amount: null },
    { kind: 'leaves', asset: 'native', amount: input.amount },
    { kind: 'staked', asset: 'native', amount: input.amount },
    { kind: 'arrives', asset: MINT, amount: null },
  ])
  t.equal(known, true)
  t.strictSame(assumed(read('stake', deposit)), [`reserve ${RESERVE}`, `managerFee ${FEES}`])
  t.strictSame(assumed(read('stake', deposit, { reserve: RESERVE, managerFee: FEES })), [], 'what the caller knows is not assumed')
  t.strictSame(paths(read('stake', deposit, { reserve: LIST })), ['calls[1].args.reserve'], 'and compared exactly')
})

t.test('a memo cannot pass for a part of the sentence', async (t) => {
  const { sentence } = said(changed(deposit, 'Memo.Memo', { memo: 'x" on y; fee\n\u202e' }))
  t.match(sentence, 'leave the memo "x\\" on y; fee\\n\\u{202e}" on solana:')
})

t.test('what a thief would change of a deposit is refused', async (t) => {
  const thefts: readonly (readonly [string, Call['args']])[] = [
    ['AssociatedToken', { tokenAccount: THIEF }],
    ['AssociatedToken', { payer: THIEF }],
    ['AssociatedToken', { owner: THIEF }],
    ['StakePool', { pool: THIEF }],
    ['StakePool', { withdrawAuthority: THIEF }],
    ['StakePool', { from: THIEF }],
    ['StakePool', { poolTokensTo: THIEF }],
    ['StakePool', { referralFee: THIEF }],
    ['StakePool', { mint: THIEF }],
    ['StakePool', { tokenProgram: THIEF }],
    ['StakePool', { lamports: input.amount - 1n }],
    ['Memo', { memo: `ref:thief&direct:${SPLIT}` }],
  ]
  for (const [method, args] of thefts)
    t.not(paths(read('stake', changed(deposit, method, args))).length, 0, JSON.stringify(Object.keys(args)))
  for (const args of [{ pool: THIEF }, { mint: THIEF }, { tokenProgram: THIEF }])
    t.equal(said(changed(deposit, 'StakePool', args)).known, false, 'another pool is none of the protocol')
})

t.test('tokens are burnt for SOL to the wallet', async (t) => {
  const { sentence, moves } = said(paid)
  t.equal(
    sentence,
    `Burn 2.5 tokens of the mint ${MINT} out of ${tokenAccount} by the authority of ${WALLET} for SOL to ${WALLET} from the reserve ${RESERVE} of ` +
      `the stake pool ${POOL} through ${PROGRAM}, less fees to ${FEES} ${END}`,
  )
  t.strictSame(moves, [
    { kind: 'leaves', asset: MINT, amount: input.amount },
    { kind: 'arrives', asset: 'native', amount: null },
  ])
  t.strictSame(assumed(read('unstake', paid)), ['deferred no', `managerFee ${FEES}`, `reserve ${RESERVE}`])
  const stolen = changed(paid, 'StakePool', { recipient: THIEF })
  t.strictSame(paths(read('unstake', stolen)), ['calls[0].args.recipient'])
  t.match(said(stolen), { moves: [{}, { kind: 'freed' }] })
})

t.test('or for a stake account that is the wallet’s, and deactivates', async (t) => {
  const { sentence, moves } = said(split)
  t.equal(
    sentence,
    `Make the account ${account}, derived from ${WALLET} by the seed "${SEED}", of 200 bytes for the stake program ${STAKE} with 0.00228288 SOL of ` +
      `${WALLET}, then burn 2.5 tokens of the mint ${MINT} out of ${tokenAccount} by the authority of ${WALLET} for stake of the stake pool ${POOL} ` +
      `through ${PROGRAM}, split from ${SPLIT} on its list ${LIST} into ${account}, whose staker and withdrawer is then ${WALLET}, less fees to ` +
      `${FEES}, then deactivate the stake account ${account}, whole, by the authority of ${WALLET} ${END}`,
  )
  t.equal(moves.length, 4)
  t.strictSame(assumed(read('unstake', split)), [
    'deferred yes',
    `managerFee ${FEES}`,
    `validatorList ${LIST}`,
    `stakeFrom ${SPLIT}`,
    'rent 0.00228288 SOL',
    `seed ${SEED}`,
  ])
  const thefts: readonly (readonly [string, Call['args']])[] = [
    ['System', { owner: THIEF }],
    ['System', { base: THIEF }],
    ['System', { newAccount: THIEF }],
    ['StakePool', { newAuthority: THIEF }],
    ['StakePool', { stakeTo: THIEF }],
    ['StakePool', { poolTokensFrom: THIEF }],
    ['StakePool', { authority: THIEF }],
    ['Stake.', { stake: THIEF }],
    ['Stake.', { authority: THIEF }],
  ]
  for (const [method, args] of thefts)
    t.not(paths(read('unstake', changed(split, method, args))).length, 0, JSON.stringify(Object.keys(args)))
  t.strictSame(
    paths(read('unstake', split, { deferred: false, reserve: RESERVE })).slice(0, 1),
    ['calls[0].target'],
    'unless the caller knows that it need not',
  )
})

t.test('its rent has a ceiling, and its seed prints', async (t) => {
  const dear = changed(split, 'System', { lamports: RENT + 1n })
  t.ok(paths(read('unstake', dear)).includes('facts.rent'))
  t.strictSame(paths(read('unstake', unstake.effects(terms, input, { ...later, rent: 0n }))), [])
  for (const seed of ['', `${SEED}0`, 'a b'])
    t.strictSame(paths(read('unstake', unstake.effects(terms, input, { ...later, seed }))), ['facts.seed'])
  t.strictSame(paths(read('unstake', split, { rent: RENT - 1n })), ['calls[0].args.lamports', 'calls[0].value'])
})

t.test('the tokens may be all that there are, less by what a JSON number cannot carry, and no less', async (t) => {
  const asked = { ...input, amount: 17_179_869_184_000_004n }
  const burning = (tokens: bigint) => unstake.effects(terms, asked, { ...instantly, tokens })
  const found = (tokens: bigint, facts = {}) => paths(read('unstake', burning(tokens), facts, asked))
  t.strictSame(found(asked.amount), [])
  t.ok((assumed(read('unstake', burning(asked.amount - 100n), {}, asked)) as string[]).includes('tokens 17179869.183999904 pool tokens'))
  t.strictSame(found(asked.amount - 101n), ['facts.tokens'])
  t.strictSame(found(asked.amount + 1n), ['facts.tokens'])
  t.strictSame(found(asked.amount - 100n, { tokens: asked.amount }), ['calls[0].args.poolTokens'])
})

t.test('by books the same follows: stake leaves only where the reserve has too little', async (t) => {
  const amounts = fc.bigInt({ min: 1n, max: 10n ** 18n })
  const property = fc.property(amounts, amounts, amounts, amounts, amounts, (amount, held, free, totalLamports, supply) => {
    const books = { held, free, totalLamports, supply, fee: { numerator: 3n, denominator: 1000n } }
    const [tokens = 0n] = [amount, held].sort((one, other) => Number(one - other))
    const fee = (tokens * 3n + 999n) / 1000n
    const deferred = ((tokens - fee) * totalLamports) / supply > free
    const { tokens: _, deferred: __, ...rest } = later
    const own = { ...input, amount }
    const { calls } = unstake.effects(terms, own, { ...rest, reserve: RESERVE, books })
    const expected = unstake.effects(terms, own, { ...rest, reserve: RESERVE, tokens, deferred })
    return (
      calls.length === (deferred ? 3 : 1) &&
      calls.every((each, i) => Object.entries(each.args).every(([name, value]) => expected.calls[i]?.args[name] === value))
    )
  })
  t.doesNotThrow(() => fc.assert(property, { numRuns: 100 }))
  const { stakeFrom: _, ...rest } = later
  t.equal(
    unstake.effects(terms, input, { ...rest, vote: SPLIT, validatorSeed: 0 }).calls[1]?.args.stakeFrom === SPLIT,
    false,
    'the account follows from the validator',
  )
})

t.test('a fact that is missing is named, and so is a term', async (t) => {
  t.throws(() => unstake.effects(terms, input, { managerFee: FEES }), { code: 'REFUSED', message: /^facts\.tokens/ })
  t.throws(() => unstake.effects(terms, input, { ...instantly, deferred: true }), { code: 'REFUSED', message: /^facts\.seed/ })
  t.throws(() => stake.effects({ ...terms, chainId: 'devnet' }, input, { reserve: RESERVE, managerFee: FEES }), { message: /^terms\.pool/ })
  const found = review({ intent: svmLiquid, action: stake, terms: { ...terms, chainId: 'devnet' }, input, answer: {} })
  t.match(found, { mismatches: [{ path: 'terms.pool' }] })
})

t.test('what is of no program of the protocol is no call that it knows', async (t) => {
  const [creation] = split.calls
  for (const each of [
    { ...creation, target: THIEF },
    { ...creation, method: 'System.Transfer(from, to, lamports)' },
  ])
    t.equal(said({ signers: [], calls: [each as Call] }).known, false)
  const other = { ...deposit.calls[1], method: 'StakePool.DepositStake(pool, mint, tokenProgram)' }
  t.equal(said({ signers: [], calls: [other as Call] }).known, false)
})
