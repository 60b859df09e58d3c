import { layouts as poolLayouts } from '@svc/intent-svm-liquid'
import { layouts } from '@svc/intent-svm-native'
import { check } from '@svc/verify'
import { decodeSvm } from '@svc/verify/svm'
import fc from 'fast-check'
import t from 'tap'
import { type SvmDraft, svm } from '../src/index.ts'
import { drafts } from './support/drafts.ts'
import { account, answers, connect, nodeOf, RpcError, type Table, withContext } from './support/node.ts'
import { pair, transactions, vector, wallet } from './support/vectors.ts'

const address = wallet.publicKey.toBase58()
const withNonce = { nonce_account_address: transactions.nonceAccount.address }

async function assemble(draft: SvmDraft, table: Table, settings: Record<string, unknown> = {}, input: Record<string, unknown> = {}) {
  const node = nodeOf(table)
  const ctx = connect(node, settings)
  const preflight = svm.preflight(ctx, address, input)
  return { ...(await svm.assemble(ctx, draft, preflight)), asked: node.asked }
}

const VECTORS: readonly [start: string, draft: SvmDraft, units: number, input?: Record<string, unknown>][] = [
  ['stake, keypair', drafts.stake, 50_000],
  ['stake, seed', drafts.seededStake, 49_850, withNonce],
  ['unstake', drafts.unstake, 16_666],
  ['withdraw', drafts.withdraw, 16_666],
  ['create nonce account', drafts.nonce, 4_166],
]

for (const [start, draft, units, input] of VECTORS)
  t.test(`${start}: the bytes are those of the vector, and are read back with these terms`, async (t) => {
    const { unsigned, terms } = await assemble(draft, answers(units), { unit_price: 1000 }, input)
    t.equal(unsigned.unsigned_tx_hex, vector(start).unsigned)
    const decoded = svm.decode(unsigned, { signers: [], calls: [], layouts }, {} as never, terms)
    t.same(decoded.terms, terms)
    t.same(decoded.signers, draft.ephemeral ? [address, draft.ephemeral.publicKey.toBase58()] : [address])
  })

t.test('everything that does not need the nonce account leaves at once', async (t) => {
  const { asked } = await assemble(drafts.seededStake, answers(1000), {}, withNonce)
  t.same(asked.toSorted(), [
    'getMinimumBalanceForRentExemption',
    'getMultipleAccounts',
    'getRecentPrioritizationFees',
    'simulateTransaction',
  ])
})

t.test('rent is remembered', async (t) => {
  const node = nodeOf(answers(1000))
  const ctx = connect(node, { unit_price: 1 })
  const craft = () => svm.assemble(ctx, drafts.unstake, svm.preflight(ctx, address, {}))
  await craft()
  node.asked.length = 0
  await craft()
  t.same(node.asked.toSorted(), ['getLatestBlockhash', 'getMultipleAccounts', 'simulateTransaction'])
})

t.test('what is remembered is asked for again after ten minutes', async (t) => {
  const node = nodeOf(answers(1000))
  const ctx = connect(node, { unit_price: 1 })
  const craft = () => svm.assemble(ctx, drafts.unstake, svm.preflight(ctx, address, {}))
  const now = performance.now.bind(performance)
  t.teardown(() => {
    performance.now = now
  })
  await craft()
  for (const [ms, asked] of [
    [590_000, 0],
    [601_000, 1],
  ] as const) {
    performance.now = () => now() + ms
    node.asked.length = 0
    await craft()
    t.equal(node.asked.filter((each) => each === 'getMinimumBalanceForRentExemption').length, asked, `after ${ms} ms`)
  }
})

t.test('the simulation runs on a block hash of its own, unsigned, at no price, without the nonce', async (t) => {
  let sent: [string, Record<string, unknown>] | undefined
  const table = answers(1000)
  const simulateTransaction = (params: [string, Record<string, unknown>]) => {
    sent = params
    return table.simulateTransaction
  }
  await assemble(drafts.seededStake, { ...table, simulateTransaction }, {}, withNonce)
  const [bytes, options] = sent!
  t.same(options, { encoding: 'base64', commitment: 'confirmed', sigVerify: false, replaceRecentBlockhash: true })
  const { calls, terms, maxFee } = decodeSvm({ unsigned_tx_hex: Buffer.from(bytes, 'base64').toString('hex') }, layouts)
  t.match(calls[0], { method: /^System.CreateAccountWithSeed/ })
  t.match(terms, { unitLimit: 1_400_000n, unitPrice: 0n })
  t.equal(maxFee, 5000n)
})

t.test('a node that does not say what was used leaves the limit to the draft', async (t) => {
  const { terms } = await assemble({ ...drafts.unstake, unitLimit: 12_345 }, answers(null))
  t.equal(terms.unitLimit, 12_345n)
})

