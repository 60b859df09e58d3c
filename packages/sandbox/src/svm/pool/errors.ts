/** Codes of the stake pool program. @see https://github.com/solana-program/stake-pool program/src/error.rs (read 2026-11-21) */
export const poolError = {
  invalidProgramAddress: 1,
  invalidState: 2,
  signatureMissing: 7,
  invalidValidatorStakeList: 8,
  invalidFeeAccount: 9,
  wrongPoolMint: 10,
  wrongStakeStake: 11,
  validatorNotFound: 14,
  invalidStakeAccountAddress: 15,
  stakeListAndPoolOutOfDate: 17,
  stakeLamportsNotEqualToMinimum: 23,
  incorrectWithdrawVoteAddress: 25,
  withdrawalTooSmall: 28,
  depositTooSmall: 29,
  invalidSolDepositAuthority: 31,
  invalidSolWithdrawAuthority: 34,
  solWithdrawalTooLarge: 35,
  exceededSlippage: 39,
} as const

/** What a pool instruction is refused with: a code of the pool, or one that every program shares. */
export class PoolRefusal extends Error {
  readonly inner: string | { readonly Custom: number }
  /** Line that the program writes to its log. */
  readonly line: string | undefined

  constructor(inner: keyof typeof poolError | { readonly shared: string }, line?: string) {
    super(line ?? String(inner))
    this.name = 'PoolRefusal'
    this.inner = typeof inner === 'string' ? { Custom: poolError[inner] } : inner.shared
    this.line = line
  }
}

/** @throws PoolRefusal unless it holds */
export function must(holds: boolean, inner: ConstructorParameters<typeof PoolRefusal>[0], line?: string): asserts holds {
  if (!holds) throw new PoolRefusal(inner, line)
}
