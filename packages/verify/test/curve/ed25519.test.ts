import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import t from 'tap'
import { verifies } from '../../src/curve/ed25519.ts'
import { verifiesHere } from '../../src/curve/edwards.ts'
import { sha512 } from '../../src/curve/sha512.ts'

t.test('SHA-512 is that of Node at every length around its blocks', async (t) => {
  for (const length of [0, 1, 111, 112, 127, 128, 129, 239, 240, 1232]) {
    const message = Uint8Array.from({ length }, (_, i) => (i * 7 + length) & 255)
    t.equal(Buffer.from(sha512(message)).toString('hex'), createHash('sha512').update(message).digest('hex'), `${length} bytes`)
  }
})

t.test('a page without WebCrypto judges signatures as the runtime does', async (t) => {
  const both = async (key: Uint8Array, signature: Uint8Array, message: Uint8Array, name: string, right: boolean) => {
    t.equal(verifiesHere(key, signature, message), right, name)
    t.equal(await verifies(key, signature, message), right, `${name}, by the runtime`)
  }
  for (let round = 0; round < 6; round++) {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const key = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32))
    const message = Uint8Array.from({ length: round * 40 }, (_, i) => i ^ round)
    const signature = new Uint8Array(sign(null, message, privateKey))
    await both(key, signature, message, 'a right one', true)
    for (const at of [0, 31, 32, 63]) await both(key, changed(signature, at), message, `byte ${at} changed`, false)
    await both(key, signature, Uint8Array.of(...message, 0), 'another message', false)
    await both(changed(key, 3), signature, message, 'another key', false)
  }
})

t.test('what no signer makes is no signature, also without WebCrypto', async (t) => {
  // RFC 8032, 7.1, TEST 2.
  const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
  const key = bytes('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c')
  const r = '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da'
  const s = '085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00'
  t.equal(verifiesHere(key, bytes(r + s), bytes('72')), true)
  // The same s with the order of the base point added: another text for the same number (5.1.7, step 1).
  const order = 2n ** 252n + 27742317777372353535851937790883648493n
  const above = BigInt(`0x${Buffer.from(bytes(s)).reverse().toString('hex')}`) + order
  const malleated = Buffer.from(above.toString(16).padStart(64, '0'), 'hex').reverse().toString('hex')
  t.equal(verifiesHere(key, bytes(r + malleated), bytes('72')), false)
  t.equal(verifiesHere(bytes('ff'.repeat(32)), bytes(r + s), bytes('72')), false, 'a key beyond the field')
  t.equal(verifiesHere(bytes(`02${'00'.repeat(31)}`), bytes(r + s), bytes('72')), false, 'a key that is no point')
})

function changed(given: Uint8Array, at: number): Uint8Array {
  return given.map((byte, i) => (i === at ? byte ^ 1 : byte))
}
