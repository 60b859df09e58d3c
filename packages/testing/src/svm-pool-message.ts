import { fromBase58, type Instruction, SVM } from './svm-message.ts'

/** Addresses of a stake pool, and the pool tokens of whoever calls it. */
export interface SvmPool {
  readonly program: string
  readonly pool: string
  /** What the program signs with. */
  readonly authority: string
  readonly reserve: string
  readonly list: string
  readonly mint: string
  /** Token account that fees go to. */
  readonly fees: string
  /** Stake of the pool's only validator. */
  readonly stake: string
}

/** Numbers of the program's instructions. @see spl-stake-pool 2.2.0, src/instruction.rs, enum StakePoolInstruction (read 2026-11-25) */
const CALLS = { withdrawStake: 10, depositSol: 14, withdrawSol: 16, depositSolAtLeast: 25, withdrawSolAtLeast: 26 } as const
/** @see https://spl.solana.com/associated-token-account (read 2026-11-25) */
export const ASSOCIATED = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'

const written = (address: string) => ({ address, writable: true })
const read = (address: string) => ({ address })
const signing = (address: string) => ({ address, signer: true, writable: true })

/** Makes the instruction that creates a wallet's token account, unless it exists. @param account its address */
export function createTokens(wallet: string, account: string, mint: string): Instruction {
  const accounts = [signing(wallet), written(account), ...[wallet, mint, SVM.system, SVM.token].map(read)]
  return { program: ASSOCIATED, accounts, data: Buffer.of(1) }
}

/** Makes the instruction that creates an empty account of a program. @param account signs besides the payer */
export function createAccount(payer: string, account: string, size: number, owner: string, lamports: bigint): Instruction {
  const data = Buffer.concat([u32(0), u64(lamports), u64(BigInt(size)), fromBase58(owner)])
  return { program: SVM.system, accounts: [signing(payer), signing(account)], data }
}

/** Makes the instruction that exchanges lamports for pool tokens. @param least fewer tokens are refused */
export function depositSol(pool: SvmPool, wallet: string, tokens: string, lamports: bigint, least?: bigint): Instruction {
  const accounts = [
    written(pool.pool),
    read(pool.authority),
    written(pool.reserve),
    signing(wallet),
    ...[tokens, pool.fees, tokens, pool.mint].map(written),
    read(SVM.system),
    read(SVM.token),
  ]
  const data =
    least === undefined ? [Buffer.of(CALLS.depositSol), u64(lamports)] : [Buffer.of(CALLS.depositSolAtLeast), u64(lamports), u64(least)]
  return { program: pool.program, accounts, data: Buffer.concat(data) }
}

/** Makes the instruction that exchanges pool tokens for lamports of the reserve. @param least fewer lamports are refused */
export function withdrawSol(pool: SvmPool, wallet: string, tokens: string, amount: bigint, least?: bigint): Instruction {
  const accounts = [
    written(pool.pool),
    read(pool.authority),
    signing(wallet),
    written(tokens),
    written(pool.reserve),
    written(wallet),
    written(pool.fees),
    written(pool.mint),
    ...[SVM.clock, SVM.stakeHistory, SVM.stake, SVM.token].map(read),
  ]
  const data =
    least === undefined ? [Buffer.of(CALLS.withdrawSol), u64(amount)] : [Buffer.of(CALLS.withdrawSolAtLeast), u64(amount), u64(least)]
  return { program: pool.program, accounts, data: Buffer.concat(data) }
}

/**
 * Makes the instruction that exchanges pool tokens for stake.
 *
 * @param to an empty stake account
 * @param from whose stake is split
 */
export function withdrawPoolStake(
  pool: SvmPool,
  wallet: string,
  tokens: string,
  amount: bigint,
  to: string,
  from = pool.stake,
): Instruction {
  const accounts = [
    written(pool.pool),
    written(pool.list),
    read(pool.authority),
    written(from),
    written(to),
    read(wallet),
    signing(wallet),
    written(tokens),
    written(pool.fees),
    written(pool.mint),
    ...[SVM.clock, SVM.token, SVM.stake].map(read),
  ]
  return { program: pool.program, accounts, data: Buffer.concat([Buffer.of(CALLS.withdrawStake), u64(amount)]) }
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}