t.test('the limit is what was used and a margin, whatever that is', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 450, max: 300_000 }), fc.integer({ min: 100, max: 300 }), async (units, percent) => {
      const { terms } = await assemble(drafts.unstake, answers(units), { unit_limit_percent: percent, unit_price: 0 })
      const exact = (BigInt(units) * BigInt(percent) + 99n) / 100n
      t.equal(terms.unitLimit, exact > 1_400_000n ? 1_400_000n : exact)
    }),
    { numRuns: 50 },
  )
})

t.test('less than its instructions cost in any case was not used', async (t) => {
  // Two of the compute budget, and one of a program, which may be a deployed one and take a single step.
  t.equal((await assemble(drafts.unstake, answers(301), { unit_price: 0 })).terms.unitLimit, 362n)
  for (const units of [300, 1, 0])
    await t.rejects(assemble(drafts.unstake, answers(units)), { statusCode: 502, code: 'UPSTREAM_ERROR' }, String(units))
})

t.test('a block hash that is over when it is told, or from the future, is none', async (t) => {
  const latest = (lastValidBlockHeight: unknown) => ({
    ...answers(1000),
    getLatestBlockhash: withContext({ blockhash: transactions.blockhash, lastValidBlockHeight }),
  })
  const { slot } = withContext(null).context
  for (const good of [150, slot + 150]) t.equal((await assemble(drafts.unstake, latest(good))).terms.lastValidBlockHeight, BigInt(good))
  for (const bad of [0, 149, slot + 151, null, undefined, '400000150'])
    await t.rejects(assemble(drafts.unstake, latest(bad)), { statusCode: 502, code: 'UPSTREAM_ERROR' }, String(bad))
})

t.test('the price is that of three quarters of the last blocks, within bounds', async (t) => {
  const fees = (...list: number[]) => ({
    getRecentPrioritizationFees: list.map((prioritizationFee, slot) => ({ slot, prioritizationFee })),
  })
  const priceOf = async (table: Table, settings = {}) =>
    (await assemble(drafts.unstake, { ...answers(1000), ...table }, settings)).terms.unitPrice
  t.equal(await priceOf(fees()), 1000n, 'nothing told')
  t.equal(await priceOf(fees(0, 0, 0, 9_000_000)), 1000n)
  t.equal(await priceOf(fees(4000, 1000, 3000, 2000)), 3000n)
  t.equal(await priceOf(fees(5_000_000)), 1_000_000n)
  t.equal(await priceOf(fees(5_000_000), { unit_price_max: 7000 }), 7000n)
  t.equal(await priceOf(fees(1), { unit_price_min: 0 }), 1n)
  t.equal(await priceOf({ getRecentPrioritizationFees: new RpcError(-32_601, 'Method not found') }), 1000n)
  let accounts: string[] = []
  await priceOf({
    getRecentPrioritizationFees: ([given]: [string[]]) => {
      accounts = given
      return []
    },
  })
  t.same(accounts, [address, pair(2).publicKey.toBase58()], 'for the accounts that are written to')
  const { asked } = await assemble(drafts.unstake, answers(1000), { unit_price: 5 })
  t.notOk(asked.includes('getRecentPrioritizationFees'))
})

t.test('a fee above the cap is a 503', async (t) => {
  const settings = { unit_price: 1_000_000_000, max_fee: '0.00001' }
  await t.rejects(assemble(drafts.unstake, answers(10_000), settings), {
    statusCode: 503,
    code: 'FEE_ABOVE_CAP',
    message: /now 0\.012005 SOL, above the operator's cap of 0\.00001 SOL/,
  })
})

t.test('a wallet that does not cover it is told by how much', async (t) => {
  const holding = (lamports: number | null) => ({
    ...answers(1000),
    getMultipleAccounts: withContext([lamports === null ? null : account(lamports)]),
  })
  const refused = (message: RegExp) => ({ statusCode: 400, code: 'INSUFFICIENT_BALANCE', message })
  const settings = { unit_price: 0 }
  await t.rejects(assemble(drafts.stake, holding(1_502_292_879), settings), refused(/holds 1\.502292879 SOL, .* 1\.50229288 SOL/))
  await t.rejects(assemble(drafts.stake, holding(null), settings), refused(/holds 0 SOL/))
  await t.rejects(assemble(drafts.unstake, holding(4999), settings), refused(/does not cover the fee of 0\.000005 SOL/))
  await t.resolves(assemble(drafts.stake, holding(1_502_292_880), settings), 'all of it may go')
  const rent = 890_880
  await t.resolves(assemble(drafts.stake, holding(1_502_292_880 + rent), settings))
  await t.rejects(
    assemble(drafts.stake, holding(1_502_292_880 + rent - 1), settings),
    refused(/left with 0\.000890879 SOL, where the chain takes nothing at all or at least 0\.00089088 SOL/),
  )
  await t.rejects(
    assemble(drafts.unstake, holding(5000 + rent), { unit_price: 1_000_000 }),
    refused(/left with 0\.00088968 SOL/),
    'with the price',
  )
  const part = { unit_price: 1 }
  await t.rejects(
    assemble(drafts.unstake, holding(5000 + rent), part),
    refused(/left with 0\.000890879 SOL/),
    'a part of a lamport costs a whole one',
  )
  await t.resolves(assemble(drafts.unstake, holding(5001 + rent), part))
})

