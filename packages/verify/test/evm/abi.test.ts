import fc from 'fast-check'
import t from 'tap'
import { keccak256 } from '../../src/bytes/keccak.ts'
import { decodeArguments, encodeCall } from '../../src/evm/abi.ts'
import { decodeCall } from '../../src/evm/index.ts'
import { compileSignature } from '../../src/evm/signature.ts'
import type { Value } from '../../src/index.ts'
import { argsOf, bytes, hex, type JsonArgs, readVectors } from '../support/vectors.ts'

interface Vector {
  readonly method: string
  readonly args: JsonArgs
  readonly data: string
}

const solidity = readVectors<{ vectors: readonly Vector[] }>('abi-solidity').vectors
const { calls, hashes } = readVectors<{ calls: readonly Vector[]; hashes: readonly (Vector & { length: number; hash: string })[] }>(
  'evm-calls',
)
const refused = { code: 'DECODE_FAILED' }

function decode(method: string, data: string): Readonly<Record<string, Value>> {
  return decodeArguments(compileSignature(method), bytes(data))
}

/** Calldata of hand-written words; each is padded on the left. */
function words(method: string, ...hexWords: readonly string[]): string {
  return `0x${compileSignature(method).selector}${hexWords.map((word) => word.padStart(64, '0')).join('')}`
}

t.test('every example of the Solidity documentation is read and written', async (t) => {
  for (const { method, args, data } of solidity) {
    t.strictSame(decode(method, data), argsOf(args), method)
    t.equal(encodeCall(method, argsOf(args)), data)
  }
})

t.test('every staking call is read and written', async (t) => {
  for (const { method, args, data } of calls) {
    t.strictSame(decode(method, data), argsOf(args), method)
    t.equal(encodeCall(method, argsOf(args)), data)
  }
})

t.test('nested calls and tuples are written to the published hash and read back', async (t) => {
  for (const { method, args, length, hash } of hashes) {
    const data = encodeCall(method, argsOf(args))
    t.equal(data.length / 2 - 1, length)
    t.equal(hex(keccak256(bytes(data))), hash, method)
    t.strictSame(decode(method, data), argsOf(args))
  }
})

t.test('arguments come under their own names, whatever those are', async (t) => {
  const args = decode('f(uint8 __proto__, uint8 constructor)', words('f(uint8 a, uint8 b)', '1', '2'))
  t.same(Object.entries(args), [
    ['__proto__', 1n],
    ['constructor', 2n],
  ])
})

t.test('trailing and missing bytes are refused', async (t) => {
  for (const { method, data } of [...solidity, ...calls]) {
    t.throws(() => decode(method, `${data}00`), refused, method)
    t.throws(() => decode(method, data + '00'.repeat(32)), refused)
    t.throws(() => decode(method, data.slice(0, -2)), refused)
    t.throws(() => decode(method, data.slice(0, -64)), refused)
    t.throws(() => decode(method, data.slice(0, 10)), refused)
  }
  t.throws(() => decode('f()', `${words('f()')}00`), refused)
})

t.test('calldata of another method is refused', async (t) => {
  t.throws(() => decode('f(uint8 a)', words('g(uint8 a)', '1')), refused)
})

t.test('decodeCall reads one of the methods in canonical form, and nothing else', async (t) => {
  const methods = calls.map(({ method }) => method)
  for (const { method, args, data } of calls) {
    t.strictSame(decodeCall(data, methods), { method, args: argsOf(args) }, method)
    const others = methods.filter((each) => each !== method)
    for (const other of [data.slice(0, -2), `${data}00`, data.slice(2), `${data}0`]) t.equal(decodeCall(other, methods), null, method)
    t.equal(decodeCall(data, others), null, method)
  }
  for (const data of ['', '0x', '0x00', 'nonsense']) t.equal(decodeCall(data, methods), null, data)
  t.throws(() => decodeCall('0x', ['f(uint256 a)', 'f(uint256 b)']), refused)
})

