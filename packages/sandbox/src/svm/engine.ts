import { createRequire } from 'node:module'
import type { Address, Transaction } from '@solana/kit'
import type { FailedTransactionMetadata, LiteSVM, TransactionMetadata } from 'litesvm'
import { SandboxError } from '../error.ts'

export type { Address, FailedTransactionMetadata, LiteSVM, Transaction, TransactionMetadata }

type LiteSvmModule = typeof import('litesvm')
type Kit = typeof import('@solana/kit')

// LiteSVM requires Kit as CommonJS. An import of Kit here would load a second copy of it, and cost every start as much again.
const require = createRequire(import.meta.url)

/** @throws SandboxError `ENGINE_MISSING` */
function load<Module>(name: string): Module {
  try {
    return require(name) as Module
  } catch (cause) {
    const why = `${name} cannot be loaded on ${process.platform}-${process.arch}: it has ready-made parts for Linux and macOS only`
    throw new SandboxError('ENGINE_MISSING', why, { cause })
  }
}

export const litesvm = load<LiteSvmModule>('litesvm')
const kit = load<Kit>('@solana/kit')

const decoder = kit.getBase58Decoder()
const encoder = kit.getBase58Encoder()

export function toBase58(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

/** @throws Error for text that is not base58 */
export function fromBase58(text: string): Uint8Array {
  return Uint8Array.from(encoder.encode(text))
}

/** Whether text is an address: base58 of exactly 32 bytes. */
export function isAddress(text: unknown): text is Address {
  return typeof text === 'string' && kit.isAddress(text)
}

/** Whether an address is no public key, so that only a program can sign for it. */
export function isOffCurve(address: string): boolean {
  return kit.isOffCurveAddress(address as Address)
}