t.test('more lamports than a double holds are counted exactly', async (t) => {
  const wealthy = { ...answers(1000), getMultipleAccounts: withContext([{ ...account(0), lamports: '@' }]) }
  const held = '18446744073709551615'
  const node = nodeOf(wealthy, (answer) => JSON.stringify(answer).replace('"@"', held))
  const ctx = connect(node)
  t.equal((await svm.preflight(ctx, address, {})).balance, BigInt(held))
})

t.test('what the chain would refuse is a 400 with what to do', async (t) => {
  const stake = 'Stake11111111111111111111111111111111111111'
  const failed = (program: string, code: number) => `Program ${program} failed: custom program error: 0x${code.toString(16)}`
  const cases: [err: unknown, logs: string[], status: number, code: string, message: RegExp][] = [
    [{ InstructionError: [2, { Custom: 2 }] }, [], 400, 'STAKE_DEACTIVATED', /refuse this transaction: the stake account is deactivated/],
    [{ InstructionError: [2, { Custom: 16 }] }, [], 503, 'EPOCH_REWARDS', /try again in a minute/],
    [{ InstructionError: [2, { Custom: 1 }] }, [failed(stake, 1)], 400, 'STAKE_LOCKED', /lockup/],
    [
      { InstructionError: [2, { Custom: 1 }] },
      [failed('11111111111111111111111111111111', 1), failed(stake, 1)],
      400,
      'INSUFFICIENT_BALANCE',
      /wallet does not hold/,
    ],
    [
      { InstructionError: [2, { Custom: 77 }] },
      [],
      400,
      'CHAIN_WOULD_REFUSE',
      /instruction 2, of the program Stake1+, failed with its error 77/,
    ],
    [{ InstructionError: [2, 'MissingRequiredSignature'] }, [], 400, 'AUTHORITY_OTHER', /somebody else/],
    [{ InstructionError: [2, 'InvalidArgument'] }, [], 400, 'CHAIN_WOULD_REFUSE', /InvalidArgument/],
    [{ InstructionError: [2, { BorshIoError: 'x' }] }, [], 400, 'CHAIN_WOULD_REFUSE', /BorshIoError/],
    [{ InsufficientFundsForRent: { account_index: 0 } }, [], 400, 'INSUFFICIENT_BALANCE', /rent/],
    ['AccountNotFound', [], 400, 'INSUFFICIENT_BALANCE', /fund it/],
    ['InvalidAccountForFee', [], 400, 'CHAIN_WOULD_REFUSE', /the wallet is an account of a program, such as a stake account/],
    ['WouldExceedMaxBlockCostLimit', [], 503, 'CHAIN_FULL', /no room/],
    ['TooManyAccountLocks', [], 400, 'CHAIN_WOULD_REFUSE', /it says TooManyAccountLocks\.$/],
    // What has not the form of the chain's names is not passed on: it may be anything.
    ...['constructor', 'error at /home/sol/validator/src/main.rs:7', 'E'.repeat(65), 'Craft again'].flatMap((text): typeof cases => [
      [text, [], 400, 'CHAIN_WOULD_REFUSE', /transaction: its node gives a reason that the chain has no name for\.$/],
      [{ [text]: [] }, [], 400, 'CHAIN_WOULD_REFUSE', /transaction: its node gives a reason that the chain has no name for\.$/],
      [{ InstructionError: [2, text] }, [], 400, 'CHAIN_WOULD_REFUSE', /Stake1+, failed with an error that has no name\.$/],
      [{ InstructionError: [2, { [text]: 1 }] }, [], 400, 'CHAIN_WOULD_REFUSE', /Stake1+, failed with an error that has no name\.$/],
      [{ InstructionError: [text, 'InvalidArgument'] }, [], 400, 'CHAIN_WOULD_REFUSE', /it says InstructionError\.$/],
    ]),
    [
      { InstructionError: [1231, 'InvalidArgument'] },
      [],
      400,
      'CHAIN_WOULD_REFUSE',
      /its instruction 1231, of the program that is not named,/,
    ],
    [{ InstructionError: [1232, 'InvalidArgument'] }, [], 400, 'CHAIN_WOULD_REFUSE', /it says InstructionError\.$/],
    [{ InstructionError: [2, { Custom: 2 ** 32 }] }, [], 400, 'CHAIN_WOULD_REFUSE', /failed with Custom\.$/],
    [{ InstructionError: [2, { Custom: 3 }] }, [failed('constructor'.repeat(4), 3)], 400, 'CHAIN_WOULD_REFUSE', /error 3/],
  ]
  for (const [err, logs, statusCode, code, message] of cases) {
    const table = { ...answers(1000), simulateTransaction: withContext({ err, logs, unitsConsumed: 0 }) }
    await t.rejects(assemble(drafts.unstake, table), { statusCode, code, message }, JSON.stringify(err))
  }
})

