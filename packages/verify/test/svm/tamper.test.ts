import t from 'tap'
import { base58 } from '../../src/bytes/base58.ts'
import type { Call, Effects, Value } from '../../src/index.ts'
import { type SvmCraft, verifySvm } from '../../src/svm/index.ts'
import { limit, meta, price, STAKE, SYSTEM, step, TOKEN } from './support/steps.ts'
import { callsOf, craft, draftOf, promiseOf, type SvmVector, vectorOf, vectors } from './support/vectors.ts'
import { compile, craftOf, type Draft, type Step, u32, u64 } from './support/write.ts'

const WALLET = vectors[0]!.signers[0]!
const THIEF = base58(new Uint8Array(32).fill(0x33))
const STAKE_ACCOUNT = base58(new Uint8Array(32).fill(0x44))
const NOBODY = '11111111111111111111111111111111'

function differences(vector: SvmVector, given: SvmCraft) {
  const { effects, bounds } = promiseOf(vector)
  return verifySvm(given, effects, bounds)
}

const paths = (vector: SvmVector, given: SvmCraft) => differences(vector, given).map(({ path }) => path)
const written = (draft: Draft) => craftOf(compile(draft))

/** Why the transaction is refused as a whole; empty when it is not. */
function reason(vector: SvmVector, draft: Draft): string {
  const [first, ...rest] = differences(vector, written(draft))
  return first?.path === 'bytes' && rest.length === 0 ? first.found : ''
}

t.test('every vector does what was promised, with its terms and without', async (t) => {
  for (const vector of vectors) {
    const { effects, bounds } = promiseOf(vector)
    t.strictSame(verifySvm(craft(vector), effects, bounds), [], vector.name)
    const { terms: _, ...loose } = bounds
    t.strictSame(verifySvm(craft(vector), effects, loose), [])
    t.strictSame(verifySvm(written(draftOf(vector)), effects, bounds), [], 'and so does what these tests write')
  }
})

t.test('any other bit is noticed, except within a signature that is already there', async (t) => {
  for (const vector of vectors) {
    const whole = Buffer.from(vector.unsigned, 'hex')
    const accepted = new Set<number>()
    for (let at = 0; at < whole.length; at++) {
      for (const mask of [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff]) {
        const changed = Buffer.from(whole)
        changed[at]! ^= mask
        if (paths(vector, { unsigned_tx_hex: changed.toString('hex') }).length === 0) accepted.add(at)
      }
    }
    const signature = vector.signed === undefined ? [] : Array.from({ length: 64 }, (_, i) => 65 + i)
    t.strictSame([...accepted], signature, vector.name)
  }
})

/** Instructions that a thief would hide, all signed with the signature that the wallet gives anyway. */
const HIDDEN: readonly (readonly [found: string, hidden: Step])[] = [
  ['Stake.Authorize(', step('Stake.Authorize', { stake: STAKE_ACCOUNT, authority: WALLET, newAuthority: THIEF, role: 1n })],
  ['Stake.Authorize(', step('Stake.Authorize', { stake: STAKE_ACCOUNT, authority: WALLET, newAuthority: THIEF, role: 0n })],
  ['Stake.Withdraw(', step('Stake.Withdraw', { stake: STAKE_ACCOUNT, recipient: THIEF, authority: WALLET, lamports: 1n })],
  ['Stake.Deactivate(', step('Stake.Deactivate', { stake: STAKE_ACCOUNT, authority: WALLET })],
  ['Stake.DelegateStake(', step('Stake.DelegateStake', { stake: STAKE_ACCOUNT, vote: THIEF, authority: WALLET })],
  ['System.Transfer(', step('System.Transfer', { from: WALLET, to: THIEF, lamports: 1n })],
  ['Memo.Memo(', step('Memo.Memo', { memo: 'hello' })],
  // Lockup without time, with the epoch 2^64 - 1 and the thief as custodian.
  [
    'unknown Stake instruction 0x06000000',
    raw(STAKE, Uint8Array.of(...u32(6), 0, 1, ...u64(2n ** 64n - 1n), 0), ['w', STAKE_ACCOUNT], ['s', WALLET]),
  ],
  [
    'unknown Stake instruction 0x03000000',
    raw(STAKE, Uint8Array.of(...u32(3), ...u64(1n)), ['w', STAKE_ACCOUNT], ['w', THIEF], ['s', WALLET]),
  ],
  [
    'unknown Stake instruction 0x0a000000',
    raw(STAKE, Uint8Array.of(...u32(10), ...u32(1)), ['w', STAKE_ACCOUNT], ['s', WALLET], ['s', THIEF]),
  ],
  ['unknown Stake instruction 0x07000000', raw(STAKE, u32(7), ['w', THIEF], ['w', STAKE_ACCOUNT], ['s', WALLET])],
  [
    'unknown System instruction 0x07000000',
    raw(SYSTEM, Uint8Array.of(...u32(7), ...new Uint8Array(32).fill(0x33)), ['w', STAKE_ACCOUNT], ['s', WALLET]),
  ],
  [
    'System.WithdrawNonceAccount(',
    step('System.WithdrawNonceAccount', { nonceAccount: STAKE_ACCOUNT, recipient: THIEF, authority: WALLET, lamports: 1n }),
  ],
  [
    'Stake.Withdraw(stake, recipient, authority, custodian, lamports)',
    step('Stake.Withdraw+', { stake: STAKE_ACCOUNT, recipient: THIEF, authority: WALLET, custodian: WALLET, lamports: 1n }),
  ],
  ['unknown System instruction 0x01000000', raw(SYSTEM, Uint8Array.of(...u32(1), ...new Uint8Array(32).fill(0x33)), ['sw', WALLET])],
  ['unknown instruction on Token', raw(TOKEN, Uint8Array.of(4, ...u64(9n)), ['w', STAKE_ACCOUNT], ['r', THIEF], ['s', WALLET])],
  ['unknown instruction on Token', raw(TOKEN, Uint8Array.of(3, ...u64(9n)), ['w', STAKE_ACCOUNT], ['w', THIEF], ['s', WALLET])],
  ['unknown instruction', raw(THIEF, new Uint8Array(), ['sw', WALLET], ['r', STAKE])],
]

