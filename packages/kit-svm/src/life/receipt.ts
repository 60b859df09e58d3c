/** Lamports that an account held before a transaction and after it. */
export interface AccountChange {
  readonly address: string
  readonly before: bigint
  readonly after: bigint
}

/** Tokens that a token account held before and after, in base units of its mint. */
export interface TokenChange {
  readonly account: string
  readonly mint: string
  /** Whose account it is; null where the node does not say. */
  readonly owner: string | null
  readonly before: bigint
  readonly after: bigint
}

/** An instruction of the message. What programs call in their turn is not among them. */
export interface RunInstruction {
  readonly program: string
  readonly accounts: readonly string[]
  readonly data: Buffer
}

/** The chain's record of a transaction. */
export interface SvmReceipt {
  /** Who paid the fee. */
  readonly feePayer: string
  /** Lamports. */
  readonly fee: bigint
  /** In the order of the message, with those of lookup tables behind. */
  readonly accounts: readonly AccountChange[]
  readonly tokens: readonly TokenChange[]
  readonly instructions: readonly RunInstruction[]
  /** Lamports that an account must hold for each of its bytes, and for 128 more; as it is now. */
  readonly rentPerByte: bigint
}

/** Lamports that an account of so many bytes must hold. @see https://docs.rs/solana-rent/latest/solana_rent/constant.ACCOUNT_STORAGE_OVERHEAD.html (read 2026-11-22) */
export function rentOf({ rentPerByte }: SvmReceipt, bytes: number): bigint {
  return rentPerByte * BigInt(OVERHEAD + bytes)
}

/** Returns what an account held before and after; nothing where the transaction does not name it. */
export function changeOf({ accounts }: SvmReceipt, address: string): AccountChange {
  return accounts.find((account) => account.address === address) ?? { address, before: 0n, after: 0n }
}

/** Returns what came to a wallet, in lamports, apart from the fee that it paid; below zero for what left it. */
export function gainOf(receipt: SvmReceipt, wallet: string): bigint {
  const { before, after } = changeOf(receipt, wallet)
  return after - before + (receipt.feePayer === wallet ? receipt.fee : 0n)
}

/** Bytes of an account beside its data. Same source. */
export const OVERHEAD = 128
