/** Methods of the staking precompile. @see https://docs.monad.xyz/developer-essentials/staking (read 2026-11-21) */
export const DELEGATE = 'delegate(uint64 validator)'
export const UNDELEGATE = 'undelegate(uint64 validator, uint256 amount, uint8 slot)'
export const WITHDRAW = 'withdraw(uint64 validator, uint8 slot)'
export const CLAIM = 'claimRewards(uint64 validator)'
export const COMPOUND = 'compound(uint64 validator)'

/** Every method of the protocol, for whoever reads a transaction of which he does not know what it should do. */
export const methods: readonly string[] = [DELEGATE, UNDELEGATE, WITHDRAW, CLAIM, COMPOUND]
