import { createHash, createPublicKey, verify } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { base58 } from '../../src/bytes/base58.ts'
import type { Call, Value } from '../../src/index.ts'
import { decodeSvm, nonceAdvance } from '../../src/svm/index.ts'
import { bytes, hex } from '../support/vectors.ts'
import { LAYOUTS, layoutsAt } from './support/layouts.ts'
import {
  BUDGET,
  CLOCK,
  derived,
  FORMS,
  limit,
  meta,
  methodOf,
  POOL,
  parameters,
  price,
  STAKE,
  SYSTEM,
  step,
  stepOf,
  TOKEN,
} from './support/steps.ts'
import { callsOf, craft, draftOf, termsOf, vectorOf, vectors } from './support/vectors.ts'
import { compile, craftOf, type Draft, partsOf, type Step, u32, u64 } from './support/write.ts'

const WALLET = vectors[0]!.signers[0]!
const HASH = vectors[0]!.blockhash!
const other = (fill: number) => base58(new Uint8Array(32).fill(fill))
const decode = (draft: Draft, layouts: readonly object[] = LAYOUTS) => decodeSvm(craftOf(compile(draft)), layouts)
const draft = (...steps: Step[]): Draft => ({ feePayer: WALLET, blockhash: HASH, steps })
const deactivate = step('Stake.Deactivate', { stake: other(5), authority: WALLET })
const advance = step('System.AdvanceNonceAccount', { nonceAccount: other(6), authority: WALLET })

t.test('every vector is read as what it does', async (t) => {
  for (const vector of vectors) {
    t.strictSame(
      decodeSvm(craft(vector), LAYOUTS),
      { chainId: null, signers: vector.signers, maxFee: BigInt(vector.maxFee), calls: callsOf(vector), terms: termsOf(vector) },
      vector.name,
    )
  }
})

t.test('the vectors are what was signed on the chain', async (t) => {
  for (const { name, unsigned, messageHash, walletSignature, transactionHash } of vectors) {
    const { signatures, keys } = partsOf(unsigned)
    const message = bytes(unsigned).subarray(1 + 64 * signatures.length)
    t.equal(createHash('sha256').update(message).digest('hex'), messageHash, name)
    const signed = [bytes(walletSignature), ...signatures.slice(1)]
    signed.forEach((signature, i) => {
      const der = Buffer.concat([bytes('302a300506032b6570032100'), keys[i]!])
      t.ok(verify(null, message, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature), `${name}, signature ${i}`)
    })
    t.equal(base58(signed[0]!), transactionHash)
  }
})

t.test('what the writer of these tests writes reads like the vectors', async (t) => {
  for (const vector of vectors) t.strictSame(decode(draftOf(vector)), decodeSvm(craft(vector), LAYOUTS), vector.name)
})

const address = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(base58)
const VALUES: Readonly<Record<string, fc.Arbitrary<Value>>> = {
  u64: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  i64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  role: fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }),
  text: fc.string({ maxLength: 8, unit: 'grapheme' }).filter((text) => Buffer.byteLength(text) <= 32 && text.isWellFormed()),
  rest: fc.string({ maxLength: 40, unit: 'grapheme' }).filter((text) => text.isWellFormed()),
}
/** A timestamp may lie before 1970. */
const kindOf = (kind: string, name: string) => (name === 'lockupTimestamp' ? 'i64' : kind)

