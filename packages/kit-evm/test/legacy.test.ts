import { hexlify, randomBytes, Transaction } from 'ethers'
import t from 'tap'
import { hashOf, nonceOf, writeUnsigned } from '../src/legacy.ts'

const to = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'
const some = { nonce: 3n, gasPrice: 100_000_000_000n, gasLimit: 280_006n, to, value: 10n ** 18n, data: '0x84994fec', chainId: 143n }

/** As ethers has it. */
function byLibrary({ nonce, ...rest }: typeof some) {
  return Transaction.from({ type: 0, nonce: Number(nonce), ...rest })
}

const SIZES = [0, 1, 2, 31, 32, 54, 55, 56, 57, 200, 255, 256, 257, 70_000]

t.test('bytes and hash are those of ethers, at each bound of a length', async (t) => {
  const variants = [
    ...SIZES.map((size) => ({ ...some, data: hexlify(randomBytes(size)) })),
    ...['0x00', '0x7f', '0x80', '0xff'].map((data) => ({ ...some, data })),
    ...[0n, 1n, 127n, 128n, 255n, 256n, 2n ** 48n - 1n].map((nonce) => ({ ...some, nonce })),
    ...[0n, 1n, 2n ** 255n, 2n ** 256n - 1n].map((value) => ({ ...some, value })),
    ...[1n, 127n, 128n, 10_143n, 2n ** 53n].map((chainId) => ({ ...some, chainId })),
  ]
  for (const variant of variants) {
    const { unsignedSerialized, unsignedHash } = byLibrary(variant)
    const written = writeUnsigned(variant)
    t.equal(written, unsignedSerialized)
    // Twice, since it is remembered.
    t.same([hashOf(written), hashOf(written)], [unsignedHash, unsignedHash])
    t.equal(nonceOf(written, variant.chainId), variant.nonce)
    t.equal(nonceOf(written, variant.chainId + 1n), null)
  }
})

t.test('hashes are told apart when more are asked for than are remembered', async (t) => {
  for (let nonce = 0n; nonce < 1100n; nonce++) hashOf(writeUnsigned({ ...some, nonce }))
  for (const nonce of [0n, 99n, 100n, 1099n]) t.equal(hashOf(writeUnsigned({ ...some, nonce })), byLibrary({ ...some, nonce }).unsignedHash)
})

t.test('whatever is changed or cut is left to the library, unless it is another whole transaction', async (t) => {
  const whole = writeUnsigned(some)
  let refused = 0
  for (let at = 2; at < whole.length; at += 2)
    for (const byte of ['00', '01', '7f', '80', '81', 'b7', 'b8', 'c0', 'f7', 'f8', 'ff']) {
      const changed = whole.slice(0, at) + byte + whole.slice(at + 2)
      if (nonceOf(changed, 143n) === null) {
        refused++
        continue
      }
      const transaction = Transaction.from(changed)
      t.same(
        [transaction.unsignedSerialized, transaction.unsignedHash, transaction.chainId, transaction.signature],
        [changed, hashOf(changed), 143n, null],
      )
      t.equal(BigInt(transaction.nonce), nonceOf(changed, 143n))
    }
  t.ok(refused > 100)
  for (const cut of ['0x', '0xc0', whole.slice(0, -2), `${whole}00`, `0x80${whole.slice(2)}`]) t.equal(nonceOf(cut, 143n), null, cut)
})

t.test('numbers with zeros before them, lengths that need no bytes, other fields and signed ones are none', async (t) => {
  const items = (...fields: string[]) => `0x${(0xc0 + fields.join('').length / 2).toString(16)}${fields.join('')}`
  const address = `94${to.slice(2).toLowerCase()}`
  t.equal(nonceOf(items('03', '04', '05', address, '80', '80', '818f', '80', '80'), 143n), 3n)
  t.equal(nonceOf(items('03', '04', '05', '80', '80', '80', '818f', '80', '80'), 143n), 3n, 'which makes a contract')
  for (const [why, fields] of Object.entries({
    'a zero byte for zero': ['00', '04', '05', address, '80', '80', '818f', '80', '80'],
    'a zero before a value': ['03', '04', '05', address, '820001', '80', '818f', '80', '80'],
    'a length for a byte that is itself': ['8103', '04', '05', address, '80', '80', '818f', '80', '80'],
    'a length in a byte of its own': ['03', '04', '05', address, '80', 'b801ff', '818f', '80', '80'],
    'a list in place of a text': ['03', '04', '05', address, '80', 'c0', '818f', '80', '80'],
    'six fields': ['03', '04', '05', address, '80', '80'],
    'ten fields': ['03', '04', '05', address, '80', '80', '818f', '80', '80', '80'],
    'a short address': ['03', '04', '05', '8101', '80', '80', '818f', '80', '80'],
    'an address of 19 bytes': ['03', '04', '05', `93${'11'.repeat(19)}`, '80', '80', '818f', '80', '80'],
    'a nonce of seven bytes': [`87${'11'.repeat(7)}`, '04', '05', address, '80', '80', '818f', '80', '80'],
    'a value of 33 bytes': ['03', '04', '05', '80', `a1${'11'.repeat(33)}`, '80', '818f', '80', '80'],
    'an r': ['03', '04', '05', address, '80', '80', '818f', '01', '80'],
    'an s': ['03', '04', '05', address, '80', '80', '818f', '80', '01'],
  }))
    t.equal(nonceOf(items(...fields), 143n), null, why)
})
