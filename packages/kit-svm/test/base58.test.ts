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

t.test('a key has its text however many were spelled since', async (t) => {
  const keyOf = (n: number) => {
    const bytes = Buffer.alloc(32, 1)
    bytes.writeUInt32BE(n)
    return bytes
  }
  for (let n = 0; n < 1100; n++) base58(keyOf(n))
  for (const n of [0, 99, 100, 101, 1099]) {
    const text = new PublicKey(keyOf(n)).toBase58()
    t.same([base58(keyOf(n)), base58(keyOf(n))], [text, text])
  }
  // Part of a larger piece of memory, as the accounts of a transaction are.
  t.equal(base58(Buffer.concat([keyOf(7), keyOf(8)]).subarray(32)), new PublicKey(keyOf(8)).toBase58())
})
