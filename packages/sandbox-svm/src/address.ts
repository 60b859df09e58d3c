import { SandboxError, show } from '@svc/sandbox'
import { isAddress } from './litesvm.ts'

/** Checks that a value from outside is an address, and returns it. @throws SandboxError `INVALID_INPUT` unless it is an address */
export function checked(address: unknown): string {
  if (isAddress(address)) return address
  throw new SandboxError('INVALID_INPUT', `${show(address)} is no address: it must be base58 of 32 bytes`)
}
