/** Bytes that the chain counts for an account beside its data, and lamports a byte: never more since genesis. @see https://docs.rs/solana-rent/latest/solana_rent/ (read 2026-11-22) */
const ACCOUNT_BYTES = 128n
const LAMPORTS_A_BYTE = 6960n

/** Computes the highest possible rent of an account, in lamports. @param bytes of its data */
export function rentCeiling(bytes: bigint): bigint {
  return (ACCOUNT_BYTES + bytes) * LAMPORTS_A_BYTE
}
