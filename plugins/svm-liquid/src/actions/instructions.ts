import { PublicKey, StakeProgram, SystemProgram, TransactionInstruction } from '@svc/solana'
import { StakePoolInstruction } from '@svc/solana/stake-pool'
import { STAKE_BYTES } from '../chain/accounts.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  seededStakeOf,
  tokenAccountOf,
  validatorStakeOf,
  withdrawAuthorityOf,
} from '../chain/derived-addresses.ts'
import type { PoolRecord } from '../chain/pool.ts'
import type { Pool } from '../network.ts'

/** @see https://www.solana-program.com/docs/memo (read 2026-11-21) */
const MEMO_PROGRAM = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
/** Number of the instruction that makes a token account unless it exists. @see https://www.solana-program.com/docs/associated-token-account (read 2026-11-21) */
const CREATE_IDEMPOTENT = 1
/** Token program that the library's builders name, whatever the pool's. */
const BUILT_IN_TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')

/** A stake account that is given out in place of SOL. */
export interface Deferral {
  /** Validator whose stake leaves, and the suffix of the seeds of the pool's account with it. */
  readonly vote: string
  readonly validatorSeed: number
  /** Fresh: from it and the wallet follows the address of the new account. */
  readonly seed: string
  /** Lamports that the new account must hold besides. */
  readonly rent: bigint
}

/** Makes the instruction that creates the wallet's token account unless it exists. */
export function createTokenAccount(own: Pool, wallet: string): TransactionInstruction {
  const owner = new PublicKey(wallet)
  return new TransactionInstruction({
    programId: ASSOCIATED_TOKEN_PROGRAM,
    keys: [
      { pubkey: owner, isSigner: true, isWritable: true },
      { pubkey: tokenAccountOf(wallet, own), isSigner: false, isWritable: true },
      { pubkey: owner, isSigner: false, isWritable: false },
      { pubkey: new PublicKey(own.mint), isSigner: false, isWritable: false },
      { pubkey: SystemProgram.programId, isSigner: false, isWritable: false },
      { pubkey: new PublicKey(own.tokenProgram), isSigner: false, isWritable: false },
    ],
    data: Buffer.from([CREATE_IDEMPOTENT]),
  })
}

/** Makes the instruction that exchanges lamports of the wallet for pool tokens. @param referral token account of the referral fee; the wallet's own when undefined */
export function depositSol(own: Pool, record: PoolRecord, wallet: string, lamports: bigint, referral?: string): TransactionInstruction {
  const tokens = tokenAccountOf(wallet, own)
  const built = StakePoolInstruction.depositSol({
    stakePool: new PublicKey(own.pool),
    withdrawAuthority: withdrawAuthorityOf(own),
    reserveStake: new PublicKey(record.reserve),
    fundingAccount: new PublicKey(wallet),
    destinationPoolAccount: tokens,
    managerFeeAccount: new PublicKey(record.managerFeeAccount),
    referralPoolAccount: referral === undefined ? tokens : new PublicKey(referral),
    poolMint: new PublicKey(own.mint),
    lamports: 0,
  })
  return finished(own, built, lamports)
}

/** Makes the instruction that exchanges pool tokens of the wallet for lamports from the reserve. */
export function withdrawSol(own: Pool, record: PoolRecord, wallet: string, tokens: bigint): TransactionInstruction {
  const owner = new PublicKey(wallet)
  const built = StakePoolInstruction.withdrawSol({
    stakePool: new PublicKey(own.pool),
    withdrawAuthority: withdrawAuthorityOf(own),
    reserveStake: new PublicKey(record.reserve),
    sourcePoolAccount: tokenAccountOf(wallet, own),
    sourceTransferAuthority: owner,
    destinationSystemAccount: owner,
    managerFeeAccount: new PublicKey(record.managerFeeAccount),
    poolMint: new PublicKey(own.mint),
    poolTokens: 0,
  })
  return finished(own, built, tokens)
}

/** Makes the instructions that exchange pool tokens of the wallet for stake in an account of its own, which starts to deactivate at once. */
export function withdrawStake(
  own: Pool,
  record: PoolRecord,
  wallet: string,
  tokens: bigint,
  { vote, validatorSeed, seed, rent }: Deferral,
): readonly TransactionInstruction[] {
  const owner = new PublicKey(wallet)
  const stake = seededStakeOf(wallet, seed)
  const creation = SystemProgram.createAccountWithSeed({
    fromPubkey: owner,
    newAccountPubkey: stake,
    basePubkey: owner,
    seed,
    lamports: 0,
    space: STAKE_BYTES,
    programId: StakeProgram.programId,
  })
  // Its length stands before the seed; the lamports follow it.
  creation.data.writeBigUInt64LE(rent, 4 + 32 + 8 + seed.length)
  const built = StakePoolInstruction.withdrawStake({
    stakePool: new PublicKey(own.pool),
    validatorList: new PublicKey(record.validatorList),
    withdrawAuthority: withdrawAuthorityOf(own),
    validatorStake: validatorStakeOf(own, vote, validatorSeed),
    destinationStake: stake,
    destinationStakeAuthority: owner,
    sourceTransferAuthority: owner,
    sourcePoolAccount: tokenAccountOf(wallet, own),
    managerFeeAccount: new PublicKey(record.managerFeeAccount),
    poolMint: new PublicKey(own.mint),
    poolTokens: 0,
  })
  const { instructions: deactivate } = StakeProgram.deactivate({ stakePubkey: stake, authorizedPubkey: owner })
  return [creation, finished(own, built, tokens), ...deactivate]
}

/** Makes the instruction that adds a memo to a transaction, and touches no account. */
export function memo(text: string): TransactionInstruction {
  return new TransactionInstruction({ programId: MEMO_PROGRAM, keys: [], data: Buffer.from(text, 'utf8') })
}

/**
 * Finishes what a builder of the library leaves to be done: the builder encodes amounts as doubles, and knows one program and one token
 * program only. All three instructions are a byte that says which, and a u64.
 *
 * @throws RangeError for an amount that is no u64
 */
function finished(own: Pool, built: TransactionInstruction, amount: bigint): TransactionInstruction {
  const data = Buffer.alloc(9)
  built.data.copy(data, 0, 0, 1)
  data.writeBigUInt64LE(amount, 1)
  const tokenProgram = new PublicKey(own.tokenProgram)
  const keys = built.keys.map((key) => (key.pubkey.equals(BUILT_IN_TOKEN_PROGRAM) ? { ...key, pubkey: tokenProgram } : key))
  return new TransactionInstruction({ programId: new PublicKey(own.program), keys, data })
}
