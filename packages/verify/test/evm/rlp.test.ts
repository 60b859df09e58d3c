import fc from 'fast-check'
import t from 'tap'
import { type RlpItem, readBytes, readInteger, readRlp } from '../../src/evm/rlp.ts'
import { bytes, hex, readVectors } from '../support/vectors.ts'
import { type Item, writeRlp } from '../support/write.ts'

interface Vectors {
  readonly valid: readonly { readonly name: string; readonly item: Item; readonly rlp: string }[]
  readonly integers: readonly { readonly name: string; readonly value: string; readonly rlp: string }[]
  readonly invalid: readonly { readonly name: string; readonly rlp: string }[]
}

const vectors = readVectors<Vectors>('rlp')
const refused = { code: 'DECODE_FAILED' }

function plain(item: RlpItem): Item {
  return item instanceof Uint8Array ? hex(item) : item.map(plain)
}

t.test('every valid vector is read as the item it encodes', async (t) => {
  for (const { name, item, rlp } of vectors.valid) t.same(plain(readRlp(bytes(rlp))), item, name)
})

t.test('every integer vector is read as its integer', async (t) => {
  for (const { name, value, rlp } of vectors.integers) t.equal(readInteger(readRlp(bytes(rlp)), 'it', 256), BigInt(value), name)
})

t.test('every invalid vector is refused', async (t) => {
  for (const { name, rlp } of vectors.invalid) t.throws(() => readRlp(bytes(rlp)), refused, name)
})

t.test('what ends early and what goes on too long is refused', async (t) => {
  for (const rlp of ['', '83646f', 'c3', 'c281', 'b8', 'b838', 'f9ff', '8080', 'c000', 'c18080', '83646f6700']) {
    t.throws(() => readRlp(bytes(rlp)), refused, `0x${rlp}`)
  }
})

t.test('the long form is for 56 bytes and more', async (t) => {
  t.ok(readRlp(bytes(`b838${'11'.repeat(56)}`)))
  t.ok(readRlp(bytes(`b7${'11'.repeat(55)}`)))
  t.throws(() => readRlp(bytes(`b837${'11'.repeat(55)}`)), refused)
  t.throws(() => readRlp(bytes(`f837${'11'.repeat(55)}`)), refused)
})

t.test('an item may not reach beyond the list that holds it, though bytes follow', async (t) => {
  t.throws(() => readRlp(bytes('c4c283646f67')), refused)
})

t.test('lists are followed to a depth of 32 and no further', async (t) => {
  const nested = (depth: number) => {
    let item: Item = []
    for (let i = 1; i < depth; i++) item = [item]
    return writeRlp(item)
  }
  t.same(plain(readRlp(nested(3))), [[[]]])
  t.ok(readRlp(nested(32)))
  t.throws(() => readRlp(nested(33)), refused)
  t.throws(() => readRlp(nested(2000)), refused)
})

t.test('an integer has no leading zero, is no list, and fits its width', async (t) => {
  t.equal(readInteger(bytes(''), 'it', 64), 0n)
  t.equal(readInteger(bytes('ffffffffffffffff'), 'it', 64), 2n ** 64n - 1n)
  t.throws(() => readInteger(bytes('00'), 'it', 64), refused)
  t.throws(() => readInteger(bytes('0001'), 'it', 64), refused)
  t.throws(() => readInteger(bytes('010000000000000000'), 'it', 64), refused)
  t.throws(() => readInteger([], 'it', 64), refused)
  t.throws(() => readBytes(undefined, 'it'), refused)
})

const item = fc.letrec<{ item: Item }>((tie) => ({
  item: fc.oneof({ maxDepth: 5 }, fc.uint8Array({ maxLength: 300 }).map(hex), fc.array(tie('item'), { maxLength: 6 })),
})).item

t.test('reading what was written gives the item back', async (t) => {
  fc.assert(fc.property(item, (written) => JSON.stringify(plain(readRlp(writeRlp(written)))) === JSON.stringify(written)))
  t.pass('held')
})

t.test('of any bytes at all, those that are read are exactly those that would be written', async (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 80 }), (data) => {
      let read: RlpItem
      try {
        read = readRlp(data)
      } catch (error) {
        return (error as { code?: string }).code === 'DECODE_FAILED'
      }
      return hex(writeRlp(plain(read))) === hex(data)
    }),
    { numRuns: 5000 },
  )
  t.pass('held')
})
