/** Methods of the staking contract. Public contract sources (read 2026-11-21). */
export const DELEGATE = 'delegate(bytes32 pool)'
export const UNDELEGATE = 'undelegate(bytes32 pool)'
export const WITHDRAW = 'claimStake(bytes32 pool)'
export const CLAIM = 'claimReward(bytes32 pool)'
export const COMPOUND = 'compoundRewards(bytes32 pool)'

/** Every method of the protocol, for whoever reads a transaction of which he does not know what it should do. */
export const methods: readonly string[] = [DELEGATE, UNDELEGATE, WITHDRAW, CLAIM, COMPOUND]
