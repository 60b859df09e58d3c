/** Names of denominations. @see https://github.com/cosmos/cosmos-sdk/blob/v0.53.8/types/coin.go (reDnmString, read 2026-11-25) */
export const DENOM = /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/
