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
  /** Owner of the account before; null where there was none, or the node does not tell. */
  readonly ownerBefore: string | null
  /** Owner of the account after, or before where it is closed; null where the node does not tell. */
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

/** Stake that an instruction of a transaction delegated, or began to free. */
export interface StakeChange {
  /** Address of the stake account. */
  readonly account: string
  readonly kind: 'delegated' | 'deactivated'
  /** Lamports; null where nothing proves them any more. */
  readonly amount: bigint | null
  /** A sentence that says why the amount is null. */
  readonly reason: string | null
}

/** The chain's record of a transaction. */
export interface SvmReceipt {
  /** Address that paid the fee. */
  readonly feePayer: string
  /** Lamports. */
  readonly fee: bigint
  /** In the order of the message, with those of lookup tables behind. */
  readonly accounts: readonly AccountChange[]
  readonly tokens: readonly TokenChange[]
  readonly instructions: readonly RunInstruction[]
  /** Each stake account once for each kind. No record of a transaction holds these amounts: they are read from the accounts, with a proof that they are still of it. */
  readonly stakes: readonly StakeChange[]
}

/** Returns the balances of an account before and after a transaction; zeros where the transaction does not name it. */
export function changeOf({ accounts }: Pick<SvmReceipt, 'accounts'>, address: string): AccountChange {
  return accounts.find((account) => account.address === address) ?? { address, before: 0n, after: 0n }
}

/** Returns the change of a wallet's balance, in lamports, apart from the fee that it paid; below zero for a loss. */
export function gainOf(receipt: SvmReceipt, wallet: string): bigint {
  const { before, after } = changeOf(receipt, wallet)
  return after - before + (receipt.feePayer === wallet ? receipt.fee : 0n)
}
