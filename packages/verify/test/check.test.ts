import fc from 'fast-check'
import t from 'tap'
import { type Bounds, type Call, check, type Decoded, type Effects, type Value } from '../src/index.ts'

const call: Call = {
  target: '0x00000000000000000000000000000000000010AB',
  method: 'undelegate(uint64 validator, uint256 amount, uint8 slot)',
  args: { validator: 12n, amount: 15n * 10n ** 17n, slot: 7n },
  value: 0n,
}
const decoded: Decoded = {
  chainId: '143',
  signers: ['alice', 'bob'],
  maxFee: 100n,
  calls: [call],
  terms: { nonce: 4n, gasPrice: 10n, gasLimit: 10n },
}
const effects: Effects = { signers: ['alice', 'bob'], calls: [call] }
const bounds: Bounds = { chainId: '143', maxFee: 100n, terms: { nonce: 4n, gasPrice: 10n, gasLimit: 10n } }

/** Paths at which `change` of the only call differs. */
function callPaths(change: object): readonly string[] {
  return check({ ...decoded, calls: [{ ...call, ...change }] }, effects, bounds).map(({ path }) => path)
}

function argPaths(expected: unknown, found: unknown): readonly string[] {
  const having = (args: unknown) => [{ ...call, args: args as Call['args'] }]
  return check({ ...decoded, calls: having(found) }, { ...effects, calls: having(expected) }, bounds).map(({ path }) => path)
}

t.test('what is exactly as promised has no mismatch', async (t) => {
  t.strictSame(check(decoded, effects, bounds), [])
  t.strictSame(check({ ...decoded, maxFee: 99n }, effects, bounds), [], 'a lower fee')
})

t.test('a difference is reported with its path and both sides', async (t) => {
  const found = check({ ...decoded, calls: [{ ...call, args: { ...call.args, amount: 1n } }] }, effects, bounds)
  t.strictSame(found, [{ path: 'calls[0].args.amount', expected: '1500000000000000000', found: '1' }])
})

t.test('every part of a call is compared', async (t) => {
  t.strictSame(callPaths({ target: '0x00000000000000000000000000000000000010ac' }), ['calls[0].target'])
  t.strictSame(callPaths({ method: '' }), ['calls[0].method'])
  t.strictSame(callPaths({ value: 1n }), ['calls[0].value'])
  t.strictSame(callPaths({ args: { ...call.args, slot: 8n } }), ['calls[0].args.slot'])
  t.strictSame(callPaths({ args: { validator: 12n, slot: 7n } }), ['calls[0].args.amount'])
  t.strictSame(callPaths({ args: { ...call.args, receiver: '0x12' } }), ['calls[0].args.receiver'])
})

t.test('all differences are reported, not only the first', async (t) => {
  const wrong = { ...decoded, chainId: '1', maxFee: 101n, signers: ['eve'], calls: [{ ...call, target: '0x', value: 3n }] }
  t.strictSame(
    check(wrong, effects, bounds).map(({ path }) => path),
    ['calls[0].target', 'calls[0].value', 'signers', 'chainId', 'maxFee'],
  )
})

t.test('a method is compared to the letter', async (t) => {
  t.strictSame(callPaths({ method: call.method.replace('slot', 'Slot') }), ['calls[0].method'])
  t.strictSame(callPaths({ method: call.method.replaceAll(' ', '') }), ['calls[0].method'])
})

t.test('an unknown method equals nothing, not even itself', async (t) => {
  const unknown = { ...call, method: 'unknown 0x12345678', args: { data: '0x12345678' } }
  const found = check({ ...decoded, calls: [unknown] }, { ...effects, calls: [unknown] }, bounds)
  t.strictSame(
    found.map(({ path }) => path),
    ['calls[0].method'],
  )
})

t.test('missing, extra and exchanged calls are reported', async (t) => {
  const other: Call = { ...call, method: 'claim()', args: {} }
  t.strictSame(check({ ...decoded, calls: [] }, effects, bounds), [
    {
      path: 'calls[0]',
      expected: `${call.method} on ${call.target} with (validator: 12, amount: 1500000000000000000, slot: 7) and value 0`,
      found: 'nothing',
    },
  ])
  const paths = (found: readonly Call[], expected: readonly Call[]) =>
    check({ ...decoded, calls: found }, { ...effects, calls: expected }, bounds).map(({ path }) => path)
  t.strictSame(paths([call, other], [call]), ['calls[1]'])
  t.strictSame(paths([call, call], [call]), ['calls[1]'], 'the same call twice is one too many')
  t.ok(paths([call, other], [other, call]).length > 0)
  t.strictSame(paths([call, other], [call, other]), [])
})

