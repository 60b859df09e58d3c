const LAMPORTS = 1_000_000_000n

/** Lamports as SOL, exact. */
export function sol(lamports: bigint): string {
  const fraction = String(lamports % LAMPORTS).padStart(9, '0')
  return `${lamports / LAMPORTS}.${fraction}`.replace(/\.?0+$/, '')
}

/** Lamports of an amount that the service answered: nine decimals, which a double of this size holds. */
export function lamportsOf(amount: number): bigint {
  const [whole = '', fraction = ''] = amount.toFixed(9).split('.')
  return BigInt(whole) * LAMPORTS + BigInt(fraction)
}
