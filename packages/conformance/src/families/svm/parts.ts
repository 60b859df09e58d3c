import type { SvmCraft } from '@svc/verify/svm'
import type { Forgery } from '../../family.ts'
import { present } from '../../present.ts'
import { keyOf } from '../shared/base58.ts'
import { type Instruction, keyPair, type Transaction, writeTransaction } from './wire.ts'

// Addresses that are the same on every cluster: https://docs.solanalabs.com/runtime/programs, https://docs.solanalabs.com/runtime/sysvars
// and https://www.solana-program.com/docs (read 2026-11-21).
const program = (address: string) => present(keyOf(address) ?? undefined, `an address of a program in place of ${address}`)
export const SYSTEM = program('11111111111111111111111111111111')
export const STAKE = program('Stake11111111111111111111111111111111111111')
export const COMPUTE_BUDGET = program('ComputeBudget111111111111111111111111111111')
export const TOKEN = program('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
export const MEMO = program('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
export const CLOCK = program('SysvarC1ock11111111111111111111111111111111')
export const RECENT_BLOCKHASHES = program('SysvarRecentB1ockHashes11111111111111111111')

/** Mark of a forgery besides its bytes. */
export type Mark = Pick<Forgery, 'at' | 'attack' | 'theft'>

/** Somebody else's account. */
export const THIEF = keyPair('a thief of the conformance tests').publicKey

/** Makes a craft response whose bytes were changed, under the name by which findings call the forgery. */
export function forged(name: string, transaction: Transaction): Forgery<SvmCraft> {
  return { name, unsigned: { unsigned_tx_hex: writeTransaction(transaction) } }
}

/** Tells whether an instruction sets the compute budget, and with it the fee. */
export function isBudget({ program }: Instruction): boolean {
  return program.equals(COMPUTE_BUDGET)
}

/** Copies bytes with one more in the byte at `at`; 255 becomes 0. */
export function plusOne(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[at] = (changed.readUInt8(at) + 1) & 0xff
  return changed
}

/** Copies a list with the items at `at` and after it exchanged. */
export function swapped<T>(list: readonly T[], at: number): T[] {
  return list.toSpliced(at, 2, ...list.slice(at, at + 2).reverse())
}

/** Writes four bytes, the lowest first. */
export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** Writes eight bytes, the lowest first; of a larger number its lowest 64 bits. */
export function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt.asUintN(64, value))
  return bytes
}
