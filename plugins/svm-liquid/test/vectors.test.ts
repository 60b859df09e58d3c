import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { parseAmount } from '@svc/contract'
import { ComputeBudgetProgram, PublicKey, Transaction, type TransactionInstruction } from '@svc/solana'
import fc from 'fast-check'
import t from 'tap'
import type { WithdrawalFacts } from '../src/actions/withdrawal.ts'
import { CLUSTER_ADDRESSES } from '../src/addresses.ts'
import plugin from '../src/index.ts'
import { network, record } from './fixtures.ts'
import vectors from './vectors/transactions.json' with { type: 'json' }

const { kit, actions } = plugin.protocol
const wallet_address = vectors.wallet

/** As the kit puts a draft into bytes, with the limit and the price of the vectors. */
function serialized(instructions: readonly TransactionInstruction[]): string {
  const transaction = new Transaction({ feePayer: new PublicKey(vectors.wallet), recentBlockhash: vectors.blockhash })
  transaction.add(ComputeBudgetProgram.setComputeUnitLimit({ units: vectors.unitLimit }))
  transaction.add(ComputeBudgetProgram.setComputeUnitPrice({ microLamports: vectors.unitPrice }))
  transaction.add(...instructions)
  return transaction.serialize({ requireAllSignatures: false, verifySignatures: false }).toString('hex')
}

interface Case {
  readonly action: 'stake' | 'unstake'
  readonly settings: object
  readonly amount: string
  readonly facts: object
}

const held = 10n ** 12n
const reserve: Omit<WithdrawalFacts, 'record'> = { held, free: 10n ** 12n, deferral: null }

function crafted({ action, settings, amount, facts }: Case) {
  const net = { ...network, ...settings }
  const input = { wallet_address, amount: parseAmount(amount, 9) }
  const declared = actions[action]!
  const draft = declared.craft(net, input, { record, ...facts }) as {
    feePayer: string
    instructions: TransactionInstruction[]
    spends: bigint
    unitLimit: number
  }
  const effects = (declared.effects as (...given: unknown[]) => ReturnType<typeof declared.effects>)(net, input, { record, ...facts })
  return { draft, effects, unsigned_tx_hex: serialized(draft.instructions) }
}

for (const [action, settings, facts] of [
  ['stake', { validator: vectors.vote }, { rent: 2_039_280n }],
  ['unstake', {}, reserve],
] as const)
  t.test(`${action} is the vector byte for byte, and does what is promised`, async (t) => {
    const vector = vectors[action]
    const { draft, effects, unsigned_tx_hex } = crafted({ action, settings, amount: vector.amount, facts })
    t.equal(unsigned_tx_hex, vector.unsigned_tx_hex)
    t.equal(createHash('sha256').update(Buffer.from(unsigned_tx_hex, 'hex').subarray(65)).digest('hex'), vector.messageSha256)
    t.equal(draft.feePayer, vectors.wallet)
    t.equal(draft.unitLimit, vectors.unitLimit)
    t.equal(draft.spends, action === 'stake' ? 3_000_000n + 2_039_280n : 0n)
    const decoded = kit.decode({ unsigned_tx_hex }, effects, network, {})
    t.same(decoded.calls, effects.calls)
    t.same(decoded.signers, effects.signers)
  })

const deferral = { vote: vectors.vote, validatorSeed: 7, seed: '00112233445566778899aabbccddeeff', rent: 2_282_880n }
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'

for (const [name, each] of Object.entries({
  'stake without a note': { action: 'stake', settings: {}, amount: '1', facts: { rent: 0n } },
  'stake with a code': { action: 'stake', settings: { referral_code: 'ab-1' }, amount: '1', facts: { rent: 0n } },
  'stake with a code, a validator and an account for the referral fee': {
    action: 'stake',
    settings: { referral_code: 'ab-1', validator: vectors.vote, referral_account: vectors.managerFeeAccount },
    amount: '18446744073.709551615',
    facts: { rent: 0n },
  },
  'stake on another program with another token program': {
    action: 'stake',
    settings: { program: 'DPoo15wWDqpPJJtS2MUZ49aRxqz5ZaaJCJP4z8bLuib', token_program: TOKEN_2022 },
    amount: '9007199.254740993',
    facts: { rent: 0n },
  },
  'unstake of a trifle too much': {
    action: 'unstake',
    settings: {},
    amount: '9000000.000000001',
    facts: { held: 9_000_000n * 10n ** 9n, free: 10n ** 18n, deferral: null },
  },
  'unstake on another program with another token program': {
    action: 'unstake',
    settings: { program: 'DPoo15wWDqpPJJtS2MUZ49aRxqz5ZaaJCJP4z8bLuib', token_program: TOKEN_2022 },
    amount: '2.5',
    facts: reserve,
  },
  'deferred unstake': { action: 'unstake', settings: {}, amount: '2.5', facts: { held, free: 1n, deferral } },
  'deferred unstake from a validator without a seed': {
    action: 'unstake',
    settings: { token_program: TOKEN_2022 },
    amount: '2.5',
    facts: { held, free: 1n, deferral: { ...deferral, validatorSeed: 0 } },
  },
} satisfies Record<string, Case>))
  t.test(`${name} does what is promised, read back from its bytes`, async (t) => {
    const { effects, unsigned_tx_hex } = crafted(each as Case)
    const decoded = kit.decode({ unsigned_tx_hex }, effects, network, {})
    t.same(decoded.calls, effects.calls)
    t.same(decoded.signers, [vectors.wallet])
  })

