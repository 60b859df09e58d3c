const MIST = 1_000_000_000n

/** MIST as SUI, exact. */
export function sui(mist: bigint): string {
  const fraction = String(mist % MIST).padStart(9, '0')
  return `${mist / MIST}.${fraction}`.replace(/\.?0+$/, '')
}

/** MIST of an amount that the service answered: nine decimals, which a double of this size holds. */
export function mistOf(amount: number): bigint {
  const [whole = '', fraction = ''] = amount.toFixed(9).split('.')
  return BigInt(whole) * MIST + BigInt(fraction)
}
