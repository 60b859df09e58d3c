import { PublicKey } from '@svc/solana'
import t from 'tap'
import { readVoteState } from '../src/chain/vote-state.ts'

const key = (byte: number) => Buffer.alloc(32, byte)
const text = (byte: number) => new PublicKey(key(byte)).toBase58()
const u64 = (value: bigint) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}
const u16 = (value: number) => Buffer.from([value & 0xff, value >> 8])
/** What follows the commission: so many votes, an optional root, and voters by their epochs. */
const rest = (votes: number, hasRoot: boolean, voters: readonly (readonly [bigint, number])[]) =>
  Buffer.concat([
    u64(BigInt(votes)),
    Buffer.alloc(votes * 13, 5),
    hasRoot ? Buffer.concat([Buffer.from([1]), u64(9n)]) : Buffer.from([0]),
    u64(BigInt(voters.length)),
    ...voters.flatMap(([epoch, byte]) => [u64(epoch), key(byte)]),
    Buffer.alloc(60),
  ])
const v3 = (tail: Buffer) => Buffer.concat([Buffer.from([2, 0, 0, 0]), key(1), key(2), Buffer.from([5]), tail])
const v4 = (tail: Buffer, bls: Buffer, commission = 2_500) =>
  Buffer.concat([Buffer.from([3, 0, 0, 0]), key(1), key(2), key(3), key(4), u16(500), u16(commission), u64(0n), bls, tail])
const NO_KEY = Buffer.from([0])
const BLS = Buffer.concat([Buffer.from([1]), Buffer.alloc(48, 6)])

t.test('withdrawer and voters are found in each version, whatever stands before them', async (t) => {
  const voters = [
    [7n, 8],
    [9n, 10],
  ] as const
  for (const [votes, hasRoot] of [
    [0, false],
    [31, true],
  ] as const) {
    const expected = { withdrawer: text(2), voters: [text(8), text(10)] }
    t.same(readVoteState(v3(rest(votes, hasRoot, voters))), { ...expected, blockCommissionBps: null })
    for (const bls of [NO_KEY, BLS])
      t.same(readVoteState(v4(rest(votes, hasRoot, voters), bls)), { ...expected, blockCommissionBps: 2_500 })
  }
})

t.test('a version that is not known says nothing, and what no account holds is refused', async (t) => {
  t.equal(readVoteState(Buffer.from([1, 0, 0, 0])), null)
  const malformed = [
    Buffer.alloc(2),
    v3(Buffer.alloc(0)),
    v3(u64(65n)),
    v3(Buffer.concat([u64(0n), Buffer.from([2])])),
    v3(Buffer.concat([u64(0n), Buffer.from([0]), u64(1n), u64(7n), key(8).subarray(1)])),
    v4(rest(0, false, []), NO_KEY, 10_001),
  ]
  for (const data of malformed) t.throws(() => readVoteState(data), { name: 'ServiceError' }, data.toString('hex').slice(0, 20))
})
