import { createHash } from 'node:crypto'

// What each action promises, written from the request, the settings and the facts alone. Nothing here is shared with what crafts: the
// addresses are written out, and the derivation of an address is its own.

/** @see https://docs.anza.xyz/runtime/programs (read 2026-11-21) */
const SYSTEM = '11111111111111111111111111111111'
const STAKE = 'Stake11111111111111111111111111111111111111'
/** Nobody's key: a lockup that was not set names it. */
const NO_CUSTODIAN = '11111111111111111111111111111111'

const STAKE_BYTES = 200n
const NONCE_BYTES = 80n

/** Stands first where the request names a nonce account. */
export function nonceAdvanced(nonceAccount: string | undefined, wallet: string) {
  if (nonceAccount === undefined) return []
  return [
    {
      target: SYSTEM,
      method: 'System.AdvanceNonceAccount(nonceAccount, authority)',
      args: { nonceAccount, authority: wallet },
      value: 0n,
    },
  ]
}

/** A nonce account whose authority is the wallet, at the address that follows from the seed. */
export function nonceAccountMade({ wallet, seed, lamports }: { wallet: string; seed: string; lamports: bigint }) {
  const nonceAccount = seededAddress(wallet, seed, SYSTEM)
  return [
    {
      target: SYSTEM,
      method: 'System.CreateAccountWithSeed(from, newAccount, base, seed, lamports, space, owner)',
      args: { from: wallet, newAccount: nonceAccount, base: wallet, seed, lamports, space: NONCE_BYTES, owner: SYSTEM },
      value: lamports,
    },
    {
      target: SYSTEM,
      method: 'System.InitializeNonceAccount(nonceAccount, authority)',
      args: { nonceAccount, authority: wallet },
      value: 0n,
    },
  ]
}

/** An account of the stake program that signs for itself. */
export function stakeAccountMade({ wallet, stake, lamports }: { wallet: string; stake: string; lamports: bigint }) {
  return {
    target: SYSTEM,
    method: 'System.CreateAccount(from, newAccount, lamports, space, owner)',
    args: { from: wallet, newAccount: stake, lamports, space: STAKE_BYTES, owner: STAKE },
    value: lamports,
  }
}

/** The same at the address that follows from a seed. */
export function seededStakeAccountMade({ wallet, seed, lamports }: { wallet: string; seed: string; lamports: bigint }) {
  return {
    target: SYSTEM,
    method: 'System.CreateAccountWithSeed(from, newAccount, base, seed, lamports, space, owner)',
    args: { from: wallet, newAccount: seededStake(wallet, seed), base: wallet, seed, lamports, space: STAKE_BYTES, owner: STAKE },
    value: lamports,
  }
}

/** Both authorities are the wallet's, nothing is locked, and the stake goes to the vote account. */
export function stakeDelegated({ wallet, stake, vote }: { wallet: string; stake: string; vote: string }) {
  return [
    {
      target: STAKE,
      method: 'Stake.Initialize(stake, staker, withdrawer, lockupTimestamp, lockupEpoch, custodian)',
      args: { stake, staker: wallet, withdrawer: wallet, lockupTimestamp: 0n, lockupEpoch: 0n, custodian: NO_CUSTODIAN },
      value: 0n,
    },
    { target: STAKE, method: 'Stake.DelegateStake(stake, vote, authority)', args: { stake, vote, authority: wallet }, value: 0n },
  ]
}

export function stakeDeactivated({ wallet, stake }: { wallet: string; stake: string }) {
  return { target: STAKE, method: 'Stake.Deactivate(stake, authority)', args: { stake, authority: wallet }, value: 0n }
}

/** To the wallet itself. */
export function stakeWithdrawn({ wallet, stake, lamports }: { wallet: string; stake: string; lamports: bigint }) {
  return {
    target: STAKE,
    method: 'Stake.Withdraw(stake, recipient, authority, lamports)',
    args: { stake, recipient: wallet, authority: wallet, lamports },
    value: 0n,
  }
}

/** Address of a stake account that the wallet derives from a seed. */
export function seededStake(wallet: string, seed: string): string {
  return seededAddress(wallet, seed, STAKE)
}

/**
 * sha256 of base, seed and owner, one after the other.
 *
 * @see https://docs.rs/solana-pubkey/latest/solana_pubkey/struct.Pubkey.html#method.create_with_seed (read 2026-11-21)
 */
function seededAddress(base: string, seed: string, owner: string): string {
  return toBase58(createHash('sha256').update(fromBase58(base)).update(seed, 'utf8').update(fromBase58(owner)).digest())
}

/** @see https://solana.com/docs/core/accounts (read 2026-11-21): Bitcoin's alphabet, without a checksum */
const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Every zero byte in front is a `1`. */
export function toBase58(bytes: Uint8Array): string {
  let digits = ''
  for (let rest = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`); rest > 0n; rest /= 58n) digits = DIGITS[Number(rest % 58n)] + digits
  const first = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(first < 0 ? bytes.length : first) + digits
}

/** The 32 bytes of an address that was validated. */
function fromBase58(address: string): Uint8Array {
  let value = 0n
  for (const digit of address) value = value * 58n + BigInt(DIGITS.indexOf(digit))
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
}
