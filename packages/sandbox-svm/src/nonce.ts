import { concat, Reader, same, u32, u64 } from './bytes.ts'
import { sha256 } from './keys.ts'
import { fromBase58, toBase58 } from './litesvm.ts'
import { isSigner, isWritable, keyAt, type Message } from './message.ts'
import { system } from './programs.ts'
import type { SvmAccount } from './types.ts'

/** Lamports for a signature. @see solana-fee-calculator, DEFAULT_TARGET_LAMPORTS_PER_SIGNATURE / 2 */
export const lamportsPerSignature = 5000n
/** System instruction AdvanceNonceAccount. @see solana-system-interface */
const advanceNonce = 4
export const nonceSpace = 80

/** Returns account and authorities of a nonce transaction, which is recognised by its first instruction. */
export function nonceOf(message: Message): { account: string; authorities: ReadonlySet<string> } | undefined {
  const [first] = message.instructions
  if (first === undefined || message.keys[first.program] !== system || first.data.length < 4) return undefined
  if (new Reader(first.data).u32() !== advanceNonce) return undefined
  const [account] = first.accounts
  if (account === undefined || !isWritable(message, account)) return undefined
  const signers = first.accounts.filter((index) => isSigner(message, index)).map((index) => keyAt(message, index))
  return { account: keyAt(message, account), authorities: new Set(signers) }
}

/** The value that a blockhash gives to the nonces that are made or advanced while it is the latest. */
function nonceValue(blockhash: string): Uint8Array {
  return sha256(Buffer.from('DURABLE_NONCE'), fromBase58(blockhash))
}

/** Tells whether the account's nonce makes the message recent: it has the value and an authority that signs, and it can be advanced now. */
export function allows(account: SvmAccount | undefined, message: Message, authorities: ReadonlySet<string>, latest: string): boolean {
  if (account === undefined || account.owner !== system || account.data.length !== nonceSpace) return false
  const reader = new Reader(account.data)
  if (reader.u32() !== 1 || reader.u32() !== 1) return false
  const authority = toBase58(reader.take(32))
  const value = reader.take(32)
  return toBase58(value) === message.lifetime && authorities.has(authority) && !same(value, nonceValue(latest))
}

/** Makes the data of a nonce account with a value. */
export function newNonce(authority: string, value: Uint8Array): Uint8Array {
  return concat(u32(1), u32(1), fromBase58(authority), value, u64(lamportsPerSignature))
}

/** Returns the account after an advance of its nonce. */
export function advanced(account: SvmAccount, latest: string): SvmAccount {
  const authority = account.data.slice(8, 40)
  return { ...account, data: concat(u32(1), u32(1), authority, nonceValue(latest), u64(lamportsPerSignature)) }
}
