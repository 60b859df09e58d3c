// Addresses that are the same on every cluster, of what any transaction may carry: https://docs.solanalabs.com/runtime/programs,
// https://docs.solanalabs.com/runtime/sysvars (read 2026-11-21).

export const SYSTEM = '11111111111111111111111111111111'
export const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
export const RECENT_BLOCKHASHES = 'SysvarRecentB1ockHashes11111111111111111111'
/** Programs that leave notes; the first is the present one, the other its first version. @see https://www.solana-program.com/docs/memo (read 2026-11-21) */
export const MEMOS: readonly string[] = ['MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo']
/** Program that makes token accounts at the address derived from owner and mint. @see https://docs.rs/spl-associated-token-account (read 2026-11-21) */
export const ASSOCIATED_TOKEN = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
/** Program that asserts the contents of accounts. @see https://github.com/Jac0xb/lighthouse (read 2026-11-28) */
export const LIGHTHOUSE = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95'
