import { Secp256k1 } from '@cosmjs/crypto'
import { hubActions } from '@svc/intent-hub'
import fc from 'fast-check'
import t from 'tap'
import { accountOf } from '../../src/public-key.ts'
import { key, one, two } from '../support/vectors.ts'

const signers = (pubkey: string, prefix: string) =>
  hubActions({ prefix, denom: 'uatom', algorithm: 'secp256k1' })['claim-rewards'].effects({ validator: one.validator }, { pubkey }).signers

t.test('the intent names the address of the key, in whatever form the key is written', async (t) => {
  for (const pubkey of [key.compressed, key.uncompressed, `0x${key.compressed}`, ` 0X${key.uncompressed.toUpperCase()} `]) {
    t.same(signers(pubkey, 'cosmos'), [one.address], pubkey)
    t.same(signers(pubkey, 'celestia'), [two.address], pubkey)
  }
})

t.test('the address of any key is the one that the messages are made for, by another way', async (t) => {
  const secret = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter((bytes) => bytes.some(Boolean) && bytes[0]! < 0xff)
  const property = fc.property(secret, fc.constantFrom('cosmos', 'celestia', 'a', 'osmo'), (bytes, prefix) => {
    const { pubkey } = Secp256k1.makeKeypair(bytes)
    return [pubkey, Secp256k1.compressPubkey(pubkey)].every((form) => {
      const hex = Buffer.from(form).toString('hex')
      return signers(hex, prefix)[0] === accountOf({ prefix, algorithm: 'secp256k1' }, hex).address
    })
  })
  t.doesNotThrow(() => fc.assert(property, { numRuns: 50 }))
})
