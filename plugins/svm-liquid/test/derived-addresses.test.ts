import { PublicKey } from '@svc/solana'
import { keyOf, programAddress, seededAddress } from '@svc/verify/svm'
import fc from 'fast-check'
import t from 'tap'
import { seededStakeOf, tokenAccountOf, validatorStakeOf, withdrawAuthorityOf } from '../src/chain/derived-addresses.ts'
import { network } from './fixtures.ts'
import vectors from './vectors/transactions.json' with { type: 'json' }

const STAKE = 'Stake11111111111111111111111111111111111111'
const own = { pool: network.pool, mint: network.mint, program: network.program, tokenProgram: network.token_program }
const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })
const keys = bytes.map((each) => new PublicKey(each).toBase58())

t.test('addresses are those of the vectors', async (t) => {
  t.equal(withdrawAuthorityOf(own).toBase58(), vectors.withdrawAuthority)
  t.equal(tokenAccountOf(vectors.wallet, own).toBase58(), vectors.tokenAccount)
})

t.test('the check derives, without the library, what the library derives', async (t) => {
  fc.assert(
    fc.property(keys, fc.array(fc.uint8Array({ maxLength: 32 }), { maxLength: 4 }), (program, seeds) => {
      const [expected] = PublicKey.findProgramAddressSync(
        seeds.map((each) => Buffer.from(each)),
        new PublicKey(program),
      )
      return programAddress(program, seeds) === expected.toBase58()
    }),
    { numRuns: 60 },
  )
  await fc.assert(
    fc.asyncProperty(keys, fc.string({ maxLength: 32, unit: 'grapheme-ascii' }), async (wallet, seed) => {
      const expected = (await PublicKey.createWithSeed(new PublicKey(wallet), seed, new PublicKey(STAKE))).toBase58()
      return seededAddress(wallet, seed, STAKE) === expected && seededStakeOf(wallet, seed).toBase58() === expected
    }),
  )
  t.pass('no counter-example')
})

t.test('what was derived is remembered, and a thousand others do not make it another', async (t) => {
  const seed = (number: number) => Uint8Array.of(number & 255, number >> 8)
  const first = programAddress(own.program, [seed(0)])
  for (let asked = 0; asked < 200; asked++) t.equal(programAddress(own.program, [seed(0)]), first)
  const others = Array.from({ length: 300 }, (_, number) => programAddress(own.program, [seed(number + 1)]))
  t.equal(new Set([first, ...others]).size, 301)
  t.equal(programAddress(own.program, [seed(0)]), first, 'one that was forgotten is derived again')
})

t.test('the stake account with a validator follows from its seed, too, unless that is none', async (t) => {
  const pool = new PublicKey(own.pool).toBuffer()
  const vote = new PublicKey(vectors.vote).toBuffer()
  const program = new PublicKey(own.program)
  t.equal(validatorStakeOf(own, vectors.vote, 0).toBase58(), PublicKey.findProgramAddressSync([vote, pool], program)[0].toBase58())
  const seed = Buffer.from([0x98, 0xba, 0xdc, 0xfe])
  t.equal(
    validatorStakeOf(own, vectors.vote, 0xfedcba98).toBase58(),
    PublicKey.findProgramAddressSync([vote, pool, seed], program)[0].toBase58(),
  )
})

t.test('an address is its 32 bytes, leading zeros included, and nothing else is one', async (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 32 }), bytes, (zeros, key) => {
      const padded = Uint8Array.from(key, (byte, at) => (at < zeros ? 0 : byte))
      return Buffer.from(keyOf(new PublicKey(padded).toBase58())).equals(Buffer.from(padded))
    }),
  )
  for (const text of ['0', 'l', vectors.wallet.replace('A', 'O'), 'z'.repeat(45)]) t.throws(() => keyOf(text), text)
})

t.test('the writer derives an address once, and forgets the oldest when callers bring many wallets', (t) => {
  const wallet = (number: number) =>
    new PublicKey(
      Buffer.alloc(32)
        .fill(number >> 8, 0, 16)
        .fill(number & 255, 16),
    ).toBase58()
  const first = tokenAccountOf(wallet(1), own)
  t.equal(tokenAccountOf(wallet(1), own), first)
  t.equal(validatorStakeOf(own, wallet(1), 7), validatorStakeOf(own, wallet(1), 7))
  t.not(validatorStakeOf(own, wallet(1), 7).toBase58(), validatorStakeOf(own, wallet(1), 0).toBase58(), 'of every seed its own')
  t.not(validatorStakeOf(own, wallet(1), 7).toBase58(), validatorStakeOf(own, wallet(2), 7).toBase58())
  for (let number = 2; number < 260; number++) tokenAccountOf(wallet(number), own)
  const again = tokenAccountOf(wallet(1), own)
  t.not(again, first, 'it was forgotten')
  t.equal(again.toBase58(), first.toBase58())
  t.end()
})
