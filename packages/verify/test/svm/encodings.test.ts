import fc from 'fast-check'
import t from 'tap'
import { base58, bytesOfBase58, isAddress } from '../../src/bytes/base58.ts'
import { cursor } from '../../src/bytes/cursor.ts'
import { bytes, readVectors } from '../support/vectors.ts'
import { derived } from './support/steps.ts'
import { compact } from './support/write.ts'

type Pairs = { readonly pairs: readonly (readonly [hex: string, text: string])[] }
const vectors = readVectors<{
  base58: Pairs
  keys: Pairs
  compactU16: { readonly lengths: readonly (readonly [string, number])[]; readonly refused: readonly (readonly [string, string])[] }
  derived: { readonly rows: readonly { readonly base: string; readonly seed: string; readonly owner: string; readonly address: string }[] }
}>('svm-encodings')

function readCompact(data: Uint8Array): number {
  const from = cursor(data, 'the bytes')
  const value = from.compact('the length')
  from.end()
  return value
}

t.test('base58 is written and read as by others', async (t) => {
  for (const [hex, text] of [...vectors.base58.pairs, ...vectors.keys.pairs]) {
    t.equal(base58(bytes(hex)), text)
    t.strictSame(bytesOfBase58(text), bytes(hex))
  }
})

t.test('bytes survive base58, with zeros in front', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.nat(5), fc.uint8Array({ maxLength: 58 }), (zeros, rest) => {
        const data = Uint8Array.from([...new Uint8Array(zeros), ...rest])
        return Buffer.from(bytesOfBase58(base58(data))!).equals(data)
      }),
    ),
  )
})

t.test('what is no base58, or longer than any signature, is not read', async (t) => {
  for (const text of ['0', 'O', 'I', 'l', ' 2g', '2g ', '2g\n', 'é', '😀', '1'.repeat(89)]) t.equal(bytesOfBase58(text), null, text)
})

t.test('an address is base58 of exactly 32 bytes', async (t) => {
  for (const [, text] of vectors.keys.pairs) t.ok(isAddress(text))
  for (const text of ['', '1', '1'.repeat(31), '1'.repeat(33), 'cGfHiC6Kgg3FpFZvgwGcswsCRtp4aBP2fzuXRQPizu', '0x00'])
    t.notOk(isAddress(text), text)
})

t.test('lengths are read in their shortest form only', async (t) => {
  for (const [hex, length] of vectors.compactU16.lengths) {
    t.equal(readCompact(bytes(hex)), length)
    t.equal(compact(length).toString('hex'), hex)
  }
  for (const [hex, why] of vectors.compactU16.refused) t.throws(() => readCompact(bytes(hex)), { code: 'DECODE_FAILED' }, `${hex}: ${why}`)
})

t.test('every length of 16 bits has one form', async (t) => {
  const wrong: number[] = []
  for (let length = 0; length < 0x10000; length++) if (readCompact(compact(length)) !== length) wrong.push(length)
  t.strictSame(wrong, [])
})

t.test('the addresses of the vectors follow from their seeds', async (t) => {
  for (const { base, seed, owner, address } of vectors.derived.rows) t.equal(derived(base, seed, owner), address)
})
