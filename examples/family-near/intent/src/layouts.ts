import type { NearMethod } from './near/index.ts'

// Methods of a staking pool. https://github.com/near/core-contracts/blob/1c58c1f/staking-pool/src/lib.rs (read 2026-11-23)

/** Takes the deposit, and stakes it. */
export const depositAndStake: NearMethod = { name: 'deposit_and_stake', args: {} }
/** Takes stake out, in yocto: free four epochs later, with all that was taken out before and is not withdrawn. */
export const unstakeSome: NearMethod = { name: 'unstake', args: { amount: 'u128' } }
/** The same with all stake. */
export const unstakeAll: NearMethod = { name: 'unstake_all', args: {} }
/** Pays out all that is free. */
export const withdrawAll: NearMethod = { name: 'withdraw_all', args: {} }

/** All that can be read. */
export const layouts: readonly NearMethod[] = [depositAndStake, unstakeSome, unstakeAll, withdrawAll]
