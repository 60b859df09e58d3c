/** Decimal places of SOL: a lamport is a billionth. @see https://solana.com/docs/references/terminology (read 2026-11-21) */
export const DECIMALS = 9
