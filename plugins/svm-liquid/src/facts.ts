import type { PoolRecord } from './record.ts'

/** What a deposit's bytes follow from. */
export interface DepositFacts {
  readonly record: PoolRecord
  /** Lamports that the wallet's token account costs; 0 when it exists. */
  readonly rent: bigint
}

/** What a withdrawal's bytes follow from, all but the last of one state of the chain. */
export interface WithdrawalFacts {
  readonly record: PoolRecord
  /** Tokens in the wallet's token account. */
  readonly held: bigint
  /** Lamports that the reserve can pay out. */
  readonly free: bigint
  /** Null when the reserve can pay. */
  readonly deferral: Deferral | null
}

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