function raw(program: string, data: Uint8Array, ...accounts: readonly (readonly [rights: string, address: string])[]): Step {
  return { program, data, accounts: accounts.map(([rights, address]) => meta(rights, address)) }
}

t.test('an instruction hidden at the end is reported, with what it is', async (t) => {
  for (const vector of vectors) {
    const draft = draftOf(vector)
    const last = `calls[${vector.calls.length}]`
    for (const [found, hidden] of HIDDEN) {
      const given = differences(vector, written({ ...draft, steps: [...draft.steps, hidden] }))
      const extra = given.find(({ path }) => path === last)
      t.equal(extra?.expected, 'nothing')
      t.ok(extra?.found.startsWith(found), `${vector.name}: ${extra?.found}`)
      if (!hidden.accounts.some(({ address, signer }) => signer && address === THIEF)) t.strictSame(given.length, 1, 'and nothing else is')
    }
  }
})

t.test('an instruction hidden between the others is reported', async (t) => {
  for (const vector of vectors) {
    const { steps, ...draft } = draftOf(vector)
    const first = steps.length - vector.calls.length + (vector.nonce === undefined ? 0 : 1)
    for (const [, hidden] of HIDDEN) {
      for (let at = first; at < steps.length; at++) {
        const given = paths(vector, written({ ...draft, steps: [...steps.slice(0, at), hidden, ...steps.slice(at)] }))
        t.ok(given.includes(`calls[${vector.calls.length}]`) || given.join() === 'bytes', vector.name)
      }
    }
  }
})

t.test('an instruction hidden where the nonce account is advanced makes another transaction of it', async (t) => {
  const vector = vectorOf('stake in a derived')
  const { steps, ...draft } = draftOf(vector)
  const [, authorize] = HIDDEN[0]!
  t.match(reason(vector, { ...draft, steps: [authorize, ...steps] }), /instruction 1 advances a nonce account/)
})

t.test('instructions in another order, twice, or left out are reported', async (t) => {
  for (const vector of vectors) {
    const calls = callsOf(vector)
    const count = calls.length
    if (count > 1 && vector.nonce === undefined) {
      t.ok(paths(vector, written(draftOf(vector, calls.toReversed()))).includes('calls[0].method'), vector.name)
    }
    t.strictSame(paths(vector, written(draftOf(vector, [...calls, calls[count - 1]!]))), [`calls[${count}]`])
    const { steps, ...draft } = draftOf(vector)
    const left = paths(vector, written({ ...draft, steps: steps.slice(0, -1) }))
    t.ok(left.includes(`calls[${count - 1}]`) || left.join() === 'bytes')
  }
})

