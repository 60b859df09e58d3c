import contracts from './contracts.generated.json' with { type: 'json' }

/**
 * Multicall3's address, the same on every EVM chain it was put on.
 *
 * @see https://github.com/mds1/multicall, its README (read 2026-11-21)
 */
export const multicallAddress = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** Run-time code of a contract that answers to Multicall3's `aggregate3`, `aggregate3Value` and its block and balance reads. */
export const multicallCode = contracts.Multicall.deployedBytecode

/** The ABI of that code. */
export const multicallAbi = contracts.Multicall.abi