t.test('an error in no form of a node is no verdict', async (t) => {
  for (const err of [
    '',
    [],
    {},
    7,
    true,
    { InstructionError: 'Custom' },
    { InstructionError: [0] },
    { AccountNotFound: {}, AccountInUse: {} },
  ]) {
    const table = { ...answers(1000), simulateTransaction: withContext({ err, logs: [], unitsConsumed: 0 }) }
    await t.rejects(assemble(drafts.unstake, table), { statusCode: 502, code: 'UPSTREAM_ERROR' }, JSON.stringify(err))
  }
})

t.test('a plugin can bring the errors of a program of its own', async (t) => {
  const errors = { Stake11111111111111111111111111111111111111: { 77: { code: 'ODD', sentence: 'It is odd.', status: 503 } } } as const
  const table = { ...answers(1000), simulateTransaction: withContext({ err: { InstructionError: [2, { Custom: 77 }] }, logs: null }) }
  await t.rejects(assemble({ ...drafts.unstake, errors }, table), {
    statusCode: 503,
    code: 'ODD',
    retryAfter: 60,
    message: /: it is odd\./,
  })
})

t.test('a nonce account that cannot be used is a 400', async (t) => {
  const good = Buffer.from(transactions.nonceAccount.data, 'hex')
  const changed = (at: number, value: number) => {
    const data = Buffer.from(good)
    data[at] = value
    return account(1_447_680, undefined, data)
  }
  const cases: [found: unknown, message: RegExp][] = [
    [null, /does not exist/],
    [account(1_447_680, 'Stake11111111111111111111111111111111111111', good), /belongs to the program Stake/],
    [account(1_447_680), /has 0 bytes instead of 80/],
    [changed(0, 0), /old version/],
    [changed(4, 0), /not initialized/],
    [changed(8, 7), /can be used by .* only, not by AKnL4/],
  ]
  for (const [found, message] of cases) {
    const table = { ...answers(1000), getMultipleAccounts: withContext([account(5_000_000_000), found]) }
    await t.rejects(assemble(drafts.unstake, table, {}, withNonce), { statusCode: 400, code: 'NONCE_ACCOUNT_INVALID', message })
  }
})

t.test('a wallet that was derived by a program is a 400', async (t) => {
  const ctx = connect(nodeOf(answers(1000)))
  await t.rejects(svm.preflight(ctx, '6BiM3aNseP8RHR5VqfGQnuPSgeFVnxZ7tSBHKaPG4soL', {}), { statusCode: 400, code: 'WALLET_CANNOT_SIGN' })
})

t.test('another cluster behind the endpoints is a 502, and nothing is crafted', async (t) => {
  const devnet = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
  await t.rejects(assemble(drafts.unstake, { ...answers(1000), getGenesisHash: devnet }), {
    statusCode: 502,
    code: 'UPSTREAM_OTHER_CHAIN',
    message: /chain devnet instead of mainnet-beta/,
  })
  await t.resolves(assemble(drafts.unstake, { ...answers(1000), getGenesisHash: devnet }, { genesis_hash: devnet }))
})

t.test('the layouts say which stake pool program is meant', async (t) => {
  const unsigned = { unsigned_tx_hex: vector('liquid unstake').unsigned }
  const pool = '7v54NWdBtkjuAFJrLGsS2SXnuk8nKam81mZJeeYxVFi9'
  const promised = (program: string) => ({
    signers: [],
    calls: [],
    layouts: poolLayouts({ chainId: '', pool, mint: pool, program, token_program: pool }),
  })
  const read = svm.decode(unsigned, promised('SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy'), {} as never, {})
  t.match(read.calls, [{ method: /^StakePool.WithdrawSol\(/, args: { pool } }])
  const other = svm.decode(unsigned, promised('DPoo15wWDqpPJJtS2MUZ49aRxqz5ZaaJCJP4z8bLuib'), {} as never, {})
  t.match(other.calls, [{ method: 'unknown instruction' }])
  t.not(check(other, { signers: [address], calls: read.calls }, { chainId: 'devnet', maxFee: 10n ** 9n }).length, 0)
})
