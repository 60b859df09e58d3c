import { createHash, createPublicKey, verify } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { type Call, decodeSvm, type Value } from '../../src/index.ts'
import { base58 } from '../../src/svm/base58.ts'
import { bytes, hex } from '../support/vectors.ts'
import { BUDGET, CLOCK, derived, FORMS, limit, meta, POOL, parameters, price, STAKE, SYSTEM, step, stepOf, TOKEN } from './support/steps.ts'
import { callsOf, craft, draftOf, termsOf, vectorOf, vectors } from './support/vectors.ts'
import { compile, craftOf, type Draft, partsOf, type Step, u32, u64 } from './support/write.ts'

const WALLET = vectors[0]!.signers[0]!
const HASH = vectors[0]!.blockhash!
const other = (fill: number) => base58(new Uint8Array(32).fill(fill))
const decode = (draft: Draft, stakePool?: string) => decodeSvm(craftOf(compile(draft)), stakePool === undefined ? {} : { stakePool })
const draft = (...steps: Step[]): Draft => ({ feePayer: WALLET, blockhash: HASH, steps })
const deactivate = step('Stake.Deactivate', { stake: other(5), authority: WALLET })
const advance = step('System.AdvanceNonceAccount', { nonceAccount: other(6), authority: WALLET })

t.test('every vector is read as what it does', async (t) => {
  for (const vector of vectors) {
    t.strictSame(
      decodeSvm(craft(vector)),
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
  for (const vector of vectors) t.strictSame(decode(draftOf(vector)), decodeSvm(craft(vector)), vector.name)
})

const address = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(base58)
const VALUES: Readonly<Record<string, fc.Arbitrary<Value>>> = {
  u64: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  i64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  role: fc.constantFrom('staker', 'withdrawer'),
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
              method: `${name}(${list.map(([, it]) => it).join(', ')})`,
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
      parameters(name).map(([kind, given], i): [string, Value] => [
        given,
        kind === 'u64' ? 7n : kind === 'role' ? 'staker' : other(100 + i),
      ]),
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
        { message: /accounts; it must have/ },
        `${name}: an account less`,
      )
    }
    if (parameters(name).some(([kind]) => kind === 'u64' || kind === 'key' || kind === 'role')) {
      t.throws(() => decode(draft({ ...only, data: only.data.slice(0, -1) })), { message: /ends within/ }, `${name}: a byte less`)
    }
    t.throws(
      () => decode(draft({ ...only, accounts: [...only.accounts, meta('r', other(9))] })),
      { message: /it must have/ },
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

t.test('an account derived from a seed must be the one that follows from it', async (t) => {
  const right = seeded({ from: WALLET, seed: 'stake:0', lamports: 1n, space: 200n, owner: STAKE })
  t.equal(
    decode(draft(step('System.CreateAccountWithSeed', right))).calls[0]!.args.newAccount,
    '2pzMUyXtmL2mMo1229sWS38GnfdQjcTFuR5DkNAqv3Lr',
  )
  const wrong: readonly Record<string, Value>[] = [{ newAccount: other(9) }, { seed: 'stake:1' }, { owner: SYSTEM }]
  for (const change of wrong) {
    t.throws(() => decode(draft(step('System.CreateAccountWithSeed', { ...right, ...change }))), { message: /it must make/ })
  }
  const base = { ...right, base: other(9), newAccount: derived(other(9), 'stake:0', STAKE) }
  t.throws(() => decode(draft(step('System.CreateAccountWithSeed', base))), { message: /the base .* must be who pays/ })
  const long = 'x'.repeat(33)
  const longer = { ...right, seed: long, newAccount: derived(WALLET, long, STAKE) }
  t.throws(() => decode(draft(step('System.CreateAccountWithSeed', longer))), { message: /seed has 33 bytes; it may have 32/ })
  const broken = step('System.CreateAccountWithSeed', right)
  broken.data[4 + 32 + 8] = 0xff
  t.throws(() => decode(draft(broken)), { message: /no UTF-8/ })
})

t.test('a role that is neither of the two is refused', async (t) => {
  const authorize = step('Stake.Authorize', { stake: other(5), authority: WALLET, newAuthority: other(9), role: 'withdrawer' })
  t.equal(decode(draft(authorize)).calls[0]!.args.role, 'withdrawer')
  authorize.data.set(u32(2), 4 + 32)
  t.throws(() => decode(draft(authorize)), { message: /role is 2; it must be 0, the staker, or 1, the withdrawer/ })
})

t.test('an instruction that is not read becomes a call that says so', async (t) => {
  const cases: readonly (readonly [string, Uint8Array, string])[] = [
    [STAKE, u32(6), 'unknown Stake.SetLockup'],
    [STAKE, u32(3), 'unknown Stake.Split'],
    [STAKE, u32(99), 'unknown Stake instruction 99'],
    [STAKE, u32(0xffffffff), 'unknown Stake instruction 4294967295'],
    [STAKE, Uint8Array.of(5), 'unknown Stake instruction'],
    [STAKE, new Uint8Array(), 'unknown Stake instruction'],
    [SYSTEM, u32(7), 'unknown System.AuthorizeNonceAccount'],
    [SYSTEM, u32(1), 'unknown System.Assign'],
    [TOKEN, Uint8Array.of(4, ...u64(9n)), 'unknown Token.Approve'],
    [TOKEN, Uint8Array.of(3, ...u64(9n)), 'unknown Token.Transfer'],
    [FORMS['AssociatedToken.CreateIdempotent']!.program, new Uint8Array(), 'unknown AssociatedToken instruction'],
    [FORMS['AssociatedToken.CreateIdempotent']!.program, Uint8Array.of(2), 'unknown AssociatedToken.RecoverNested'],
    [POOL, Uint8Array.of(11), 'unknown StakePool.SetManager'],
    [BUDGET, Uint8Array.of(1, ...u32(65536)), 'unknown ComputeBudget.RequestHeapFrame'],
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

t.test('the stake pool program is the given one, and no other', async (t) => {
  const devnet = 'DPoo15wWDqpPJJtS2MUZ49aRxqz5ZaaJCJP4z8bLuib'
  const deposit = callsOf(vectorOf('deposit'))[1] as Call
  const there = draft(stepOf({ ...deposit, target: devnet }))
  t.equal(decode(there, devnet).calls[0]!.method, deposit.method)
  t.equal(decode(there).calls[0]!.method, 'unknown instruction')
  t.equal(decode(draft(stepOf(deposit)), devnet).calls[0]!.method, 'unknown instruction')
  t.equal(decode(draft(deactivate), STAKE).calls[0]!.method, 'Stake.Deactivate(stake, authority)', 'takes no other program’s place')
  for (const wrong of ['', 'x', `${WALLET}1`, 7, null]) {
    t.throws(() => decodeSvm(craft(vectors[0]!), { stakePool: wrong as never }), { message: /programs.stakePool is .* base58 of 32 bytes/ })
  }
  t.throws(() => decodeSvm(craft(vectors[0]!), null as never), { message: /programs is null/ })
})

t.test('an account that several instructions name has the rights of all of them', async (t) => {
  const twice = draft(
    step('Stake.Withdraw', { stake: other(5), recipient: WALLET, authority: WALLET, lamports: 1n }),
    step('Stake.DelegateStake', { stake: other(6), vote: other(5), authority: WALLET }),
  )
  t.equal(decode(twice).calls.length, 2)
})
