import t from 'tap'
import { readNextFees } from '../src/chain/next-fees.ts'
import { percentText } from '../src/yield.ts'

/** Bytes of a pool before the fee of the next epoch. */
const BEFORE = Buffer.alloc(346)
const NONE = Buffer.from([0])
const KEY = Buffer.concat([Buffer.from([1]), Buffer.alloc(32, 7)])
const FEE = Buffer.alloc(16)
const next = (waits: number, denominator: bigint, numerator: bigint) => {
  const bytes = Buffer.alloc(17)
  bytes.writeUInt8(waits)
  bytes.writeBigUInt64LE(denominator, 1)
  bytes.writeBigUInt64LE(numerator, 9)
  return bytes
}

/** A pool's account with so many of its optional addresses. */
function pool([epoch, stake, sol]: readonly [Buffer, Buffer, Buffer], [deposits, preferred, sols, withdrawals]: readonly Buffer[]): Buffer {
  const between = [preferred!, withdrawals!, FEE, FEE, stake, Buffer.from([9]), deposits!, FEE, Buffer.from([50]), sols!, FEE]
  return Buffer.concat([BEFORE, epoch, ...between, sol, Buffer.alloc(16)])
}

t.test('fees to come are found whatever stands before them, each with the epoch from which it counts', async (t) => {
  for (const options of [
    [NONE, NONE, NONE, NONE],
    [KEY, NONE, KEY, NONE],
    [KEY, KEY, KEY, KEY],
  ]) {
    t.same(readNextFees(pool([NONE, NONE, NONE], options), 7n), { epoch: null, stakeWithdrawal: null, solWithdrawal: null })
    const fees = readNextFees(pool([next(2, 100n, 10n), next(1, 1000n, 3n), next(2, 3n, 1n)], options), 7n)
    t.same(fees, {
      epoch: { fee: { denominator: 100n, numerator: 10n }, epoch: 9n },
      stakeWithdrawal: { fee: { denominator: 1000n, numerator: 3n }, epoch: 8n },
      solWithdrawal: { fee: { denominator: 3n, numerator: 1n }, epoch: 9n },
    })
  }
  const alone = readNextFees(pool([NONE, NONE, next(1, 100n, 1n)], [NONE, KEY, NONE, NONE]), 7n)
  t.same([alone.epoch, alone.solWithdrawal?.epoch], [null, 8n])
})

t.test('what no pool has is refused', async (t) => {
  t.throws(() => readNextFees(pool([next(3, 100n, 10n), NONE, NONE], [NONE, NONE, NONE, NONE]), 7n), /waits for 1 update or for 2/)
  t.throws(() => readNextFees(BEFORE, 7n))
})

t.test('a fee is written in percent', async (t) => {
  const text = (numerator: bigint, denominator: bigint) => percentText({ numerator, denominator })
  t.same([text(5n, 100n), text(8n, 10_000n), text(0n, 0n), text(1n, 3n), text(7n, 7n)], ['5', '0.08', '0', '33.333333333333333333', '100'])
})