/** Settings that leave the pool to what is known of the cluster. */
const unnamed = { pool: undefined, mint: undefined, program: undefined }
const { pool, mint } = network

t.test('what the settings leave out is known to the writer and to the check, each by itself', async (t) => {
  const cases: readonly object[] = [
    unnamed,
    { ...unnamed, pool, mint },
    { ...unnamed, pool, mint, chainId: 'testnet' },
    { ...unnamed, pool, mint, chainId: 'devnet' },
  ]
  const facts = { held, free: 1n, deferral, rent: 0n }
  for (const action of ['stake', 'unstake'] as const) {
    for (const settings of cases) {
      const { effects, unsigned_tx_hex } = crafted({ action, settings, amount: '2.5', facts })
      t.same(kit.decode({ unsigned_tx_hex }, effects, network, {}).calls, effects.calls, JSON.stringify(settings))
    }
    const known = CLUSTER_ADDRESSES as Record<string, object>
    const right = known['mainnet-beta']!
    for (const name of ['pool', 'mint', 'program']) {
      known['mainnet-beta'] = { ...right, [name]: vectors.reserve }
      try {
        const { effects, unsigned_tx_hex } = crafted({ action, settings: unnamed, amount: '2.5', facts })
        t.notSame(kit.decode({ unsigned_tx_hex }, effects, network, {}).calls, effects.calls, `another ${name} is not what is promised`)
      } finally {
        known['mainnet-beta'] = right
      }
    }
    const { effects } = actions[action] as unknown as { effects(...given: unknown[]): unknown }
    const lacking = [{ pool }, { pool, chainId: 'devnet' }, { chainId: 'devnet' }, { pool, mint, chainId: 'elsewhere' }]
    for (const settings of lacking)
      t.throws(() => effects({ ...network, ...unnamed, ...settings }, { wallet_address, amount: 1n }, { record, ...facts }), {
        code: 'REFUSED',
      })
  }
})

t.test('a stake account in place of SOL that the reserve could pay is not what is promised', async (t) => {
  const facts = { held, free: 10n ** 12n, deferral }
  const { effects, unsigned_tx_hex } = crafted({ action: 'unstake', settings: {}, amount: '2.5', facts })
  t.notSame(kit.decode({ unsigned_tx_hex }, effects, network, {}).calls, effects.calls)
})

t.test('a rent that no stake account has ever cost is not what is promised', async (t) => {
  for (const [rent, kept] of [
    [2_282_880n, true],
    [2_282_881n, false],
  ] as const) {
    const facts = { held, free: 1n, deferral: { ...deferral, rent } }
    const { effects, unsigned_tx_hex } = crafted({ action: 'unstake', settings: {}, amount: '2.5', facts })
    t.equal(isDeepStrictEqual(kit.decode({ unsigned_tx_hex }, effects, network, {}).calls, effects.calls), kept)
  }
})

/** An address that is nobody's in particular. */
const address = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => new PublicKey(bytes).toBase58())
const u64 = fc.bigInt(1n, 2n ** 64n - 1n)
const anyNetwork = fc.record(
  { pool: address, mint: address, program: address, token_program: address, validator: address, referral_account: address },
  { requiredKeys: ['pool', 'mint', 'program', 'token_program'] },
)
const anyRecord = fc.record({ reserve: address, managerFeeAccount: address, validatorList: address })
const anyDeferral = fc.option(
  fc.record({
    vote: address,
    validatorSeed: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 0xffffffff })),
    seed: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString('hex')),
    rent: fc.bigInt(1n, 2_282_880n),
  }),
)

t.test('whatever the pool, the amount and the settings, the bytes do exactly what is promised', async (t) => {
  const codes = fc.option(fc.stringMatching(/^[A-Za-z0-9_.-]{1,64}$/), { nil: undefined })
  fc.assert(
    fc.property(anyNetwork, codes, anyRecord, address, u64, anyDeferral, (own, code, addresses, wallet, amount, out) => {
      const net = { ...network, ...own, ...(code === undefined ? {} : { referral_code: code }) }
      const pooled = {
        ...record,
        ...addresses,
        totalLamports: 10n ** 9n,
        supply: 10n ** 9n,
        solWithdrawalFee: { numerator: 0n, denominator: 0n },
      }
      const input = { wallet_address: wallet, amount }
      const facts = { record: pooled, rent: 0n, held: amount, free: out === null ? amount : 0n, deferral: out }
      return (['stake', 'unstake'] as const).every((name) => {
        const { craft, effects } = actions[name] as unknown as {
          craft(...given: unknown[]): { instructions: TransactionInstruction[] }
          effects(...given: unknown[]): ReturnType<typeof crafted>['effects']
        }
        const promised = effects(net, input, facts)
        const transaction = new Transaction({ feePayer: new PublicKey(wallet), recentBlockhash: vectors.blockhash })
        transaction.add(...craft(net, input, facts).instructions)
        const bytes = transaction.serialize({ requireAllSignatures: false, verifySignatures: false })
        const { calls, signers } = kit.decode({ unsigned_tx_hex: bytes.toString('hex') }, promised, net, {})
        return isDeepStrictEqual(calls, promised.calls) && isDeepStrictEqual(signers, promised.signers)
      })
    }),
    { numRuns: 100 },
  )
  t.pass('no counter-example')
})