t.test('every instruction is read with all its arguments, whatever they are', async (t) => {
  for (const name of Object.keys(FORMS)) {
    const list = parameters(name)
    const args = fc.record(Object.fromEntries(list.map(([kind, given]) => [given, VALUES[kindOf(kind, given)] ?? address])))
    t.doesNotThrow(
      () =>
        fc.assert(
          fc.property(args, fc.boolean(), (drawn, payerSpends) => {
            const given = name === 'System.CreateAccountWithSeed' ? seeded(drawn) : { ...drawn }
            const feePayer = payerSpends ? String(given.from ?? WALLET) : WALLET
            const { calls } = decode({ ...draft(step(name, given)), feePayer })
            const spent = payerSpends && given.from !== undefined ? (given.lamports as bigint) : 0n
            const expected = {
              target: FORMS[name]!.program,
              method: methodOf(name),
              args: given,
              value: spent,
            }
            return isDeepStrictEqual(calls, [expected])
          }),
          { numRuns: 20 },
        ),
      name,
    )
  }
})

function seeded(args: Readonly<Record<string, Value>>): Record<string, Value> {
  const { from, seed, owner } = args as Record<string, string>
  return { ...args, base: from!, newAccount: derived(from!, seed!, owner!) }
}

/** One draft with each instruction, all of whose accounts differ. */
function drafts(): readonly (readonly [name: string, Draft])[] {
  return Object.keys(FORMS).map((name) => {
    const args = Object.fromEntries(
      parameters(name).map(([kind, given], i): [string, Value] => [given, kind === 'u64' || kind === 'role' ? 7n : other(100 + i)]),
    )
    const given = name === 'System.CreateAccountWithSeed' ? seeded({ ...args, seed: 'a seed' }) : args
    return [name, draft(step(name, given))]
  })
}

t.test('an account or a byte too many or too few is refused', async (t) => {
  for (const [name, { steps }] of drafts()) {
    const [only] = steps as [Step]
    if (name !== 'Memo.Memo') {
      t.throws(() => decode(draft({ ...only, data: Uint8Array.of(...only.data, 0) })), { code: 'DECODE_FAILED' }, `${name}: a byte more`)
      t.throws(
        () => decode(draft({ ...only, accounts: only.accounts.slice(1) })),
        { message: name === 'Stake.Withdraw+' ? /as fixed2; it must be/ : /accounts; it must have/ },
        `${name}: an account less`,
      )
    }
    if (parameters(name).some(([kind]) => kind === 'u64' || kind === 'key' || kind === 'role')) {
      t.throws(() => decode(draft({ ...only, data: only.data.slice(0, -1) })), { message: /ends within/ }, `${name}: a byte less`)
    }
    t.throws(
      () => decode(draft({ ...only, accounts: [...only.accounts, meta('r', other(9))] })),
      // The sixth account of a withdrawal is a custodian, who signs.
      { message: name === 'Stake.Withdraw' ? /is not a signer; an instruction needs that/ : /it must have/ },
      `${name}: an account more`,
    )
  }
})

t.test('a right that an instruction does not need is refused, and so is the lack of one', async (t) => {
  for (const [name, written] of drafts()) {
    const [only] = written.steps as [Step]
    for (const [i, account] of only.accounts.entries()) {
      const where = `${name}, account ${i}`
      const change = (rights: Partial<typeof account>) =>
        decode(draft({ ...only, accounts: only.accounts.map((each, j) => (j === i ? { ...each, ...rights } : each)) }))
      const turned = { signer: !account.signer }
      const said = account.signer ? /is not a signer; an instruction needs that/ : /is a signer; no instruction needs that/
      t.throws(() => change(turned), { code: 'DECODE_FAILED', message: said }, `${where}: signer`)
      const wording = account.writable ? /is not writable; an instruction needs that/ : /is writable; no instruction needs that/
      t.throws(() => change({ writable: !account.writable }), { code: 'DECODE_FAILED', message: wording }, `${where}: writable`)
    }
    for (const rights of ['s', 'w']) {
      t.throws(
        () => decode({ ...written, extra: [meta(rights, only.program)] }),
        { message: /no instruction needs that/ },
        `${name}: its program`,
      )
    }
  }
})

