const HARVEST_PARAMS = '(bytes32 root, int160 reward, uint160 unlocked, bytes32[] proof) harvest'

/** Methods of a vault. @see https://github.com/stakewise/v3-core/tree/main/contracts/vaults (tags v1.0.0 to v4.0.1, read 2026-11-21) */
export const DEPOSIT = 'deposit(address receiver, address referrer)'
export const HARVEST_AND_DEPOSIT = `updateStateAndDeposit(address receiver, address referrer, ${HARVEST_PARAMS})`
export const HARVEST = `updateState(${HARVEST_PARAMS})`
export const REDEEM = 'redeem(uint256 shares, address receiver)'
export const EXIT = 'enterExitQueue(uint256 shares, address receiver)'
export const CLAIM = 'claimExitedAssets(uint256 ticket, uint256 timestamp, uint256 index)'
export const ALL = 'multicall(bytes[] calls)'

/** Every method of the protocol, for whoever reads a transaction of which he does not know what it should do. */
export const methods: readonly string[] = [DEPOSIT, HARVEST_AND_DEPOSIT, HARVEST, REDEEM, EXIT, CLAIM, ALL]
