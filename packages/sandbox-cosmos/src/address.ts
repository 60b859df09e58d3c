import { ripemd160, sha256 } from '@cosmjs/crypto'
import { fromBech32, toBech32 } from '@cosmjs/encoding'
import { reasonOf, SandboxError, show } from '@svc/sandbox'

/** Longest bech32 text there may be (BIP-173). Given explicitly: without it the library has a limit that its own codec refuses. */
const maxLength = 90

/** The 20 bytes of an account whose compressed secp256k1 key this is. */
export function accountBytes(publicKey: Uint8Array): Uint8Array {
  return ripemd160(sha256(publicKey))
}

/** The 20 bytes of a module's account: nobody has its key. */
export function moduleBytes(name: string): Uint8Array {
  return sha256(new TextEncoder().encode(name)).slice(0, 20)
}

/** Bytes as bech32 text under a prefix. */
export function toAddress(prefix: string, bytes: Uint8Array): string {
  return toBech32(prefix, bytes)
}

/**
 * Reads an address of 20 or 32 bytes.
 *
 * @throws RangeError with what is wrong, as the chain would say it
 */
export function addressBytes(text: string, prefix: string): Uint8Array {
  if (text === '') throw new RangeError('empty address string is not allowed')
  let decoded: ReturnType<typeof fromBech32>
  try {
    decoded = fromBech32(text, maxLength)
  } catch (cause) {
    throw new RangeError(`decoding bech32 failed: ${reasonOf(cause)}`, { cause })
  }
  if (decoded.prefix !== prefix) {
    throw new RangeError(`hrp does not match bech32 prefix: expected '${prefix}' got '${decoded.prefix}'`)
  }
  if (decoded.data.length !== 20 && decoded.data.length !== 32) {
    throw new RangeError(`address length must be 20 or 32 bytes, got ${decoded.data.length}`)
  }
  return decoded.data
}

/**
 * Reads an address that comes from the control port or a scenario.
 *
 * @returns the address in its usual form, in lower case
 * @throws SandboxError `INVALID_INPUT`
 */
export function parseAddress(text: unknown, prefix: string): string {
  try {
    return toBech32(prefix, addressBytes(typeof text === 'string' ? text : '', prefix))
  } catch (cause) {
    const message = `address is ${show(text)}: it must be bech32 with the prefix ${prefix} (${reasonOf(cause)})`
    throw new SandboxError('INVALID_INPUT', message, { cause })
  }
}
