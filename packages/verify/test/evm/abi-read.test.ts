import t from 'tap'
import { readArguments } from '../../src/evm/abi-read.ts'
import { compileSignature } from '../../src/evm/signature.ts'
import type { Value } from '../../src/index.ts'
import { bytes } from '../support/vectors.ts'

// The reader by itself, so that what it lets through is not caught by the second encoding that follows it in `decodeArguments`.

function refused(message: RegExp): { readonly code: string; readonly message: RegExp } {
  return { code: 'DECODE_FAILED', message }
}

function read(method: string, data: string): Readonly<Record<string, Value>> {
  const { params } = compileSignature(method)
  const values = readArguments(params, bytes(data))
  return Object.fromEntries(params.map(({ name }, i) => [name, values[i]!]))
}

/** Hand-written words; each is padded on the left. */
function words(...hexWords: readonly string[]): string {
  return hexWords.map((word) => word.padStart(64, '0')).join('')
}

t.test('words with bits outside of their type are refused', async (t) => {
  for (const [type, word] of [
    ['address', `1${'0'.repeat(40)}`],
    ['address', 'f'.repeat(24) + '1'.repeat(40)],
    ['uint8', '100'],
    ['uint64', '10000000000000000'],
    ['uint248', '01'.padEnd(64, '0')],
    ['int8', '80'],
    ['int8', `${'f'.repeat(62)}7f`],
    ['int8', 'ff'],
    ['bool', '2'],
    ['bool', '1'.padEnd(64, '0')],
    ['bytes4', '1'],
    ['bytes4', '0000000001'.padEnd(64, '0')],
    ['bytes31', '1'],
  ] as const) {
    t.throws(() => read(`f(${type} a)`, words(word)), refused(new RegExp(`which is no canonical ${type}$`)), `${type} ${word}`)
  }
})

t.test('the extremes of every type are read', async (t) => {
  const ones = 'f'.repeat(64)
  t.equal(read('f(uint256 a)', words(ones)).a, 2n ** 256n - 1n)
  t.equal(read('f(int256 a)', words(ones)).a, -1n)
  t.equal(read('f(int8 a)', words(`${'f'.repeat(62)}80`)).a, -128n)
  t.equal(read('f(int8 a)', words('7f')).a, 127n)
  t.equal(read('f(bytes32 a)', words(ones)).a, `0x${ones}`)
  t.equal(read('f(bool a)', words('1')).a, true)
  t.equal(read('f(bytes a)', words('20', '0')).a, '0x')
  t.strictSame(read('f(bytes[] a)', words('20', '0')).a, [])
})

t.test('offsets that overlap, go back, skip or leave the data are refused', async (t) => {
  const two = 'f(bytes a, bytes b)'
  const part = ['1', '61'.padEnd(64, '0')]
  t.strictSame(read(two, words('40', '80', ...part, ...part)), { a: '0x61', b: '0x61' })
  const a = refused(/^the offset of a is /)
  const b = refused(/^the offset of b is /)
  t.throws(() => read(two, words('40', '40', ...part)), b, 'both arguments in one place')
  t.throws(() => read(two, words('40', '60', ...part, ...part)), b, 'one within the other')
  t.throws(() => read(two, words('80', '40', ...part, ...part)), a, 'in the other order')
  t.throws(() => read(two, words('60', 'a0', '0', ...part, ...part)), a, 'a gap')
  t.throws(() => read(two, words('40', '81', ...part, ...part)), b, 'an odd offset')
  t.throws(() => read(two, words('0', '80', ...part, ...part)), a, 'into the head')
  t.throws(() => read(two, words('f'.repeat(64), '80', ...part, ...part)), a, 'out of the data')
})

t.test('offsets that would make data read many times over are refused at the first', async (t) => {
  // Every level points all its 100 items to the same place: followed blindly, twelve levels are 100^12 numbers.
  const offsets = ['64', ...Array.from({ length: 100 }, () => 'c80')]
  const numbers = ['64', ...Array.from({ length: 100 }, () => '1')]
  const data = words('20', ...Array.from({ length: 11 }, () => offsets).flat(), ...numbers)
  t.throws(() => read(`f(uint8${'[]'.repeat(12)} a)`, data), refused(/^the offset of a(\[0\]){10}\[1\] is 3200; /))
})

t.test('lengths beyond the data are refused without memory for them', async (t) => {
  for (const type of ['bytes', 'string', 'uint8[]', 'bytes[]', '(address to, bytes data)[]', 'uint256[1000][]']) {
    for (const length of ['f'.repeat(64), 'ffffffff', '7fffffffffffffff', '1000000', '2']) {
      t.throws(
        () => read(`f(${type} a)`, words('20', length)),
        refused(/^a claims a length of \d+ where 0 bytes are left$/),
        `${type} ${length}`,
      )
    }
  }
  t.throws(() => read('f(uint256[1000][] a)', words('20', '1', '1')), refused(/^a claims a length of 1 where 32 bytes are left$/))
})

t.test('data that ends before a head, a length or a padding is refused', async (t) => {
  t.throws(() => read('f(uint8 a)', ''), refused(/^the arguments end after 0 bytes; 32 are needed/))
  t.throws(() => read('f(uint8[30000] a)', words('1')), refused(/^the arguments end after 32 bytes; 960000 are needed/))
  t.throws(() => read('f(uint8 a, bytes b)', words('1')), refused(/^the arguments end after 32 bytes; 64 are needed/))
  t.throws(() => read('f(bytes a)', words('20')), refused(/^the arguments end after 32 bytes, before the length of a$/))
  t.throws(() => read('f(bytes a)', `${words('20', '1')}61`), refused(/^a has 1 bytes, but its padding/))
})

t.test('padding other than zeros is refused, and so is data after the end', async (t) => {
  t.throws(() => read('f(bytes a)', words('20', '1', '6161'.padEnd(64, '0'))), refused(/^a is padded with other bytes than zeros$/))
  t.throws(() => read('f(bytes a)', words('20', '1', `61${'0'.repeat(61)}1`)), refused(/^a is padded with other bytes than zeros$/))
  t.throws(() => read('f(bytes a)', words('20', '0', '0')), refused(/^32 bytes follow the arguments, which end at byte 64/))
  t.throws(() => read('f()', '00'), refused(/^1 bytes follow the arguments, which end at byte 0/))
})

t.test('a string is strict UTF-8, and a byte order mark is part of it', async (t) => {
  const text = (content: string) => words('20', (content.length / 2).toString(16), content.padEnd(64, '0'))
  t.equal(read('f(string a)', text('efbbbf')).a, '\ufeff')
  for (const wrong of ['ff', 'c0', 'c080', 'eda080']) {
    t.throws(() => read('f(string a)', text(wrong)), refused(/^a is not well-formed UTF-8$/), wrong)
  }
})

t.test('the message names the argument down to its place', async (t) => {
  t.throws(() => read('f((address to, bool flag)[] calls)', words('20', '1', '7', '2')), refused(/^calls\[0\]\.flag is 0x0+2, /))
})