t.test('any other account, authority, amount or text in any call is reported where it is', async (t) => {
  for (const vector of vectors) {
    const calls = callsOf(vector)
    for (const [i, call] of calls.entries()) {
      for (const name of Object.keys(call.args)) {
        const changed = calls.map((each, j) => (j === i ? { ...each, args: { ...each.args, [name]: altered(each.args[name]!) } } : each))
        const given = paths(vector, written(draftOf(vector, changed)))
        const expected = `calls[${i}].args.${name}`
        // Without its creation, nobody expects that the fresh account has signed.
        const orphaned = call.method.startsWith('System.CreateAccount(') && name === 'newAccount' && given.join() === 'bytes'
        t.ok(given.includes(expected) || orphaned, `${vector.name}: ${expected} among ${given.join()}`)
      }
    }
  }
})

function altered(value: Value): Value {
  if (typeof value === 'bigint') return value + 1n
  return value === WALLET || value === NOBODY || (value as string).length > 30 ? THIEF : `${value as string}x`
}

t.test('a wrong authority, custodian or lockup of a new stake account is all that is reported', async (t) => {
  const vector = vectorOf('stake in a fresh')
  const calls = callsOf(vector)
  const cases: readonly (readonly [Record<string, Value>, readonly string[]])[] = [
    [{ staker: THIEF }, ['calls[1].args.staker']],
    [{ withdrawer: THIEF }, ['calls[1].args.withdrawer']],
    [{ staker: THIEF, withdrawer: THIEF }, ['calls[1].args.staker', 'calls[1].args.withdrawer']],
    [{ custodian: THIEF }, ['calls[1].args.custodian']],
    [{ lockupTimestamp: 4_000_000_000n }, ['calls[1].args.lockupTimestamp']],
    [{ lockupTimestamp: -1n }, ['calls[1].args.lockupTimestamp']],
    [{ lockupEpoch: 9999n }, ['calls[1].args.lockupEpoch']],
  ]
  for (const [change, expected] of cases) {
    const changed = calls.map((call, i) => (i === 1 ? { ...call, args: { ...call.args, ...change } } : call))
    t.strictSame(paths(vector, written(draftOf(vector, changed))), expected)
  }
  const more = calls.map((call, i) => (i === 0 ? { ...call, args: { ...call.args, lamports: 1_502_282_881n } } : call))
  t.strictSame(paths(vector, written(draftOf(vector, more))), ['calls[0].args.lamports', 'calls[0].value'])
})

t.test('another recipient, amount or stake account of a withdrawal is all that is reported', async (t) => {
  const vector = vectorOf('withdraw everything')
  const [withdraw] = callsOf(vector) as [Call]
  for (const [name, value] of Object.entries({ recipient: THIEF, lamports: 1_502_282_879n, stake: STAKE_ACCOUNT })) {
    const changed = { ...withdraw, args: { ...withdraw.args, [name]: value } }
    t.strictSame(paths(vector, written(draftOf(vector, [changed]))), [`calls[0].args.${name}`])
  }
})

t.test('another nonce account, or one of somebody else, is reported', async (t) => {
  const vector = vectorOf('stake in a derived')
  const [advance, ...rest] = callsOf(vector) as [Call, ...Call[]]
  const changed = (args: Record<string, Value>) => written(draftOf(vector, [{ ...advance, args: { ...advance.args, ...args } }, ...rest]))
  t.strictSame(paths(vector, changed({ nonceAccount: STAKE_ACCOUNT })), ['calls[0].args.nonceAccount'])
  t.strictSame(paths(vector, changed({ authority: THIEF })), ['calls[0].args.authority', 'signers', 'maxFee'])
})

t.test('a nonce where a block hash was promised, and the reverse, is reported', async (t) => {
  const [durable, plain] = [vectorOf('stake in a derived'), vectorOf('unstake')]
  const [advance] = callsOf(durable) as [Call]
  const { steps, ...draft } = draftOf(plain)
  const made = written({ ...draft, steps: [step('System.AdvanceNonceAccount', advance.args), ...steps] })
  const given = paths(plain, made)
  t.ok(given.includes('calls[1]') && given.includes('terms.blockhash') && given.includes('terms.nonce'), given.join())
  const without = paths(durable, written({ ...draftOf(durable), steps: draftOf(durable).steps.slice(1) }))
  t.ok(without.includes('calls[3]') && without.includes('terms.nonce'), without.join())
})

t.test('somebody else who pays the fee, or signs, is reported', async (t) => {
  for (const vector of vectors) {
    const draft = draftOf(vector)
    const paid = paths(vector, written({ ...draft, feePayer: THIEF }))
    t.ok(paid.includes('signers') && paid.includes('maxFee'), `${vector.name}: ${paid.join()}`)
    t.match(reason(vector, { ...draft, extra: [meta('s', THIEF)] }), /is not used by any instruction/)
  }
})

