import { SandboxError, show } from '@svc/sandbox'

/** Writes an address or object id in full: `0x5` becomes `0x`, 63 zeros and a 5. */
export function full(short: `0x${string}`): string {
  return `0x${short.slice(2).padStart(64, '0')}`
}

/**
 * Checks an address or object id from outside.
 *
 * @returns it in lower case, in full
 * @throws SandboxError `INVALID_INPUT`
 */
export function parseAddress(name: string, value: unknown): string {
  if (typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)) return value.toLowerCase()
  throw new SandboxError('INVALID_INPUT', `${name} is ${show(value)}: it must be 0x and 64 hex digits`)
}
