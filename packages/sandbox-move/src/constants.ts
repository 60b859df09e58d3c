import { full } from './address.ts'

/** Framework package, and the system package with staking. @see MystenLabs/sui sui-framework/packages (read 2026-11-21) */
export const frameworkPackage = full('0x2')
export const systemPackage = full('0x3')
/** The system's state, a shared object since version 1. */
export const systemObject = full('0x5')
/** Parent of the fields in which address balances are kept. */
export const accumulatorRoot = full('0xacc')

/** Types as nodes write them, with addresses in full. */
export const suiType = `${frameworkPackage}::sui::SUI`
export const coinType = `${frameworkPackage}::coin::Coin<${suiType}>`
export const balanceType = `${frameworkPackage}::balance::Balance<${suiType}>`
export const stakedType = `${systemPackage}::staking_pool::StakedSui`
export const fungibleType = `${systemPackage}::staking_pool::FungibleStakedSui`
export const rateType = `${systemPackage}::staking_pool::PoolTokenExchangeRate`
export const fungibleDataKeyType = `${systemPackage}::staking_pool::FungibleStakedSuiDataKey`
export const fungibleDataType = `${systemPackage}::staking_pool::FungibleStakedSuiData`
export const systemStateType = `${systemPackage}::sui_system::SuiSystemState`

/** MIST of one SUI. */
export const mistPerSui = 1_000_000_000n
export const suiDecimals = 9
/** Least stake: `MIN_STAKING_THRESHOLD` of `staking_pool` and `validator_set`. */
export const minStake = mistPerSui
/** Nominal length of an epoch on mainnet, in milliseconds. */
export const epochDurationMs = 86_400_000
/** Largest u64. */
export const maxU64 = (1n << 64n) - 1n
