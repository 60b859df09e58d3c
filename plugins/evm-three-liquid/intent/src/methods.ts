/** Methods of Magma's vault. @see https://github.com/MagmaStaking/contracts-public (read 2026-11-21) */
export const DEPOSIT = 'depositMON(address receiver, uint256 referral)'
export const DEPOSIT_WITH = 'depositMONGVault(address receiver, uint64 validator, uint256 referral)'
export const REDEEM = 'requestRedeem(uint256 shares, address controller, address owner)'
export const REDEEM_FROM = 'requestRedeemGVault(uint256 shares, address controller, address owner, uint64 validator)'
export const CLAIM = 'redeemMON(uint256 request, address controller, address receiver)'

/** Every method of the protocol, for whoever reads a transaction of which he does not know what it should do. */
export const methods: readonly string[] = [DEPOSIT, DEPOSIT_WITH, REDEEM, REDEEM_FROM, CLAIM]