t.test('hex compares without regard to case, other texts exactly', async (t) => {
  t.strictSame(callPaths({ target: call.target.toLowerCase() }), [])
  t.strictSame(argPaths({ a: '0xABcd' }, { a: '0xabCD' }), [])
  t.strictSame(argPaths({ a: 'Stake' }, { a: 'stake' }), ['calls[0].args.a'])
  t.strictSame(argPaths({ a: '0xfg' }, { a: '0xFg' }), ['calls[0].args.a'])
  t.strictSame(argPaths({ a: '0x1' }, { a: '0x01' }), ['calls[0].args.a'])
  t.strictSame(argPaths({ a: 'ab' }, { a: '0xab' }), ['calls[0].args.a'])
})

t.test('an integer never equals a text, nor a truth value an integer', async (t) => {
  t.strictSame(argPaths({ a: 1n }, { a: '1' }), ['calls[0].args.a'])
  t.strictSame(argPaths({ a: '0x1' }, { a: 1n }), ['calls[0].args.a'])
  t.strictSame(argPaths({ a: true }, { a: 1n }), ['calls[0].args.a'])
  t.strictSame(argPaths({ a: true }, { a: false }), ['calls[0].args.a'])
  t.strictSame(argPaths({ a: [1n] }, { a: 1n }), ['calls[0].args.a'])
  t.strictSame(check({ ...decoded, chainId: 143n as unknown as string }, effects, bounds), [
    { path: 'chainId', expected: '143 (a text)', found: '143 (an integer)' },
  ])
})

t.test('lists and tuples compare item by item, in order', async (t) => {
  const nested = { a: ['0xAB', [1n, true, 'x']] }
  t.strictSame(argPaths(nested, { a: ['0xab', [1n, true, 'x']] }), [])
  t.strictSame(argPaths(nested, { a: ['0xab', [2n, true, 'X']] }), ['calls[0].args.a[1][0]', 'calls[0].args.a[1][2]'])
  t.strictSame(argPaths({ a: [1n, 2n] }, { a: [2n, 1n] }), ['calls[0].args.a[0]', 'calls[0].args.a[1]'])
  t.strictSame(argPaths({ a: [1n] }, { a: [1n, 2n] }), ['calls[0].args.a'])
  t.strictSame(argPaths({ a: [] }, { a: [] }), [])
})

t.test('negative arguments compare, negative amounts never pass', async (t) => {
  t.strictSame(argPaths({ a: -5n }, { a: -5n }), [])
  const negative = [{ ...call, value: -1n }]
  t.strictSame(
    check({ ...decoded, calls: negative }, { ...effects, calls: negative }, bounds).map(({ path }) => path),
    ['calls[0].value'],
  )
  t.strictSame(
    check({ ...decoded, maxFee: -1n }, effects, bounds).map(({ path }) => path),
    ['maxFee'],
  )
  t.strictSame(
    check({ ...decoded, maxFee: -2n }, effects, { ...bounds, maxFee: -1n }).map(({ path }) => path),
    ['maxFee'],
  )
})

t.test('signers are compared exactly and in order where the bytes name them', async (t) => {
  const paths = (signers: readonly string[] | null) => check({ ...decoded, signers }, effects, bounds).map(({ path }) => path)
  t.strictSame(paths(null), [])
  t.strictSame(paths(['alice']), ['signers'])
  t.strictSame(paths(['alice', 'bob', 'eve']), ['signers'])
  t.strictSame(paths(['bob', 'alice']), ['signers[0]', 'signers[1]'])
})

t.test('keys are compared in both directions: bytes that name one equal no effects without it', async (t) => {
  const paths = (expected?: readonly string[], found?: readonly string[]) =>
    check({ ...decoded, ...(found ? { keys: found } : {}) }, { ...effects, ...(expected ? { keys: expected } : {}) }, bounds).map(
      ({ path }) => path,
    )
  t.strictSame(paths(), [])
  t.strictSame(paths(['ed25519:A'], ['ed25519:A']), [])
  t.strictSame(paths(['ed25519:A'], ['ed25519:B']), ['keys[0]'])
  t.strictSame(paths(undefined, ['ed25519:A']), ['keys'], 'a key that nobody was promised')
  t.strictSame(paths(['ed25519:A'], undefined), ['keys'], 'a key that the bytes do not name')
  t.strictSame(paths(['ed25519:A'], ['ed25519:A', 'ed25519:B']), ['keys'])
})

t.test('the chain is compared where the bytes name it', async (t) => {
  t.strictSame(check({ ...decoded, chainId: null }, effects, bounds), [])
  t.strictSame(check({ ...decoded, chainId: '1' }, effects, bounds), [{ path: 'chainId', expected: '143', found: '1' }])
})

t.test('the fee may not be above the bound', async (t) => {
  t.strictSame(check({ ...decoded, maxFee: 101n }, effects, bounds), [{ path: 'maxFee', expected: 'at most 100', found: '101' }])
})

