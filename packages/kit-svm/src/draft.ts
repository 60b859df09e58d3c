import type { Keypair, TransactionInstruction } from '@svc/solana'
import type { ErrorTable } from './errors/table.ts'

/** A transaction in the family's own words. */
export interface SvmDraft {
  /** Address that signs and pays the fee. */
  readonly feePayer: string
  /** Instructions without those of the compute budget and the nonce, which are put before them. */
  readonly instructions: readonly TransactionInstruction[]
  /** Key of an account that the transaction makes; it signs that, and is forgotten. */
  readonly ephemeral?: Keypair
  /** Compute units to allow when the node does not say how many the simulation used. More than five times as many are not believed. */
  readonly unitLimit: number
  /** Lamports that the instructions take out of the wallet: transfers and rent, without the fee. */
  readonly spends: bigint
  /** Errors of programs that the kit does not know, by the programs' addresses. */
  readonly errors?: Readonly<Record<string, ErrorTable>>
}