t.test('another account in the place of a fixed one is refused', async (t) => {
  for (const [name, { steps }] of drafts()) {
    const [only] = steps as [Step]
    const free = new Set(parameters(name).map(([, given]) => given))
    const places = FORMS[name]!.accounts.split(' ').filter((part) => part !== '')
    for (const [i, place] of places.entries()) {
      if (free.has(place.split(':')[1]!)) continue
      const accounts = only.accounts.map((each, j) => (j === i ? { ...each, address: other(9) } : each))
      t.throws(() => decode(draft({ ...only, accounts })), { message: / as \w+; it must be / }, `${name}, account ${i}`)
    }
  }
})

t.test('an instruction that is not read becomes a call that says so', async (t) => {
  const cases: readonly (readonly [string, Uint8Array, string])[] = [
    [STAKE, u32(6), 'unknown Stake instruction 0x06000000'],
    [STAKE, u32(0xffffffff), 'unknown Stake instruction 0xffffffff'],
    [STAKE, Uint8Array.of(5), 'unknown Stake instruction'],
    [STAKE, new Uint8Array(), 'unknown Stake instruction'],
    [SYSTEM, u32(7), 'unknown System instruction 0x07000000'],
    [TOKEN, Uint8Array.of(4, ...u64(9n)), 'unknown instruction'],
    [FORMS['AssociatedToken.CreateIdempotent']!.program, new Uint8Array(), 'unknown AssociatedToken instruction'],
    [FORMS['AssociatedToken.CreateIdempotent']!.program, Uint8Array.of(2), 'unknown AssociatedToken instruction 0x02'],
    [POOL, Uint8Array.of(11), 'unknown StakePool instruction 0x0b'],
    [BUDGET, Uint8Array.of(1, ...u32(65536)), 'unknown ComputeBudget instruction'],
    [BUDGET, new Uint8Array(), 'unknown ComputeBudget instruction'],
    [other(77), Uint8Array.of(1, 2), 'unknown instruction'],
  ]
  for (const [program, data, method] of cases) {
    const hidden = { program, accounts: [meta('w', other(5)), meta('s', WALLET)], data }
    const [first, second, ...rest] = decode(draft(deactivate, hidden)).calls
    t.equal(first!.method, 'Stake.Deactivate(stake, authority)')
    t.strictSame(second, { target: program, method, args: { accounts: [other(5), WALLET], data: hex(data) }, value: 0n }, method)
    t.strictSame(rest, [])
  }
})

t.test('the compute budget bounds the fee', async (t) => {
  t.strictSame(decode(draft(deactivate)).terms, { blockhash: HASH })
  t.equal(decode(draft(deactivate)).maxFee, 5000n)
  t.equal(decode(draft(limit(20_000n), deactivate)).maxFee, 5000n)
  t.equal(decode(draft(limit(20_000n), price(1n), deactivate)).maxFee, 5001n, 'rounded up')
  t.equal(decode(draft(limit(1_000_000n), price(3n), deactivate)).maxFee, 5003n)
  t.equal(decode(draft(price(1_000_000n), deactivate)).maxFee, 1_405_000n, 'without a limit, the most that a transaction may compute')
  t.equal(
    decode(draft(price(2n ** 64n - 1n), limit(2n ** 32n - 1n), deactivate)).maxFee,
    5000n + ((2n ** 64n - 1n) * (2n ** 32n - 1n) + 999_999n) / 1_000_000n,
  )
  t.equal(decode({ ...draft(deactivate), feePayer: other(9) }).maxFee, 10_000n, 'two signatures')
  t.strictSame(decode(draft(price(7n), deactivate)).terms, { blockhash: HASH, unitPrice: 7n })
})

