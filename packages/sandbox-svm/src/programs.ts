/**
 * Programs and sysvars by their addresses, which are the same on every cluster.
 *
 * @see https://docs.anza.xyz/runtime/programs and https://docs.anza.xyz/runtime/sysvars (read 2026-11-21)
 */
export const system = '11111111111111111111111111111111'
export const stakeProgram = 'Stake11111111111111111111111111111111111111'
export const voteProgram = 'Vote111111111111111111111111111111111111111'
export const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const associatedTokenProgram = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
export const upgradeableLoader = 'BPFLoaderUpgradeab1e11111111111111111111111'
/** Owner of the programs that are built in. */
export const nativeLoader = 'NativeLoader1111111111111111111111111111111'
/** Owner of the sysvars. */
export const sysvarOwner = 'Sysvar1111111111111111111111111111111111111'
export const computeBudgetProgram = 'ComputeBudget111111111111111111111111111111'
export const clockSysvar = 'SysvarC1ock11111111111111111111111111111111'
export const rentSysvar = 'SysvarRent111111111111111111111111111111111'
export const stakeHistorySysvar = 'SysvarStakeHistory1111111111111111111111111'

/**
 * The SPL stake pool program of a cluster.
 *
 * @see https://github.com/solana-program/stake-pool (read 2026-11-21)
 */
export const stakePoolPrograms: Readonly<Record<string, string>> = {
  'mainnet-beta': 'SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy',
  testnet: 'SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy',
  devnet: 'DPoo15wWDqpPJJtS2MUZ49aRxqz5ZaaJCJP4z8bLuib',
}

/**
 * Hash of a cluster's first block.
 *
 * @see https://docs.anza.xyz/clusters/available (read 2026-11-21)
 */
export const genesisHashes: Readonly<Record<string, string>> = {
  'mainnet-beta': '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  testnet: '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY',
  devnet: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
}
