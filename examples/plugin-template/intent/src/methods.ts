/** Methods of the vault. */
export const DEPOSIT = 'deposit()'
export const WITHDRAW = 'withdraw(uint256 amount)'
export const REDEEM = 'redeem(uint256 units)'

/** Every method of the protocol, for whoever reads a transaction of which he does not know what it should do. */
export const methods: readonly string[] = [DEPOSIT, WITHDRAW, REDEEM]
