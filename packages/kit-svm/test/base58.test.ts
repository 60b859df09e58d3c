import { PublicKey } from '@svc/solana'
import fc from 'fast-check'
import t from 'tap'
import { base58 } from '../src/base58.ts'

t.test('base58 is that of the library, where that has it', async (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.nat(32), (bytes, zeros) => {
      bytes.fill(0, 0, zeros)
      return base58(bytes) === new PublicKey(bytes).toBase58()
    }),
  )
  t.equal(base58(new Uint8Array(64)), '1'.repeat(64))
})
