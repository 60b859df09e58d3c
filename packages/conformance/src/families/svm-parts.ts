import type { SvmCraft } from '@svc/verify/svm'
import type { Forgery } from '../family.ts'
import { present } from '../present.ts'
import { type Instruction, keyOf, keyPair, type Transaction, writeTransaction } from './svm-wire.ts'

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

export function forged(name: string, transaction: Transaction): Forgery<SvmCraft> {
  return { name, unsigned: { unsigned_tx_hex: writeTransaction(transaction) } }
}

export function isBudget({ program }: Instruction): boolean {
  return program.equals(COMPUTE_BUDGET)
}

export function plusOne(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[at] = (changed.readUInt8(at) + 1) & 0xff
  return changed
}

export function swapped<T>(list: readonly T[], at: number): T[] {
  return list.toSpliced(at, 2, ...list.slice(at, at + 2).reverse())
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

export function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt.asUintN(64, value))
  return bytes
}
