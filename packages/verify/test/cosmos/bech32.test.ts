import fc from 'fast-check'
import t from 'tap'
import { bytesOfGroups, readBech32, writeBech32 } from '../../src/cosmos/bech32.ts'
import { bytes, readVectors } from '../support/vectors.ts'

const { valid, invalid, addresses } = readVectors<{
  valid: readonly string[]
  invalid: readonly { text: string; reason: string }[]
  addresses: readonly { prefix: string; bytes: string; text: string }[]
}>('cosmos-bech32')

t.test('the valid texts of BIP-173 are read, with the prefix before the last separator', async (t) => {
  for (const text of valid) {
    const { prefix, groups } = readBech32(text, 'the text')
    t.equal(prefix, text.toLowerCase().slice(0, text.lastIndexOf('1')))
    t.equal(groups.length, text.length - prefix.length - 7)
  }
  t.strictSame(readBech32(valid[3]!, 'the text').groups, [...Array(32).keys()])
})

t.test('the invalid texts of BIP-173 are refused', async (t) => {
  for (const { text, reason } of invalid) t.throws(() => readBech32(text, 'the text'), { code: 'DECODE_FAILED' }, reason)
})

t.test('the message names the text and what is wrong with it', async (t) => {
  t.throws(() => readBech32('a12ueL5l', 'x'), { message: 'x is "a12ueL5l"; a Bech32 text is of one case' })
  t.throws(() => readBech32('a12uel5q', 'x'), { message: 'x is "a12uel5q"; its Bech32 checksum does not fit it' })
})

t.test('the other checksum, that of Bech32m, is refused', async (t) => {
  // BIP-350's valid test vectors (https://github.com/bitcoin/bips/blob/master/bip-0350.mediawiki, read 2026-11-21).
  for (const text of ['a1lqfn3a', 'abcdef1l7aum6echk45nj3s0wdvt2fg8x9yrzpqzd3ryx', '?1v759aa']) {
    t.throws(() => readBech32(text, 'the text'), { message: /checksum does not fit/ }, text)
  }
})

t.test('addresses are written and read as the chains write them', async (t) => {
  for (const address of addresses) {
    t.equal(writeBech32(address.prefix, bytes(address.bytes)), address.text)
    const { prefix, groups } = readBech32(address.text, 'the address')
    t.equal(prefix, address.prefix)
    t.strictSame(bytesOfGroups(groups), bytes(address.bytes))
  }
})

t.test('what is written is read back', async (t) => {
  const prefixes = fc.stringMatching(/^[a-z][a-z0-9]{0,10}$/)
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(prefixes, fc.uint8Array({ maxLength: 40 }), (prefix, data) => {
        const read = readBech32(writeBech32(prefix, data), 'the text')
        return read.prefix === prefix && Buffer.from(bytesOfGroups(read.groups)!).equals(data)
      }),
    ),
  )
})

t.test('up to four changed characters are always noticed', async (t) => {
  const { text } = addresses[0]!
  const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.integer({ min: 7, max: text.length - 1 }), fc.integer({ min: 1, max: 31 })), {
          minLength: 1,
          maxLength: 4,
          selector: ([at]) => at,
        }),
        (changes) => {
          const characters = [...text]
          for (const [at, by] of changes) characters[at] = alphabet[(alphabet.indexOf(characters[at]!) + by) % 32]!
          try {
            readBech32(characters.join(''), 'the text')
            return false
          } catch {
            return true
          }
        },
      ),
      { numRuns: 500 },
    ),
  )
})

t.test('groups with bits left over stand for no bytes', async (t) => {
  t.strictSame(bytesOfGroups([]), new Uint8Array())
  t.equal(bytesOfGroups([1]), null, 'five bits are more than the padding of a byte')
  t.strictSame(bytesOfGroups([31, 28]), bytes('ff'))
  t.equal(bytesOfGroups([31, 29]), null, 'a bit of the padding is set')
  t.equal(bytesOfGroups([31, 28, 0]), null, 'a whole group of padding')
})
