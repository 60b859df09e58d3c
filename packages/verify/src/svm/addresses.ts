// Addresses that are the same on every cluster: https://docs.solanalabs.com/runtime/programs, https://docs.solanalabs.com/runtime/sysvars,
// https://www.solana-program.com/docs (read 2026-11-21).

export const SYSTEM = '11111111111111111111111111111111'
export const STAKE = 'Stake11111111111111111111111111111111111111'
export const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
export const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const ASSOCIATED_TOKEN = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
export const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'
/** The stake pool program of mainnet-beta and testnet. Others are given by whoever reads. */
export const STAKE_POOL = 'SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy'

/** Named by every delegation, though the program no longer reads it. */
export const STAKE_CONFIG = 'StakeConfig11111111111111111111111111111111'
export const CLOCK = 'SysvarC1ock11111111111111111111111111111111'
export const RENT = 'SysvarRent111111111111111111111111111111111'
export const STAKE_HISTORY = 'SysvarStakeHistory1111111111111111111111111'
export const RECENT_BLOCKHASHES = 'SysvarRecentB1ockHashes11111111111111111111'
