// Addresses that are the same on every cluster, of what any transaction may carry: https://docs.solanalabs.com/runtime/programs,
// https://docs.solanalabs.com/runtime/sysvars (read 2026-11-21).

export const SYSTEM = '11111111111111111111111111111111'
export const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
export const RECENT_BLOCKHASHES = 'SysvarRecentB1ockHashes11111111111111111111'