t.test('a right too many is refused, for whatever account', async (t) => {
  for (const vector of vectors) {
    const draft = draftOf(vector)
    const metas = draft.steps.flatMap(({ program, accounts }) => [...accounts, meta('r', program)])
    const rights = (address: string, role: 'signer' | 'writable') =>
      address === draft.feePayer || metas.some((each) => each.address === address && each[role])
    for (const address of new Set(metas.map((each) => each.address))) {
      if (!rights(address, 'writable')) {
        t.match(
          reason(vector, { ...draft, extra: [meta('w', address)] }),
          /is writable; no instruction needs that/,
          `${vector.name}: ${address}`,
        )
      }
      if (!rights(address, 'signer')) {
        t.match(
          reason(vector, { ...draft, extra: [meta('s', address)] }),
          /is a signer; no instruction needs that/,
          `${vector.name}: ${address}`,
        )
      }
    }
  }
})

t.test('a right too many is refused next to an instruction that is not read, too', async (t) => {
  const vector = vectorOf('unstake')
  const { steps, ...draft } = draftOf(vector)
  const [, hidden] = HIDDEN.find(([found]) => found === 'unknown instruction on Token')!
  t.match(reason(vector, { ...draft, steps: [...steps, hidden], extra: [meta('w', STAKE)] }), /is writable; no instruction needs that/)
  const foreign = { ...draft, steps: [...steps, hidden], extra: [meta('w', STAKE_ACCOUNT)] }
  t.strictSame(paths(vector, written(foreign)), ['calls[1]'], 'of its own accounts nothing can be said, but it is reported')
})

t.test('a higher priority fee is reported', async (t) => {
  for (const vector of vectors) {
    const advance = vector.nonce === undefined ? 0 : 1
    const changed = (...budget: Step[]) => {
      const draft = draftOf(vector)
      const steps = draft.steps.filter(({ program }) => !program.startsWith('ComputeBudget'))
      return written({ ...draft, steps: steps.toSpliced(advance, 0, ...budget) })
    }
    const units = BigInt(vector.unitLimit)
    t.strictSame(paths(vector, changed(limit(units), price(1000n))), [], vector.name)
    t.strictSame(paths(vector, changed(limit(units), price(1_000_000n))), ['maxFee', 'terms.unitPrice'])
    t.strictSame(paths(vector, changed(limit(1_400_000n), price(1000n))), ['maxFee', 'terms.unitLimit'])
    t.strictSame(paths(vector, changed(price(1000n))), ['maxFee', 'terms.unitLimit'])
    t.strictSame(paths(vector, changed(limit(units))), ['terms.unitPrice'])
  }
})

t.test('an instruction that is not read equals nothing, even if the effects name it alike', async (t) => {
  const vector = vectorOf('unstake')
  const draft = draftOf(vector)
  const [, lockup] = HIDDEN.find(([found]) => found.endsWith('0x06000000'))!
  const call: Call = {
    target: STAKE,
    method: 'unknown Stake instruction 0x06000000',
    args: { accounts: lockup.accounts.map(({ address }) => address), data: `0x${Buffer.from(lockup.data).toString('hex')}` },
    value: 0n,
  }
  const { effects, bounds } = promiseOf(vector)
  const promised: Effects = { ...effects, calls: [...effects.calls, call] }
  t.strictSame(
    verifySvm(written({ ...draft, steps: [...draft.steps, lockup] }), promised, bounds).map(({ path }) => path),
    ['calls[1].method'],
  )
})

t.test('what cannot be read is one difference with the path bytes', async (t) => {
  const { effects, bounds } = promiseOf(vectors[0]!)
  for (const unsigned_tx_hex of ['', 'zz', '00']) {
    t.match(verifySvm({ unsigned_tx_hex }, effects, bounds), [{ path: 'bytes', expected: 'one unsigned transaction in canonical form' }])
  }
  t.match(verifySvm(craft(vectors[0]!), { ...effects, layouts: 'x' as never }, bounds), [{ path: 'bytes', found: /^layouts is "x"/ }])
})

t.test('effects of another shape are reported, never a reason to fail', async (t) => {
  const { bounds } = promiseOf(vectors[0]!)
  for (const effects of [null, undefined, {}, { signers: 'x', calls: 'y' }, { signers: [], calls: [] }]) {
    t.not(verifySvm(craft(vectors[0]!), effects as never, bounds).length, 0)
  }
})
