import { isDeepStrictEqual } from 'node:util'
import { bcs } from '@mysten/sui/bcs'
import { fromBase64 } from '@mysten/sui/utils'
import fc from 'fast-check'
import t from 'tap'
import { fungibleDataId, rateId, readFungibleData, readFungibleStake, readRate, readStake } from '../src/chain/layouts.ts'
import vectors from './vectors/objects.json' with { type: 'json' }

const U64 = fc.bigInt(0n, (1n << 64n) - 1n)
const ID = fc.uint8Array({ minLength: 32, maxLength: 32 })
const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`
const u64 = (value: bigint) => bcs.u64().serialize(value).toBytes()
const joined = (...parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts))

t.test('a stake and a rate are read as published', async (t) => {
  const { stake, rate } = vectors
  t.same(readStake(fromBase64(stake.content)), {
    id: hex(fromBase64(stake.content).slice(0, 32)),
    pool: stake.pool,
    activationEpoch: BigInt(stake.activationEpoch),
    principal: BigInt(stake.principal),
  })
  t.same(readRate(fromBase64(rate.content)), { epoch: BigInt(rate.epoch), sui: BigInt(rate.sui), tokens: BigInt(rate.tokens) })
})

t.test('identifiers of dynamic fields are those of the chain', async (t) => {
  const { rate, fungibleData } = vectors
  t.equal(rateId(rate.table, BigInt(rate.epoch)), rate.id)
  t.equal(hex(fromBase64(rate.content).slice(0, 32)), rate.id, 'and the one that the entry itself carries')
  t.equal(fungibleDataId(fungibleData.bag), fungibleData.id)
})

t.test('whatever stands in the members is read back', async (t) => {
  const same = (found: object | null, expected: object) => isDeepStrictEqual(found, expected)
  fc.assert(
    fc.property(
      ID,
      ID,
      U64,
      U64,
      (id, pool, one, two) =>
        same(readStake(joined(id, pool, u64(one), u64(two))), { id: hex(id), pool: hex(pool), activationEpoch: one, principal: two }) &&
        same(readFungibleStake(joined(id, pool, u64(one))), { id: hex(id), pool: hex(pool), value: one }) &&
        same(readRate(joined(id, u64(one), u64(two), u64(one))), { epoch: one, sui: two, tokens: one }) &&
        same(readFungibleData(joined(id, Uint8Array.of(0), pool, u64(one), u64(two))), { supply: one, principal: two }),
    ),
  )
  t.pass('no counter-example')
})

t.test('bytes of another length are of another layout', async (t) => {
  for (const [read, size] of [
    [readStake, 80],
    [readFungibleStake, 72],
    [readRate, 56],
    [readFungibleData, 81],
  ] as const) {
    t.equal(read(undefined), null)
    for (const length of [0, size - 1, size + 1, 2 * size]) t.equal(read(new Uint8Array(length)), null, `${length} instead of ${size}`)
    t.not(read(new Uint8Array(size)), null)
  }
})
