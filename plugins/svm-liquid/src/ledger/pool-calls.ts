import type { RunInstruction } from '@svc/kit-svm'
import type { Pool } from '../network.ts'

/**
 * Instructions of a stake pool that mint or burn its tokens, by their first byte: those with a bound on what comes out stand second.
 *
 * @see https://docs.rs/spl-stake-pool/latest/spl_stake_pool/instruction/enum.StakePoolInstruction.html (read 2026-11-22)
 */
const TAGS = { depositSol: [14, 25], withdrawSol: [16, 26], withdrawStake: [10, 24] } as const
/** Bytes of the tag and of the amount after it. */
const CALL_BYTES = 9

/** Deposit of lamports. Amounts are those that the wallet signed. */
interface DepositCall {
  readonly kind: 'deposit'
  readonly lamports: bigint
  /** Wallet that pays. */
  readonly from: string
  /** Token account that receives what is minted. */
  readonly tokens: string
  /** Token accounts that receive the fee: the manager's, and the referrer's. */
  readonly fees: readonly [manager: string, referrer: string]
}

/** Withdrawal of lamports, or of stake in an account of its own. */
interface WithdrawalCall {
  readonly kind: 'withdrawal'
  readonly of: 'sol' | 'stake'
  /** Pool tokens, the fee among them. */
  readonly amount: bigint
  /** Token account that gives them. */
  readonly tokens: string
  /** Account of the pool from which the lamports come. */
  readonly source: string
  /** Wallet that receives the lamports, or may withdraw the stake. */
  readonly to: string
  readonly fees: readonly [manager: string]
}

/** Instruction to a pool. */
export type PoolCall = DepositCall | WithdrawalCall

/** Reads the deposits of SOL and the withdrawals that a message itself has for a pool; what programs call within others is not among them. */
export function poolCalls(instructions: readonly RunInstruction[], own: Pick<Pool, 'program' | 'pool'>): readonly PoolCall[] {
  return instructions
    .filter(({ program, accounts }) => program === own.program && accounts[0] === own.pool)
    .flatMap((each) => callOf(each) ?? [])
}

/** @see https://github.com/solana-program/stake-pool (program/src/instruction.rs; read 2026-11-29) */
function callOf({ data, accounts }: RunInstruction): PoolCall | null {
  if (data.length < CALL_BYTES) return null
  const is = (tags: readonly number[]) => tags.includes(data[0] ?? -1)
  const [amount, at] = [data.readBigUInt64LE(1), (index: number) => accounts[index] ?? '']
  if (is(TAGS.depositSol)) return { kind: 'deposit', lamports: amount, from: at(3), tokens: at(4), fees: [at(5), at(6)] }
  if (is(TAGS.withdrawSol)) return { kind: 'withdrawal', of: 'sol', amount, tokens: at(3), source: at(4), to: at(5), fees: [at(6)] }
  if (is(TAGS.withdrawStake)) return { kind: 'withdrawal', of: 'stake', amount, tokens: at(7), source: at(3), to: at(5), fees: [at(8)] }
  return null
}
