import { malformed } from '@svc/kit-svm'
import { PublicKey } from '@svc/solana'

/** Tags of the states of a vote account, four bytes: the last before version 4, and version 4. @see https://docs.rs/solana-vote-interface/latest/solana_vote_interface/state/enum.VoteStateVersions.html (read 2026-11-29) */
const V3 = 2
const V4 = 3
/** Places that both have in common, after the tag: the identity, and who may withdraw. */
const WITHDRAWER = 36
/** Where the votes begin: in version 3 after a commission of one byte, in version 4 after two collectors, two commissions, rewards to come and an optional BLS key. */
const VOTES = { [V3]: 69, [V4]: 144 } as const
const BLS_BYTES = 48
const VOTE_BYTES = 13
/** Place of the commission on blocks' revenue in version 4, in basis points. @see SIMD-0185 (read 2026-11-29) */
const BLOCK_COMMISSION = 134
const WHOLE_BPS = 10_000
/** More votes, and more voters to come, than an account has room for: 31 votes, and a voter for each epoch in which one was named. */
const MOST_VOTES = 64n
const MOST_VOTERS = 64n

/** Powers over a vote account, and what it takes. */
interface VoteState {
  /** Address that may set the commission and the voter, and withdraw the account's lamports. Base58. */
  readonly withdrawer: string
  /** Who votes, in order of the epochs from which they do: the last one may be for an epoch to come. */
  readonly voters: readonly string[]
  /** Basis points of the revenue of blocks; null in a version that has none. */
  readonly blockCommissionBps: number | null
}

/** Reads the powers over a vote account from its data. @returns null for a version that is not known here @throws 502 for data that no such version has */
export function readVoteState(data: Buffer): VoteState | null {
  try {
    const tag = data.readUInt32LE(0)
    if (tag !== V3 && tag !== V4) return null
    const blockCommissionBps = tag === V4 ? data.readUInt16LE(BLOCK_COMMISSION) : null
    if (blockCommissionBps !== null && blockCommissionBps > WHOLE_BPS) throw malformed(blockCommissionBps)
    const bls = tag === V4 ? option(data, VOTES[V4], BLS_BYTES) : VOTES[V3]
    const root = bls + 8 + VOTE_BYTES * countAt(data, bls, MOST_VOTES)
    const voters = option(data, root, 8)
    return {
      withdrawer: keyAt(data, WITHDRAWER),
      voters: Array.from({ length: countAt(data, voters, MOST_VOTERS) }, (_, index) => {
        // An epoch of eight bytes, and a key.
        return keyAt(data, voters + 8 + index * 40 + 8)
      }),
      blockCommissionBps,
    }
  } catch (error) {
    // Data that ends too early.
    throw malformed(error)
  }
}

/** @returns the place after an optional value @throws RangeError for a byte that says neither */
function option(data: Buffer, at: number, bytes: number): number {
  const tag = data.readUInt8(at)
  if (tag > 1) throw new RangeError(`byte ${at} is ${tag}, which is no option`)
  return at + 1 + tag * bytes
}

function countAt(data: Buffer, at: number, most: bigint): number {
  const count = data.readBigUInt64LE(at)
  if (count > most) throw new RangeError(`there are ${count} at ${at}`)
  return Number(count)
}

function keyAt(data: Buffer, at: number): string {
  const key = data.subarray(at, at + 32)
  if (key.length < 32) throw new RangeError(`no key ends before ${at + 32}`)
  return new PublicKey(key).toBase58()
}
