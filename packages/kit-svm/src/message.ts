import { ComputeBudgetProgram, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import type { SvmDraft } from './assemble.ts'
import type { DurableNonce } from './nonce.ts'

/** What stands in a transaction besides its draft. */
export interface Frame {
  readonly blockhash: string
  readonly nonce: DurableNonce | null
  /** Compute units. */
  readonly unitLimit: number
  /** Millionths of a lamport for each unit. */
  readonly unitPrice: number
}

/** The transaction of a draft. Advancing the nonce must come first: only there does the chain take the hash for a nonce. */
export function transactionOf({ feePayer, instructions }: SvmDraft, { blockhash, nonce, unitLimit, unitPrice }: Frame): Transaction {
  const wallet = new PublicKey(feePayer)
  const transaction = new Transaction()
  transaction.feePayer = wallet
  transaction.recentBlockhash = blockhash
  if (nonce) transaction.add(SystemProgram.nonceAdvance({ noncePubkey: new PublicKey(nonce.account), authorizedPubkey: wallet }))
  return transaction.add(
    ComputeBudgetProgram.setComputeUnitLimit({ units: unitLimit }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: unitPrice }),
    ...instructions,
  )
}

/** The bytes that travel, with zeros for signatures that are missing. */
export function bytesOf(transaction: Transaction): Buffer {
  return transaction.serialize({ requireAllSignatures: false, verifySignatures: false })
}
