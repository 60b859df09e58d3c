import fc from 'fast-check'
import t from 'tap'
import { decodeSvm } from '../../src/svm/index.ts'
import { LAYOUTS } from './support/layouts.ts'
import { craft, vectorOf } from './support/vectors.ts'
import { compact, craftOf, type Parts, partsOf, wire } from './support/write.ts'

const hex = vectorOf('stake in a fresh').unsigned
const parts = partsOf(hex)

/** Why the bytes are refused; empty when they are not. */
function reason(given: unknown): string {
  try {
    decodeSvm(given as never, LAYOUTS)
    return ''
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'DECODE_FAILED') throw error
    return (error as Error).message
  }
}

/** Why the vector is refused when some of its parts are others. */
const changed = (change: Partial<Parts>) => reason(craftOf({ ...parts, ...change }))

t.test('the writer of these tests writes the bytes of the vectors', async (t) => {
  t.equal(craftOf(parts).unsigned_tx_hex, hex)
})

t.test('the number of signatures must be that of the signers', async (t) => {
  t.match(changed({ signatures: parts.signatures.slice(1) }), /1 signatures where 2 accounts sign/)
  t.match(changed({ signatures: [...parts.signatures, new Uint8Array(64)] }), /3 signatures where 2 accounts sign/)
  t.match(changed({ signatures: [], header: [0, 0, 8] }), /0 of 0 signers are read-only/)
})

t.test('the header must fit the accounts', async (t) => {
  t.match(changed({ header: [2, 2, 8] }), /2 of 2 signers are read-only/)
  t.match(changed({ header: [2, 3, 8] }), /3 of 2 signers are read-only/)
  t.match(changed({ header: [2, 0, 9] }), /has 10 accounts, but its header speaks of 2 signers and 9 others/)
  t.match(changed({ header: [2, 0, 255] }), /255 others/)
})

t.test('a message of another version than the legacy format is refused', async (t) => {
  const { signatures } = parts
  const message = wire(parts).subarray(1 + 64 * signatures.length)
  const versioned = Buffer.concat([compact(2), ...signatures, Uint8Array.of(0x80), message, Uint8Array.of(0)])
  t.match(reason({ unsigned_tx_hex: versioned.toString('hex') }), /version 0; it must be a message of the legacy format/)
  t.match(changed({ header: [0x81, 0, 8] }), /version 1/)
})

t.test('an account named twice, or in vain, is refused', async (t) => {
  const { keys, steps } = parts
  t.match(changed({ keys: [...keys.slice(0, 9), keys[8]!] }), /account 9 is SysvarRent.*named before/)
  t.match(changed({ keys: [...keys, new Uint8Array(32).fill(7)], header: [2, 0, 9] }), /account 10, .* is not used/)
  t.match(changed({ steps: steps.slice(0, -1) }), /is not used by any instruction/)
})

t.test('an index beyond the accounts is refused', async (t) => {
  const [first, ...rest] = parts.steps
  t.match(changed({ steps: [{ ...first!, program: 10 }, ...rest] }), /the program of instruction 0 is number 10 of 10 accounts/)
  t.match(changed({ steps: [{ ...first!, accounts: [255] }, ...rest] }), /account 0 of instruction 0 is number 255/)
})

t.test('a transaction without instructions is refused', async (t) => {
  t.match(changed({ steps: [], keys: parts.keys.slice(0, 2), header: [2, 0, 0] }), /0 instructions/)
})

t.test('bytes cut off anywhere, or continued, are refused', async (t) => {
  const accepted: number[] = []
  for (let length = 0; length < hex.length; length += 2) if (reason({ unsigned_tx_hex: hex.slice(0, length) }) === '') accepted.push(length)
  t.strictSame(accepted, [])
  t.match(reason({ unsigned_tx_hex: `${hex}00` }), /697 are read; none may be left over/)
  t.match(reason({ unsigned_tx_hex: `${hex}${hex}` }), /left over|bytes at most/)
})

t.test('a length in more bytes than it needs is refused', async (t) => {
  t.match(reason({ unsigned_tx_hex: `8200${hex.slice(2)}` }), /the number of signatures .* is 2 in 2 bytes/)
})

t.test('more bytes than a node takes are refused', async (t) => {
  t.match(reason({ unsigned_tx_hex: '00'.repeat(1233) }), /1232 bytes at most/)
  const { steps } = parts
  // Of a number that the compute budget program does not have: read as unknown, however long.
  const withTail = (length: number) => craftOf({ ...parts, steps: [...steps, { ...steps[0]!, data: new Uint8Array(length).fill(9) }] })
  const room = 1232 - withTail(200).unsigned_tx_hex.length / 2 + 200
  t.equal(reason(withTail(room)), '')
  t.match(reason(withTail(room + 1)), /bytes at most/)
})

t.test('hex that is not in lower case, odd, or none is refused', async (t) => {
  for (const text of [
    '',
    '0',
    `0x${hex}`,
    hex.toUpperCase(),
    hex.slice(1),
    ` ${hex}`,
    `${hex}\n`,
    'zz',
    7,
    null,
    [hex],
    new Uint8Array(3),
  ]) {
    t.match(reason({ unsigned_tx_hex: text }), /unsigned_tx_hex is .*; it must be an even number of hex digits in lower case/)
  }
})

t.test('a response with other members, or of another shape, is refused', async (t) => {
  t.match(reason({ ...craft(vectorOf('unstake')), signatures: [] }), /a member "signatures" that is not read/)
  t.match(reason({}), /no member unsigned_tx_hex/)
  t.match(reason(Object.create({ unsigned_tx_hex: hex })), /no member unsigned_tx_hex/)
  for (const given of [null, undefined, 'x', 7, [hex]]) t.match(reason(given), /it must be an object with unsigned_tx_hex/)
})

t.test('no bytes make the reader fail in another way than with a DecodeError', async (t) => {
  const whole = Buffer.from(hex, 'hex')
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (data) => reason({ unsigned_tx_hex: Buffer.from(data).toString('hex') }) !== ''),
    ),
  )
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.nat(40), (at, put, drop) => {
        reason({ unsigned_tx_hex: Buffer.concat([whole.subarray(0, at), put, whole.subarray(at + drop)]).toString('hex') })
      }),
      { numRuns: 500 },
    ),
  )
})
