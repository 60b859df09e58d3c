/** Decimal places of NEAR, and a whole one in yocto. @see https://docs.near.org/protocol/network/token (read 2026-11-23) */
export const DECIMALS = 24
export const NEAR = 10n ** 24n

/** Blocks of an epoch, milliseconds of a block, and for how many epochs a node keeps what was. @see near/nearcore epoch_configs/mainnet/85.json (read 2026-11-23) */
export const EPOCH_BLOCKS = 43_200n
export const BLOCK_MS = 600
export const KEPT_EPOCHS = 5n
/** Blocks for which a block hash lives. @see near/nearcore genesis parameter transaction_validity_period (read 2026-11-23) */
export const LIFE_BLOCKS = 86_400n
/** Epochs until what was taken out of stake is free. @see near/core-contracts 1c58c1f staking-pool/src/lib.rs NUM_EPOCHS_TO_UNLOCK (read 2026-11-23) */
export const UNLOCK_EPOCHS = 4n

/** Yocto for a unit of gas, and the least price at which it is bought. @see NEP-642 (read 2026-11-23) */
export const GAS_PRICE = 100_000_000n
export const PURCHASE_PRICE = 1_000_000_000n
/** Gas that a call of the pool burns here beside what every call burns: made up, below what wallets attach. */
export const CALL_GAS = 20_000_000_000_000n
/** Works out the gas of sending a call whose method and arguments have so many bytes. @see near/nearcore runtime/runtime/src/config.rs (read 2026-11-23) */
export const sendGas = (bytes: bigint) => 308_059_500_000n + 47_683_715n * bytes
/** Works out the gas of executing that call. @see near/nearcore runtime/runtime/src/config.rs (read 2026-11-23) */
export const runGas = (bytes: bigint) => 888_059_500_000n + 2_235_934n * bytes

/** Bytes of an account that bind nothing, and yocto for each byte of a larger one. @see NEP-448 (read 2026-11-23) */
export const FREE_STORAGE = 770n
export const STORAGE_PRICE = 10n ** 19n
