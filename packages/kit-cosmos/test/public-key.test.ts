import { Secp256k1 } from '@cosmjs/crypto'
import fc from 'fast-check'
import t from 'tap'
import { cosmos } from '../src/kit.ts'
import { accountOf, compressPublicKey } from '../src/public-key.ts'
import { hubOne, hubTwo } from './support/node.ts'
import { key, one, send, two } from './support/vectors.ts'

const refused = { statusCode: 400, code: 'PUBLIC_KEY_INVALID' }

t.test('a key in every usual form is the same account', async (t) => {
  const forms = [
    key.compressed,
    key.uncompressed,
    `0x${key.compressed}`,
    `0X${key.uncompressed.toUpperCase()}`,
    ` ${key.compressed}\n`,
    key.compressed.toUpperCase(),
  ]
  for (const form of forms) {
    t.equal(accountOf(hubOne, form).address, one.address, form)
    t.equal(accountOf(hubTwo, form).address, two.address, form)
    t.equal(Buffer.from(accountOf(hubOne, form).publicKey).toString('hex'), key.compressed)
  }
  t.equal(accountOf(hubOne, send.publicKey).address, send.address)
})

t.test('the kit names the wallet of a key, in whatever form it came', async (t) => {
  const { wallet } = cosmos(hubOne)
  t.equal(wallet?.(`0X${key.uncompressed.toUpperCase()}`), one.address)
  t.throws(() => wallet?.(one.address), refused)
})

t.test('what is no key is refused', async (t) => {
  const [x, y] = [key.uncompressed.slice(2, 66), key.uncompressed.slice(66)]
  const wrong = {
    'an empty text': '',
    'only 0x': '0x',
    'an address': one.address,
    'no hex': `02${'g'.repeat(64)}`,
    'an odd number of digits': key.compressed.slice(1),
    'a digit too many': `${key.compressed}0`,
    'x and y without a form': x + y,
    'the hybrid form 06': `06${x}${y}`,
    'the hybrid form 07': `07${x}${y}`,
    'the form 05': `05${x}`,
    'the form 02 with 65 bytes': `02${x}${y}`,
    'the form 04 with 33 bytes': `04${x}`,
    'a compressed x that is no point of the curve': `02${'0'.repeat(63)}5`,
    'an x above the field': `02${'f'.repeat(64)}`,
    'an uncompressed y that does not fit x': key.uncompressed.replace(/9$/, '8'),
    'a base64 text': Buffer.from(key.compressed, 'hex').toString('base64'),
    'a very long text': '0'.repeat(10_000),
  }
  for (const [name, text] of Object.entries(wrong)) t.throws(() => accountOf(hubOne, text), refused, name)
  for (const length of [0, 32, 34, 64, 66]) t.throws(() => compressPublicKey(new Uint8Array(length).fill(2)), refused, `${length} bytes`)
})

t.test('both forms of any key are one account', async (t) => {
  const secret = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter((bytes) => bytes.some(Boolean) && bytes[0]! < 0xff)
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
  const property = fc.property(secret, (bytes) => {
    const { pubkey } = Secp256k1.makeKeypair(bytes)
    return accountOf(hubOne, hex(pubkey)).address === accountOf(hubOne, hex(Secp256k1.compressPubkey(pubkey))).address
  })
  t.doesNotThrow(() => fc.assert(property, { numRuns: 50 }))
})

t.test('an account is the same however many were asked for since, and what is no key is refused each time', async (t) => {
  const wrong = `02${'ff'.repeat(32)}`
  for (let time = 0; time < 2; time++) {
    t.equal(accountOf(hubOne, key.compressed).address, one.address)
    t.equal(accountOf(hubTwo, key.compressed).address, two.address)
    t.throws(() => accountOf(hubOne, wrong), refused)
    for (let n = 1; time === 0 && n <= 2300; n++) {
      const digits = `02${n.toString(16).padStart(64, '0')}`
      try {
        if (Buffer.from(accountOf(hubOne, digits).publicKey).toString('hex') !== digits) t.fail(digits)
      } catch {
        // Half of all numbers are no point.
      }
    }
  }
})

t.test('a key that was asked for before has another address where keys are Ethereum’s', async (t) => {
  const ethereum = { ...hubOne, algorithm: 'ethsecp256k1', keyType: '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey' } as const
  const first = accountOf(hubOne, key.compressed).address
  const second = accountOf(ethereum, key.compressed).address
  t.not(second, first)
  t.equal(accountOf(hubOne, key.compressed).address, first)
  t.equal(accountOf(ethereum, key.compressed).address, second)
})