t.test('encodeCall refuses arguments that do not fit', async (t) => {
  const wrong = { code: 'ENCODE_FAILED' }
  for (const [type, value] of [
    ['uint8', 256n],
    ['uint8', -1n],
    ['uint8', 1],
    ['uint8', '1'],
    ['int8', 128n],
    ['int8', -129n],
    ['bool', 1n],
    ['address', '0x12'],
    ['address', '12'.repeat(20)],
    ['bytes4', '0x123456'],
    ['bytes', '0x123'],
    ['bytes', 'text'],
    ['string', '\ud800'],
    ['string', 12n],
    ['uint8[]', 1n],
    ['uint8[]', new Array(2)],
    ['uint8[2]', [1n]],
    ['(uint8 a, uint8 b)', [1n]],
    ['(uint8 a, uint8 b)', { a: 1n, b: 1n }],
  ] as const) {
    t.throws(() => encodeCall(`f(${type} a)`, { a: value as Value }), wrong, `${type} ${String(value)}`)
  }
  t.throws(() => encodeCall('f(uint8 a)', {}), wrong)
  t.throws(() => encodeCall('f(uint8 toString)', {}), wrong)
  t.throws(() => encodeCall('f(uint8 a)', { a: 1n, b: 1n }), wrong)
  t.throws(() => encodeCall('f(uint8)', { a: 1n }), refused)
})

/** A type's text with an arbitrary of its values. */
interface Sort {
  readonly text: string
  readonly value: fc.Arbitrary<Value>
}

const width = fc.integer({ min: 1, max: 32 })
const sort: fc.Arbitrary<Sort> = fc.letrec<{ sort: Sort }>((tie) => ({
  sort: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(
      width.map((size) => ({ text: `uint${8 * size}`, value: fc.bigInt(0n, 2n ** BigInt(8 * size) - 1n) })),
      width.map((size) => ({ text: `int${8 * size}`, value: fc.bigInt(-(2n ** BigInt(8 * size - 1)), 2n ** BigInt(8 * size - 1) - 1n) })),
      width.map((size) => ({ text: `bytes${size}`, value: fc.uint8Array({ minLength: size, maxLength: size }).map(hex) })),
      fc.constant({ text: 'address', value: fc.uint8Array({ minLength: 20, maxLength: 20 }).map(hex) }),
      fc.constant({ text: 'bool', value: fc.boolean() }),
      fc.constant({ text: 'bytes', value: fc.uint8Array({ maxLength: 70 }).map(hex) }),
      fc.constant({ text: 'string', value: fc.string({ unit: 'binary', maxLength: 40 }) }),
    ),
    tie('sort').map(({ text, value }) => ({ text: `${text}[]`, value: fc.array(value, { maxLength: 4 }) })),
    fc.tuple(tie('sort'), fc.integer({ min: 1, max: 3 })).map(([{ text, value }, length]) => ({
      text: `${text}[${length}]`,
      value: fc.array(value, { minLength: length, maxLength: length }),
    })),
    fc.array(tie('sort'), { minLength: 1, maxLength: 3 }).map((members) => ({
      text: `(${members.map(({ text }, i) => `${text} m${i}`).join(', ')})`,
      value: fc.tuple(...members.map(({ value }) => value)) as fc.Arbitrary<Value>,
    })),
  ),
})).sort

const call = fc.array(sort, { maxLength: 4 }).chain((sorts) =>
  fc.record({
    method: fc.constant(`f(${sorts.map(({ text }, i) => `${text} a${i}`).join(', ')})`),
    values: fc.tuple(...sorts.map(({ value }) => value)),
  }),
)

function argsFrom(values: readonly Value[]): Record<string, Value> {
  return Object.fromEntries(values.map((value, i) => [`a${i}`, value]))
}

t.test('whatever is written is read back the same', async (t) => {
  fc.assert(
    fc.property(call, ({ method, values }) => {
      const data = encodeCall(method, argsFrom(values as Value[]))
      return same(decode(method, data), argsFrom(values as Value[]))
    }),
    { numRuns: 500 },
  )
  t.pass('held')
})

t.test('a changed byte of calldata is refused or read as other arguments', async (t) => {
  fc.assert(
    fc.property(call, fc.nat(), fc.integer({ min: 1, max: 255 }), ({ method, values }, place, change) => {
      const data = bytes(encodeCall(method, argsFrom(values as Value[])))
      const at = place % data.length
      data[at] = data[at]! ^ change
      try {
        return !same(decode(method, hex(data)), argsFrom(values as Value[]))
      } catch (error) {
        return (error as { code?: string }).code === 'DECODE_FAILED'
      }
    }),
    { numRuns: 2000 },
  )
  t.pass('held')
})

function same(left: unknown, right: unknown): boolean {
  return fc.stringify(left) === fc.stringify(right)
}
