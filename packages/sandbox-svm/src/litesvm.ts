import { createRequire } from 'node:module'
import type { Address, Lamports, Transaction } from '@solana/kit'
import { SandboxError } from '@svc/sandbox'
import type { FailedTransactionMetadata, LiteSVM, TransactionMetadata } from 'litesvm'

export type { Address, FailedTransactionMetadata, LiteSVM, Transaction, TransactionMetadata }

type LiteSvmModule = typeof import('litesvm')
type Kit = typeof import('@solana/kit')

// LiteSVM requires Kit as CommonJS. An import of Kit here would load a second copy of it, and cost every start as much again.
const require = createRequire(import.meta.url)

/** @throws SandboxError `ENGINE_MISSING` */
function load<Module>(name: string): Module {
  try {
    return require(name)
  } catch (cause) {
    const why = `${name} cannot be loaded on ${process.platform}-${process.arch}: it has ready-made parts for Linux and macOS only`
    throw new SandboxError('ENGINE_MISSING', why, { cause })
  }
}

export const litesvm = load<LiteSvmModule>('litesvm')
const kit = load<Kit>('@solana/kit')

const decoder = kit.getBase58Decoder()
const encoder = kit.getBase58Encoder()

/** Writes bytes in base58. */
export function toBase58(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

/** Reads bytes from base58. @throws Error for text that is not base58 */
export function fromBase58(text: string): Uint8Array {
  return Uint8Array.from(encoder.encode(text))
}

/** Tells whether text is an address: base58 of exactly 32 bytes. */
export function isAddress(text: unknown): text is Address {
  return typeof text === 'string' && kit.isAddress(text)
}

/** Converts a text that was checked before to an address in the engine's type. */
export function asAddress(text: string): Address {
  // The type is a brand; to check it again for every account that is read would take longer than reading it.
  return text as Address
}

/** Converts an amount to the engine's type. @throws RangeError of the library for one of more than 64 bits */
export function asLamports(amount: bigint): Lamports {
  return kit.lamports(amount)
}

/** Tells whether an address is no public key, so that only a program can sign for it. */
export function isOffCurve(address: string): boolean {
  return kit.isOffCurveAddress(asAddress(address))
}
