import { PublicKey } from '@svc/solana'
import t from 'tap'
import { readPool, readValidators } from '../src/chain/pool.ts'
import { network, poolBytes } from './fixtures.ts'
import vectors from './vectors/transactions.json' with { type: 'json' }

t.test('a pool is read as the vector says', async (t) => {
  const { reserve, mint, managerFeeAccount, vote } = vectors
  t.match(readPool(poolBytes), {
    reserve,
    mint,
    managerFeeAccount,
    tokenProgram: network.token_program,
    totalLamports: 1144546482246437n,
    supply: 934784722219576n,
    updatedEpoch: 1000n,
    epochFee: { numerator: 5n, denominator: 100n },
    solDepositFee: { numerator: 8n, denominator: 10_000n },
    solReferralFee: 50,
    solWithdrawalFee: { numerator: 3n, denominator: 1000n },
    stakeWithdrawalFee: { numerator: 0n, denominator: 1000n },
    solDepositAuthority: null,
    solWithdrawAuthority: null,
    preferredWithdraw: vote,
    last: { totalLamports: 1143765949243349n, supply: 934507756460400n },
  })
  t.equal(PublicKey.isOnCurve(readPool(poolBytes).validatorList), true, 'the list is where key 54 is')
})

t.test('amounts beyond what a double holds are read to the last unit', async (t) => {
  const bytes = Buffer.from(poolBytes)
  bytes.writeBigUInt64LE(2n ** 64n - 1n, 258)
  bytes.writeBigUInt64LE(2n ** 53n + 1n, 266)
  t.match(readPool(bytes), { totalLamports: 18446744073709551615n, supply: 9007199254740993n })
})

t.test('the authorities of a permissioned pool are read', async (t) => {
  // Where the vector has the tag of the option.
  const at = 415
  const withAuthority = Buffer.concat([
    poolBytes.subarray(0, at),
    Buffer.from([1]),
    new PublicKey(vectors.wallet).toBuffer(),
    poolBytes.subarray(at + 1),
  ])
  const read = readPool(withAuthority)
  t.equal(read.solDepositAuthority, vectors.wallet)
  t.same({ ...read, solDepositAuthority: null }, readPool(poolBytes), 'and what follows it')
})

t.test('what is no pool is refused', async (t) => {
  for (const [name, bytes] of [
    ['nothing', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(611)],
    ['a list', Buffer.concat([Buffer.from([2]), poolBytes.subarray(1)])],
    ['a part', poolBytes.subarray(0, 300)],
  ] as const)
    t.throws(() => readPool(bytes), name)
})

/** A list as the program writes it. */
function listOf(...entries: readonly { active: bigint; seed: number; status: number; vote: string }[]): Buffer {
  const head = Buffer.alloc(9)
  head[0] = 2
  head.writeUInt32LE(100, 1)
  head.writeUInt32LE(entries.length, 5)
  const rows = entries.map(({ active, seed, status, vote }) => {
    const row = Buffer.alloc(73)
    row.writeBigUInt64LE(active, 0)
    row.writeBigUInt64LE(7n, 8)
    row.writeBigUInt64LE(1000n, 16)
    row.writeBigUInt64LE(3n, 24)
    row.writeUInt32LE(0xdead, 32)
    row.writeUInt32LE(seed, 36)
    row[40] = status
    new PublicKey(vote).toBuffer().copy(row, 41)
    return row
  })
  return Buffer.concat([head, ...rows, Buffer.alloc(73 * (100 - entries.length))])
}

t.test('validators are read with their seeds, and whether they stay', async (t) => {
  const [one, two] = [vectors.vote, vectors.pool]
  const bytes = listOf(
    { active: 2n ** 63n + 1n, seed: 0, status: 0, vote: one },
    { active: 5n, seed: 0xfedcba98, status: 2, vote: two },
    { active: 6n, seed: 1, status: 4, vote: two },
  )
  t.same(readValidators(bytes), [
    { vote: one, seed: 0, activeLamports: 2n ** 63n + 1n, active: true },
    { vote: two, seed: 0xfedcba98, activeLamports: 5n, active: false },
    { vote: two, seed: 1, activeLamports: 6n, active: false },
  ])
  t.same(readValidators(listOf()), [])
  t.throws(() => readValidators(poolBytes), 'a pool is no list')
  t.throws(() => readValidators(bytes.subarray(0, 100)), 'a cut list')
})
