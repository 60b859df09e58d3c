import { Secp256k1 } from '@cosmjs/crypto'
import fc from 'fast-check'
import t from 'tap'
import { accountOf } from '../../src/public-key.ts'
import { promisedClaim, promisedDelegation, promisedUnbonding } from '../../src/staking/promise.ts'
import { key, one, two } from '../support/vectors.ts'

const of = (pubkey: string, hub: typeof one | typeof two = one) => ({
  pubkey,
  prefix: hub === one ? 'cosmos' : 'celestia',
  validator: hub.validator as string,
})

t.test('the promise names the address of the key, in whatever form the key is written', async (t) => {
  for (const pubkey of [key.compressed, key.uncompressed, `0x${key.compressed}`, ` 0X${key.uncompressed.toUpperCase()} `]) {
    t.same(promisedClaim(of(pubkey)).signers, [one.address], pubkey)
    t.same(promisedClaim(of(pubkey, two)).signers, [two.address], pubkey)
  }
})

t.test('the address of any key is the one that the messages are made for, by another way', async (t) => {
  const secret = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter((bytes) => bytes.some(Boolean) && bytes[0]! < 0xff)
  const property = fc.property(secret, fc.constantFrom('cosmos', 'celestia', 'a', 'osmo'), (bytes, prefix) => {
    const { pubkey } = Secp256k1.makeKeypair(bytes)
    return [pubkey, Secp256k1.compressPubkey(pubkey)].every((form) => {
      const hex = Buffer.from(form).toString('hex')
      return promisedClaim({ pubkey: hex, prefix, validator: 'v' }).signers[0] === accountOf(prefix, hex).address
    })
  })
  t.doesNotThrow(() => fc.assert(property, { numRuns: 50 }))
})

t.test('a delegation spends, an unbonding and a claim do not', async (t) => {
  const parties = { delegator: one.address, validator: one.validator }
  t.same(promisedDelegation(of(key.compressed), 'uatom', 5n), {
    signers: [one.address],
    calls: [
      {
        target: '/cosmos.staking.v1beta1.MsgDelegate',
        method: 'MsgDelegate(delegator, validator, denom, amount)',
        args: { ...parties, denom: 'uatom', amount: 5n },
        value: 5n,
      },
    ],
  })
  t.match(promisedUnbonding(of(key.compressed), 'uatom', 5n).calls, [{ args: { ...parties, denom: 'uatom', amount: 5n }, value: 0n }])
  t.match(promisedClaim(of(key.compressed)).calls, [{ args: parties, value: 0n }])
})
