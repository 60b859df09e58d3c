/** Returns the smaller of two integers. */
export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** Returns the larger of two integers. */
export const most = (a: bigint, b: bigint): bigint => (a > b ? a : b)
