import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { type Layout, readMessage, writeVarint } from '../../src/cosmos/protobuf.ts'
import { bytes } from '../support/vectors.ts'
import { digits } from './support/vectors.ts'
import { field, join, varint } from './support/write.ts'

const LAYOUT = {
  number: { number: 1, kind: 'integer', optional: true },
  name: { number: 2, kind: 'text', optional: true },
  data: { number: 3, kind: 'bytes', optional: true },
  items: { number: 4, kind: 'list', optional: true },
  evil: { number: 5, kind: 'refused', why: 'nobody wants it' },
  far: { number: 1023, kind: 'integer', optional: true },
} as const satisfies Layout

const read = (hex: string) => readMessage(bytes(hex), LAYOUT, 'm')

t.test('fields are read by their kinds, and what is absent is the default', async (t) => {
  t.strictSame(read(''), { number: 0n, name: '', data: new Uint8Array(), items: [], far: 0n })
  // 1: 150 and 2: "testing" are the examples of https://protobuf.dev/programming-guides/encoding (read 2026-11-21).
  t.strictSame(read('089601120774657374696e671a01002202ffff220100f83f01'), {
    number: 150n,
    name: 'testing',
    data: bytes('00'),
    items: [bytes('ffff'), bytes('00')],
    far: 1n,
  })
})

t.test('integers have up to 64 bits', async (t) => {
  t.equal(read('08ffffffffffffffffff01').number, (1n << 64n) - 1n)
  t.equal(read('0880808080808080808001').number, 1n << 63n)
  t.throws(() => read('08ffffffffffffffffff02'), { message: 'm.number has a varint at byte 1 that exceeds 64 bits' })
  t.throws(() => read('0880808080808080808002'), { message: /exceeds 64 bits/ })
  t.throws(() => read('088080808080808080808001'), { message: 'm.number has a varint at byte 1 of more than 10 bytes' })
})

t.test('every other form of the same message is refused, with the path of the field', async (t) => {
  const cases: readonly (readonly [string, string])[] = [
    ['089600', 'm.number has the varint 0x9600 at byte 1; the shortest form is the only one'],
    ['8800960112', 'm has the varint 0x8800 at byte 0; the shortest form is the only one'],
    ['12870074657374696e67', 'm.name has the varint 0x8700 at byte 1; the shortest form is the only one'],
    ['0800', 'm.number is 0 and written out; a field of that value is left out'],
    ['1200', 'm.name is empty and written out; a field of that value is left out'],
    ['1a00', 'm.data is empty and written out; a field of that value is left out'],
    ['2200', 'm.items is empty and written out; a field of that value is left out'],
    ['08010801', 'm.number is there more than once; it may be there once'],
    ['120161120162', 'm.name is there more than once; it may be there once'],
    ['1201610801', 'm.number stands after a field of a higher number; fields must be in ascending order'],
    ['080112016108011a0100', 'm.number stands after a field of a higher number; fields must be in ascending order'],
    ['2201ff1a01ff', 'm.data stands after a field of a higher number; fields must be in ascending order'],
  ]
  for (const [hex, message] of cases) t.throws(() => read(hex), { code: 'DECODE_FAILED', message }, hex)
})

t.test('fields that are unknown, refused or of another wire type are refused', async (t) => {
  const known = '1 (number), 2 (name), 3 (data), 4 (items), 1023 (far)'
  const cases: readonly (readonly [string, string])[] = [
    ['3001', `m has the field 6, which is not known; it may have ${known}`],
    ['0001', `m has the field 0, which is not known; it may have ${known}`],
    // 2^29 + 1 would be field 1 to a reader that drops the high bits of a tag.
    ['888080801001', `m has the field 536870913, which is not known; it may have ${known}`],
    // Field 1024 + 1 is one of those that some nodes ignore instead of refusing them.
    ['884001', `m has the field 1025, which is not known; it may have ${known}`],
    ['2801', 'm.evil is set; nobody wants it'],
    ['2a0161', 'm.evil is set; nobody wants it'],
    ['2a00', 'm.evil is set; nobody wants it'],
    ['0a0161', 'm.number is written as length-delimited; it must be a varint'],
    ['090100000000000000', 'm.number is written as eight bytes; it must be a varint'],
    ['0d01000000', 'm.number is written as four bytes; it must be a varint'],
    ['1001', 'm.name is written as a varint; it must be length-delimited'],
    ['1312016114', 'm.name is written as the start of a group; it must be length-delimited'],
    ['14', 'm.name is written as the end of a group; it must be length-delimited'],
    ['0f01', 'm.number is written as wire type 7; it must be a varint'],
  ]
  for (const [hex, message] of cases) t.throws(() => read(hex), { code: 'DECODE_FAILED', message }, hex)
})

