import type { Bank } from './bank.ts'
import { toBase58 } from './litesvm.ts'
import { isWritable, type Message } from './message.ts'
import { upgradeableLoader } from './programs.ts'

/** Bytes that an account counts besides its data. @see agave svm, account_loader.rs, TRANSACTION_ACCOUNT_BASE_SIZE (SIMD-0186, read 2026-11-25) */
const accountBytes = 64
/** Offset at which the account of a program says which account has its code. @see solana-loader-v3-interface, UpgradeableLoaderState (read 2026-11-25) */
const codeAt = 4

/** Units by which a block is filled. @see agave cost-model, block_cost_limits.rs (read 2026-11-25) */
const signatureUnits = 720
const writeLockUnits = 300
const bytesPerUnit = 4
const pageUnits = 8
const pageBytes = 32_768

/** Counts the bytes that a message loads: of its accounts, and of the code of the programs among them. Missing accounts count nothing. */
export function loadedBytes(bank: Bank, { keys }: Message): number {
  const codes = keys.flatMap((key) => {
    const account = bank.account(key)
    const isProgram = account?.owner === upgradeableLoader && account.executable && account.data.length >= codeAt + 32
    return isProgram ? [toBase58(account.data.subarray(codeAt, codeAt + 32))] : []
  })
  let bytes = 0
  for (const key of new Set([...keys, ...codes])) {
    const account = bank.account(key)
    if (account !== undefined) bytes += accountBytes + account.data.length
  }
  return bytes
}

/** Computes the units that a transaction takes of its block. */
export function costUnits(message: Message, units: bigint, loaded: number): number {
  const locks = message.keys.filter((_, index) => isWritable(message, index)).length
  const data = message.instructions.reduce((sum, instruction) => sum + instruction.data.length, 0)
  const pages = Math.ceil(loaded / pageBytes)
  return message.signers * signatureUnits + locks * writeLockUnits + Math.trunc(data / bytesPerUnit) + pages * pageUnits + Number(units)
}
