import { SandboxError } from './error.ts'
import { show } from './input.ts'

/**
 * Reads an amount in native units exactly: `1.5` with 18 decimals is 1500000000000000000.
 *
 * @throws SandboxError `INVALID_INPUT` for anything but digits with at most one point, for more decimals than the chain has,
 * for zero, and for 2^128 base units and more
 */
export function parseUnits(text: unknown, decimals: number): bigint {
  const refuse = (why: string) => new SandboxError('INVALID_INPUT', `amount is ${show(text)}: ${why}`)
  const parts = typeof text === 'string' && text.length <= 80 ? /^(\d+)(?:\.(\d+))?$/.exec(text) : null
  if (parts === null) throw refuse('it must be decimal text in native units, such as "1.5"')
  const [, whole = '', fraction = ''] = parts
  if (fraction.length > decimals) throw refuse(`it has ${fraction.length} decimals, and the chain has ${decimals}`)
  const units = BigInt(whole + fraction.padEnd(decimals, '0'))
  if (units === 0n) throw refuse('it must be more than zero')
  if (units >> 128n !== 0n) throw refuse('it is more than any chain holds')
  return units
}

/**
 * Reads an amount for a chain, as scenarios and the control port give it.
 *
 * @param amount base units as a bigint, or decimal text in native units
 * @param unit what the chain calls a base unit, for messages
 * @throws SandboxError `INVALID_INPUT` for zero and less, and as `parseUnits` does
 */
export function parseAmount(amount: bigint | string, decimals: number, unit: string): bigint {
  if (typeof amount === 'string') return parseUnits(amount, decimals)
  if (amount > 0n) return amount
  throw new SandboxError('INVALID_INPUT', `amount is ${amount} ${unit}: it must be more than zero`)
}

/** Writes base units as exact decimal text without needless zeros, the reverse of `parseUnits`. */
export function formatUnits(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return digits.slice(0, digits.length - decimals) + (fraction === '' ? '' : `.${fraction}`)
}
