import { PublicKey } from '@svc/solana'
import t from 'tap'
import { requireKeyHolder, svmAddress } from '../src/address.ts'
import { newEphemeralKey, signed } from '../src/ephemeral.ts'
import { verifies } from '../src/signature.ts'

/** Address of a program, which nobody holds a key of. */
const DERIVED = '6BiM3aNseP8RHR5VqfGQnuPSgeFVnxZ7tSBHKaPG4soL'
const WALLET = 'AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9'
const cannotSign = { statusCode: 400, code: 'WALLET_CANNOT_SIGN' }

t.test('an address is judged the same each time, also when more were seen than are remembered', async (t) => {
  for (let time = 0; time < 3; time++) {
    t.equal(svmAddress(WALLET), WALLET)
    t.equal(svmAddress(DERIVED), DERIVED)
    t.throws(() => svmAddress(`${WALLET}1`), { code: 'ADDRESS_INVALID' })
    t.throws(() => svmAddress(WALLET.replace('A', '0')), { code: 'ADDRESS_INVALID' })
    t.doesNotThrow(() => requireKeyHolder(WALLET))
    t.throws(() => requireKeyHolder(DERIVED), cannotSign)
    for (let n = 0; n < 1100; n++) {
      const bytes = Buffer.alloc(32)
      bytes.writeUInt32LE(n, 4)
      const address = new PublicKey(bytes).toBase58()
      if (svmAddress(address) !== address) t.fail(address)
    }
  }
})

t.test('a key signs the same as it is kept and as it is read from its bytes, and others sign otherwise', async (t) => {
  const message = Buffer.from('a message')
  const key = newEphemeralKey()
  const made = signed(message, key)
  t.ok(verifies(made, message, key.publicKey.toBuffer()))
  t.same(signed(message, { secretKey: key.secretKey } as typeof key), made)
  t.notOk(verifies(signed(message, newEphemeralKey()), message, key.publicKey.toBuffer()))
})