t.test('bytes cut off anywhere, and lengths beyond the end, are refused', async (t) => {
  const cases: readonly (readonly [string, string])[] = [
    ['08', 'm.number ends at byte 1, within the varint at byte 1'],
    ['0896', 'm.number ends at byte 2, within the varint at byte 1'],
    ['f8', 'm ends at byte 1, within the varint at byte 0'],
    ['12', 'm.name ends at byte 1, within the varint at byte 1'],
    ['120261', 'm.name claims 2 bytes where 1 are left'],
    ['12ffffffffffffffffff0161', 'm.name claims 18446744073709551615 bytes where 1 are left'],
    // 2^32 + 1 would be 1 to a reader with 32 bits.
    ['12818080801061', 'm.name claims 4294967297 bytes where 1 are left'],
  ]
  for (const [hex, message] of cases) t.throws(() => read(hex), { code: 'DECODE_FAILED', message }, hex)
})

t.test('texts are UTF-8, each of them one text', async (t) => {
  t.equal(read('1204f09f9982').name, '🙂')
  t.equal(read('1204efbbbf61').name, '\ufeffa', 'a byte order mark is not dropped')
  for (const hex of ['1201ff', '1202c080', '1203eda080', '1202c328', '1203e28228', '1204f4908080']) {
    t.throws(() => read(hex), { message: /^m\.name is 0x[0-9a-f]+; it must be UTF-8$/ }, hex)
  }
})

t.test('a required field must be there', async (t) => {
  const layout = { id: { number: 1, kind: 'integer' }, list: { number: 2, kind: 'list' } } as const satisfies Layout
  t.strictSame(readMessage(bytes('0801120161'), layout, 'm'), { id: 1n, list: [bytes('61')] })
  t.throws(() => readMessage(bytes('120161'), layout, 'm'), { message: 'm.id is missing; it must be there' })
  t.throws(() => readMessage(bytes('0801'), layout, 'm'), { message: 'm.list is missing; it must be there' })
})

const messages = fc.record(
  {
    number: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
    name: fc.string({ unit: 'grapheme', maxLength: 300 }),
    data: fc.uint8Array({ maxLength: 300 }),
    items: fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { maxLength: 4 }),
    far: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
  },
  { noNullPrototype: true },
)

function write({ number, name, data, items, far }: typeof messages extends fc.Arbitrary<infer T> ? T : never): Uint8Array {
  return join(field(1, number), field(2, name), field(3, data), ...items.map((item) => field(4, item)), field(1023, far))
}

t.test('what another writer writes is read back', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(messages, (message) => {
        return isDeepStrictEqual(readMessage(write(message), LAYOUT, 'm'), message)
      }),
    ),
  )
})

t.test('what is read is written in one way: bytes that read alike are the same bytes', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 12 }), messages.map(write)), fc.nat(), fc.nat({ max: 255 }), (data, at, value) => {
        const changed = data.slice()
        if (changed.length > 0) changed[at % changed.length] = value
        let message: ReturnType<typeof read>
        try {
          message = readMessage(changed, LAYOUT, 'm')
        } catch (error) {
          return (error as { code?: string }).code === 'DECODE_FAILED'
        }
        return Buffer.from(write(message as never)).equals(changed)
      }),
      { numRuns: 2000 },
    ),
  )
})

t.test('varints are written in their shortest form', async (t) => {
  for (const [value, hex] of [
    [0n, '00'],
    [1n, '01'],
    [127n, '7f'],
    [128n, '8001'],
    [300n, 'ac02'],
    [(1n << 64n) - 1n, 'ffffffffffffffffff01'],
  ] as const) {
    t.equal(digits(Uint8Array.from(writeVarint(value))), hex)
  }
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
        (value) => digits(varint(value)) === digits(Uint8Array.from(writeVarint(value))),
      ),
    ),
  )
})
