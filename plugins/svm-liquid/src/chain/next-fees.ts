/** A part of an amount. A denominator of 0 means none. */
export interface Fee {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** A fee that is announced, and the epoch from which it counts. */
export interface NextFee {
  readonly fee: Fee
  readonly epoch: bigint
}

/** Fees that a pool has announced; null where none is. */
export interface NextFees {
  readonly epoch: NextFee | null
  readonly stakeWithdrawal: NextFee | null
  readonly solWithdrawal: NextFee | null
}

/** Place of the fee of an epoch to come in a pool's account; what is after it stands where what is before it lets it. */
const NEXT_EPOCH_FEE = 346
const FEE_BYTES = 16
const KEY_BYTES = 32

/**
 * Reads the coming fees of a pool from the data of its account: the library reads such a fee without the number of epochs' updates that it waits for.
 *
 * @param updated epoch in which the pool's books were last made up
 * @throws RangeError when the data ends too early, or has no such byte
 * @see https://github.com/solana-program/stake-pool (program/src/state.rs, FutureEpoch; read 2026-11-29)
 */
export function readNextFees(data: Buffer, updated: bigint): NextFees {
  let at = NEXT_EPOCH_FEE
  const option = () => {
    at += 1 + (data.readUInt8(at) === 0 ? 0 : KEY_BYTES)
  }
  const next = (): NextFee | null => {
    const waits = data.readUInt8(at)
    if (waits > 2) throw new RangeError(`byte ${at} is ${waits}, and a fee waits for 1 update or for 2`)
    const place = at + 1
    at = place + (waits === 0 ? 0 : FEE_BYTES)
    if (waits === 0) return null
    const fee = { denominator: data.readBigUInt64LE(place), numerator: data.readBigUInt64LE(place + 8) }
    return { fee, epoch: updated + BigInt(waits) }
  }
  const epoch = next()
  // Two preferred validators; what a deposit and a withdrawal of stake cost now.
  option()
  option()
  at += 2 * FEE_BYTES
  const stakeWithdrawal = next()
  // A percentage for referrers, who must sign deposits of SOL, their fee, another percentage; who must sign withdrawals of SOL, and their fee.
  at += 1
  option()
  at += FEE_BYTES + 1
  option()
  at += FEE_BYTES
  return { epoch, stakeWithdrawal, solWithdrawal: next() }
}
