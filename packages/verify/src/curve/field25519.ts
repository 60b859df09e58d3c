// The field and the constant of edwards25519: https://www.rfc-editor.org/rfc/rfc8032#section-5.1 (read 2026-11-22)
export const P = 2n ** 255n - 19n
export const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n

/** Reduces an integer modulo p to a non-negative remainder. */
export function mod(value: bigint): bigint {
  const rest = value % P
  return rest < 0n ? rest + P : rest
}

/** Raises an element of the field to a power. @param exponent not below 0 */
export function power(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, mod(base)]
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = mod(result * square)
    square = mod(square * square)
  }
  return result
}