t.test('a compute budget set twice, late, with accounts or of another length is refused', async (t) => {
  const cases: readonly (readonly [RegExp, ...Step[]])[] = [
    [/sets unitPrice again/, price(1n), price(2n), deactivate],
    [/sets unitLimit again/, limit(1n), limit(1n), deactivate],
    [/must stand before every call/, deactivate, price(2n)],
    [/must stand before every call/, advance, deactivate, limit(2n)],
    [/has 1 accounts; it must have none/, { ...price(1n), accounts: [meta('r', CLOCK)] }, deactivate],
    [/has 5 bytes/, { ...limit(1n), data: Uint8Array.of(...limit(1n).data, 0) }, deactivate],
    [/ends within unitPrice/, { ...price(1n), data: price(1n).data.slice(0, -1) }, deactivate],
  ]
  for (const [message, ...steps] of cases) t.throws(() => decode(draft(...steps)), { code: 'DECODE_FAILED', message }, String(message))
})

t.test('a nonce account is advanced by the first instruction or not at all', async (t) => {
  t.strictSame(decode(draft(advance, limit(5n), price(1n), deactivate)).terms, { nonce: HASH, unitLimit: 5n, unitPrice: 1n })
  t.throws(() => decode(draft(limit(5n), advance, deactivate)), { message: /instruction 1 advances a nonce account/ })
  t.throws(() => decode(draft(deactivate, advance)), { message: /only as the first instruction/ })
  t.throws(() => decode(draft(advance, advance, deactivate)), { message: /instruction 1 advances/ })
})

t.test('only an account that the transaction creates may have signed', async (t) => {
  const signature = new Uint8Array(64).fill(1)
  const stake = vectorOf('stake in a fresh')
  const [, created] = stake.signers
  t.equal(decode(draftOf(stake)).terms.signed, created)
  t.strictSame(Object.keys(decode({ ...draftOf(stake), signatures: {} }).terms), ['unitLimit', 'unitPrice', 'blockhash'])
  t.throws(() => decode({ ...draftOf(stake), signatures: { [WALLET]: signature } }), { message: /AKnL.* has signed already/ })
  t.throws(() => decode({ ...draft(deactivate), signatures: { [WALLET]: signature } }), { message: /has signed already/ })
  const borrowed = step('Stake.Deactivate', { stake: other(5), authority: other(6) })
  t.throws(() => decode({ ...draft(borrowed), signatures: { [other(6)]: signature } }), { message: /has signed already/ })
  const itself = step('System.CreateAccount', { from: WALLET, newAccount: WALLET, lamports: 1n, space: 0n, owner: STAKE })
  t.throws(() => decode({ ...draft(itself), signatures: { [WALLET]: signature } }), { message: /has signed already/ })
})

t.test('a program is the one at the address of its layout, and no other', async (t) => {
  const devnet = 'DPoo15wWDqpPJJtS2MUZ49aRxqz5ZaaJCJP4z8bLuib'
  const deposit = callsOf(vectorOf('deposit'))[1] as Call
  const there = draft(stepOf({ ...deposit, target: devnet }))
  t.equal(decode(there, layoutsAt(devnet)).calls[0]!.method, deposit.method)
  t.equal(decode(there).calls[0]!.method, 'unknown instruction')
  t.equal(decode(draft(stepOf(deposit)), layoutsAt(devnet)).calls[0]!.method, 'unknown instruction')
})

t.test('without layouts only what any transaction may carry is read', async (t) => {
  const { calls, terms } = decodeSvm(craftOf(compile(draft(advance, limit(5n), price(1n), deactivate))))
  t.strictSame(terms, { nonce: HASH, unitLimit: 5n, unitPrice: 1n })
  t.strictSame(calls[0], nonceAdvance(other(6), WALLET))
  t.match(calls[1], { target: STAKE, method: 'unknown instruction', args: { data: '0x05000000' } })
})

t.test('an account that several instructions name has the rights of all of them', async (t) => {
  const twice = draft(
    step('Stake.Withdraw', { stake: other(5), recipient: WALLET, authority: WALLET, lamports: 1n }),
    step('Stake.DelegateStake', { stake: other(6), vote: other(5), authority: WALLET }),
  )
  t.equal(decode(twice).calls.length, 2)
})
