/**
 * Returns the whole part of the `degree`-th root of a non-negative integer. The round constants of SHA-256 and RIPEMD-160 are defined as such roots of small primes; they
 * are computed, since a table could be mistyped.
 */
export function wholeRoot(radicand: bigint, degree: bigint): bigint {
  let bit = 1n
  while ((bit << 1n) ** degree <= radicand) bit <<= 1n
  let root = 0n
  for (; bit > 0n; bit >>= 1n) if ((root + bit) ** degree <= radicand) root += bit
  return root
}

/** Returns the first `count` primes. */
export function primes(count: number): readonly bigint[] {
  const list: number[] = []
  for (let candidate = 2; list.length < count; candidate++) {
    if (list.every((prime) => candidate % prime !== 0)) list.push(candidate)
  }
  return list.map(BigInt)
}
