/** Facts of a deposit: accounts of the pool that its record names. */
export interface StakeFacts {
  readonly reserve: string
  /** Account to which the manager's fees go. */
  readonly managerFee: string
}

/**
 * Facts of a withdrawal. `tokens` and `deferred` are given, or follow from `books`. A payment by the reserve takes `reserve`, and one in stake
 * the rest: the account that is split is `stakeFrom`, or follows from `vote` and `validatorSeed`.
 */
export interface UnstakeFacts {
  readonly managerFee: string
  /** Pool tokens that are burnt: what was asked for, or all that there are. */
  readonly tokens?: bigint
  /** True if stake leaves the pool rather than SOL its reserve. */
  readonly deferred?: boolean
  readonly books?: Books
  readonly reserve?: string | undefined
  readonly validatorList?: string
  readonly stakeFrom?: string
  /** Validator whose stake leaves, and the suffix of the seeds of the pool's account with it. */
  readonly vote?: string
  readonly validatorSeed?: number
  /** Seed of the new account, and lamports that the account must hold besides. */
  readonly seed?: string
  readonly rent?: bigint
}

/** Statements of a node on wallet and pool, from which it follows how a withdrawal is paid. Amounts in base units. */
export interface Books {
  /** Tokens in the wallet's token account. */
  readonly held: bigint
  /** Lamports that the reserve can pay out. */
  readonly free: bigint
  readonly totalLamports: bigint
  /** Supply of pool tokens. */
  readonly supply: bigint
  /** Share of the tokens that a withdrawal out of the reserve costs. */
  readonly fee: { readonly numerator: bigint; readonly denominator: bigint }
}

/** Decides how a withdrawal is paid: in a stake account only where one is prepared and the reserve has too little, else in SOL. */
export function settled(amount: bigint, facts: UnstakeFacts): { readonly tokens: bigint | undefined; readonly deferred: boolean } {
  const { books, seed } = facts
  if (!books) return { tokens: facts.tokens, deferred: facts.deferred ?? false }
  // The read refuses more than a trifle too much.
  const tokens = amount > books.held ? books.held : amount
  return { tokens, deferred: seed !== undefined && paidFor(tokens, books) > books.free }
}

/** Lamports that tokens bring out of the reserve: what the fee leaves of them, at the pool's price. */
function paidFor(tokens: bigint, { fee: { numerator, denominator }, totalLamports, supply }: Books): bigint {
  const part = tokens * numerator
  const fee = denominator === 0n ? 0n : part / denominator + (part % denominator === 0n ? 0n : 1n)
  return supply === 0n ? 0n : ((tokens - fee) * totalLamports) / supply
}
