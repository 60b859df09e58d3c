import { createHash } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { primes, wholeRoot } from '../../src/bytes/roots.ts'
import { sha256 } from '../../src/bytes/sha256.ts'
import { ripemd160 } from '../../src/cosmos/ripemd160.ts'
import { bytes, readVectors } from '../support/vectors.ts'
import { digits } from './support/vectors.ts'

interface Vector {
  readonly message: string
  readonly times: number
  readonly digest: string
}

const published = readVectors<{ sha256: readonly Vector[]; ripemd160: readonly Vector[] }>('cosmos-hashes')

for (const [name, hash] of [
  ['sha256', sha256],
  ['ripemd160', ripemd160],
] as const) {
  t.test(`${name} gives the published digests`, async (t) => {
    t.ok(published[name].length >= 9)
    for (const { message, times, digest } of published[name]) {
      const data = bytes(message.repeat(times))
      t.equal(digits(hash(data)), digest, `${data.length} bytes`)
    }
  })

  t.test(`${name} agrees with OpenSSL on every length around its blocks, and on any bytes`, async (t) => {
    const theirs = (data: Uint8Array) => createHash(name).update(data).digest('hex')
    for (let length = 0; length <= 200; length++) {
      const data = new Uint8Array(length).fill(length)
      if (digits(hash(data)) !== theirs(data)) t.fail(`${length} bytes`)
    }
    t.doesNotThrow(() => fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (data) => digits(hash(data)) === theirs(data))))
  })

  t.test(`${name} of a view hashes the view, and keeps nothing from one message to the next`, async (t) => {
    const buffer = bytes('ffffff616263ffff')
    const first = digits(hash(buffer.subarray(3, 6)))
    hash(new Uint8Array(500).fill(7))
    t.equal(digits(hash(bytes('616263'))), first)
    t.equal(digits(buffer), 'ffffff616263ffff')
  })
}

t.test('the whole root is the largest integer whose power does not exceed the radicand', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 1n << 200n }), fc.constantFrom(2n, 3n), (radicand, degree) => {
        const root = wholeRoot(radicand, degree)
        return root ** degree <= radicand && (root + 1n) ** degree > radicand
      }),
    ),
  )
  t.strictSame(primes(10), [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n])
  t.equal(primes(64).at(-1), 311n)
})