t.test('terms are compared in both directions where they are given', async (t) => {
  const paths = (terms: Record<string, string | bigint>) => check(decoded, effects, { ...bounds, terms }).map(({ path }) => path)
  t.strictSame(check(decoded, effects, { chainId: '143', maxFee: 100n }), [])
  t.strictSame(paths({ nonce: 5n, gasPrice: 10n, gasLimit: 10n }), ['terms.nonce'])
  t.strictSame(paths({ nonce: 4n, gasPrice: 10n }), ['terms.gasLimit'])
  t.strictSame(paths({ nonce: 4n, gasPrice: 10n, gasLimit: 10n, blockhash: 'x' }), ['terms.blockhash'])
  t.strictSame(paths({}), ['terms.nonce', 'terms.gasPrice', 'terms.gasLimit'])
})

t.test('names of what every object inherits are arguments like others', async (t) => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    const args = Object.fromEntries([[name, 1n]])
    t.strictSame(argPaths(args, args), [], name)
    t.strictSame(argPaths(args, {}), [`calls[0].args.${name}`])
    t.strictSame(argPaths({}, args), [`calls[0].args.${name}`])
    t.strictSame(argPaths(args, Object.fromEntries([[name, 2n]])), [`calls[0].args.${name}`])
  }
  t.strictSame(argPaths({ a: 1n }, Object.create({ a: 1n })), ['calls[0].args.a'], 'an inherited value is none')
  t.strictSame(argPaths({}, { 'a b': 1n, [Symbol('s')]: 1n }), ['calls[0].args["a b"]', 'calls[0].args[Symbol(s)]'])
})

t.test('two values of no kind never equal each other', async (t) => {
  const shared = {}
  for (const value of [undefined, null, 1, Number.NaN, shared, () => 1, Symbol('x'), [undefined], new Array(1), [shared]]) {
    t.not(argPaths({ a: value }, { a: value }).length, 0)
  }
})

t.test('inputs of any other shape are mismatches and never throw', async (t) => {
  const cyclic: unknown[] = []
  cyclic.push(cyclic)
  const hostile = {
    get a(): bigint {
      throw new RangeError('no')
    },
  }
  t.strictSame(argPaths({ a: cyclic }, { a: cyclic }), ['input'])
  t.strictSame(argPaths({ a: 1n }, hostile), ['input'])
  for (const value of [undefined, null, 12, 'text', [], {}, [undefined], () => 1]) {
    t.not(check(value as unknown as Decoded, effects, bounds).length, 0)
    t.not(check(decoded, value as unknown as Effects, bounds).length, 0)
    t.not(check(decoded, effects, value as unknown as Bounds).length, 0)
    t.not(check({ ...decoded, calls: [value as unknown as Call] }, { ...effects, calls: [value as unknown as Call] }, bounds).length, 0)
    t.not(check(decoded, effects, { ...bounds, maxFee: value as unknown as bigint }).length, 0)
    // null says that the format names no signers.
    if (value !== null) t.not(check({ ...decoded, signers: value as unknown as string[] }, effects, bounds).length, 0)
  }
})

t.test('texts that differ beyond what is shown say where', async (t) => {
  const long = `0x${'ab'.repeat(3000)}`
  const having = (data: string) => [{ ...call, args: { data } }]
  const [mismatch] = check({ ...decoded, calls: having(`${long}01`) }, { ...effects, calls: having(`${long}02`) }, bounds)
  t.match(mismatch?.found, /different from character 6003\)$/)
  t.ok(mismatch!.found.length < 2200)
})

const value: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.bigInt(),
    fc.boolean(),
    fc.string(),
    fc.uint8Array({ maxLength: 8 }).map((data) => `0x${Buffer.from(data).toString('hex')}`),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
})).value

const someCall: fc.Arbitrary<Call> = fc.record({
  target: fc.string(),
  method: fc.string().map((text) => `m${text}`),
  args: fc.dictionary(fc.string(), value),
  value: fc.bigInt(0n, 2n ** 256n),
})

t.test('any calls equal themselves, and no other calls', async (t) => {
  const calls = fc.array(someCall, { maxLength: 3 })
  const paths = (found: readonly Call[], expected: readonly Call[]) =>
    check({ ...decoded, calls: found }, { ...effects, calls: expected }, bounds)
  fc.assert(fc.property(calls, (some) => paths(some, structuredClone(some)).length === 0))
  fc.assert(
    fc.property(calls, calls, (some, others) => {
      const alike = fc.stringify(some.map(sorted)).toLowerCase() === fc.stringify(others.map(sorted)).toLowerCase()
      return alike || paths(some, others).length > 0
    }),
  )
  t.pass('held')
})

function sorted({ target, method, args, value }: Call): unknown {
  return [target, method, Object.entries(args).sort(), value]
}
