import {
  type AccountMeta,
  PublicKey,
  StakeProgram,
  SYSVAR_CLOCK_PUBKEY,
  SYSVAR_RECENT_BLOCKHASHES_PUBKEY,
  SYSVAR_RENT_PUBKEY,
  SYSVAR_STAKE_HISTORY_PUBKEY,
  SystemProgram,
  TransactionInstruction,
} from '@svc/solana'

// The library's own builders take lamports as doubles; these take every u64, and give the same bytes.

/** Read by nobody since its program was retired, and still among the accounts of a delegation. @see https://github.com/solana-program/stake (read 2026-11-21) */
const STAKE_CONFIG = new PublicKey('StakeConfig11111111111111111111111111111111')

/** Makes the instruction that creates an account which signs for itself. */
export function createAccount(of: { from: PublicKey; account: PublicKey; lamports: bigint; space: number; owner: PublicKey }) {
  const data = [u32(0), u64(of.lamports), u64(BigInt(of.space)), of.owner.toBytes()]
  return instruction(SystemProgram.programId, [signer(of.from), signer(of.account)], data)
}

/** Makes the instruction that creates an account whose address is derived from its base; the base signs. */
export function createAccountWithSeed(of: {
  base: PublicKey
  account: PublicKey
  seed: string
  lamports: bigint
  space: number
  owner: PublicKey
}) {
  const seed = new TextEncoder().encode(of.seed)
  const data = [u32(3), of.base.toBytes(), u64(BigInt(seed.length)), seed, u64(of.lamports), u64(BigInt(of.space)), of.owner.toBytes()]
  return instruction(SystemProgram.programId, [signer(of.base), writable(of.account)], data)
}

/** Writes the instruction that makes an account, created in the same transaction, a nonce account of `authority`. */
export function initializeNonce(nonce: PublicKey, authority: PublicKey) {
  const accounts = [writable(nonce), readable(SYSVAR_RECENT_BLOCKHASHES_PUBKEY), readable(SYSVAR_RENT_PUBKEY)]
  return instruction(SystemProgram.programId, accounts, [u32(6), authority.toBytes()])
}

/** Makes the instruction that withdraws lamports from a nonce account; withdrawing all closes it. */
export function withdrawNonce(of: { nonce: PublicKey; to: PublicKey; authority: PublicKey; lamports: bigint }) {
  const accounts = [
    writable(of.nonce),
    writable(of.to),
    readable(SYSVAR_RECENT_BLOCKHASHES_PUBKEY),
    readable(SYSVAR_RENT_PUBKEY),
    authorizing(of.authority),
  ]
  return instruction(SystemProgram.programId, accounts, [u32(5), u64(of.lamports)])
}

/** Makes the instruction that initializes a stake account with one key for both authorities, and without a lockup. */
export function initializeStake(stake: PublicKey, authority: PublicKey) {
  const noLockup = new Uint8Array(8 + 8 + 32)
  const data = [u32(0), authority.toBytes(), authority.toBytes(), noLockup]
  return instruction(StakeProgram.programId, [writable(stake), readable(SYSVAR_RENT_PUBKEY)], data)
}

/** Writes the instruction that delegates a stake account to a vote account; `authority` is its staker. */
export function delegateStake(stake: PublicKey, vote: PublicKey, authority: PublicKey) {
  const accounts = [
    writable(stake),
    readable(vote),
    readable(SYSVAR_CLOCK_PUBKEY),
    readable(SYSVAR_STAKE_HISTORY_PUBKEY),
    readable(STAKE_CONFIG),
    authorizing(authority),
  ]
  return instruction(StakeProgram.programId, accounts, [u32(2)])
}

/** Writes the instruction that starts to undelegate all of a stake account; `authority` is its staker. */
export function deactivate(stake: PublicKey, authority: PublicKey) {
  return instruction(StakeProgram.programId, [writable(stake), readable(SYSVAR_CLOCK_PUBKEY), authorizing(authority)], [u32(5)])
}

/** Makes the instruction that takes lamports out of a stake account. @param of.custodian of a lockup that is in force; it signs, too */
export function withdrawStake(of: { stake: PublicKey; to: PublicKey; authority: PublicKey; lamports: bigint; custodian?: PublicKey }) {
  const accounts = [
    writable(of.stake),
    writable(of.to),
    readable(SYSVAR_CLOCK_PUBKEY),
    readable(SYSVAR_STAKE_HISTORY_PUBKEY),
    authorizing(of.authority),
    ...(of.custodian ? [authorizing(of.custodian)] : []),
  ]
  return instruction(StakeProgram.programId, accounts, [u32(4), u64(of.lamports)])
}

function instruction(programId: PublicKey, keys: AccountMeta[], data: readonly Uint8Array[]): TransactionInstruction {
  return new TransactionInstruction({ programId, keys, data: Buffer.concat(data) })
}

const readable = (pubkey: PublicKey): AccountMeta => ({ pubkey, isSigner: false, isWritable: false })
const writable = (pubkey: PublicKey): AccountMeta => ({ pubkey, isSigner: false, isWritable: true })
const authorizing = (pubkey: PublicKey): AccountMeta => ({ pubkey, isSigner: true, isWritable: false })
const signer = (pubkey: PublicKey): AccountMeta => ({ pubkey, isSigner: true, isWritable: true })

function u32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** @throws RangeError when the value has more than 64 bits */
function u64(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}
