import type { Call } from '@svc/verify'
import {
  type ActionIntent,
  amount,
  type Claim,
  callOf,
  correctedAmount,
  flag,
  integerArg,
  optional,
  Refused,
  text,
  textArg,
  tokens,
} from '@svc/verify/intent'
import { call, nonceAdvance, seededAddress } from '@svc/verify/svm'
import { claimedRent, claimedSeed, NONCE_BYTES, promisedRent, STAKE_BYTES } from './bounds.ts'
import { layouts, stakeProgram, system } from './layouts.ts'
import type { Terms } from './terms.ts'

const SYSTEM = system.address
const STAKE = stakeProgram.address
/** Nobody's key: a lockup that was not set names it. */
const NO_CUSTODIAN = SYSTEM

const wallet = { wallet_address: text, nonce_account_address: optional(text) }
const staking = { ...wallet, amount, sign: optional(flag) }
const stakeAccount = { ...wallet, stake_account_address: text }
const withdrawal = { ...stakeAccount, amount: optional(amount) }
const nonceAccount = { ...wallet, account_address: text }
const walletAlone = { wallet_address: text }

/** Facts of a stake that follow neither from the request nor from the terms. */
export interface StakeFacts {
  /** Lamports that the new account must hold beside the stake. */
  readonly rent: bigint
  /** The new account, where it has a key of its own; with `sign: false` it follows from `seed`. */
  readonly account?: string
  readonly seed?: string
}

/** An account of the stake program is made, funded, and delegated. Both authorities are the wallet's, and nothing is locked. */
export const stake: ActionIntent<Terms, typeof staking, StakeFacts> = {
  input: staking,
  effects({ validator: vote }, { wallet_address: wallet, nonce_account_address, amount, sign = true }, { rent, account, seed }) {
    const lamports = amount + promisedRent(rent, STAKE_BYTES)
    const target = sign ? known('account', account) : seededAddress(wallet, known('seed', seed), STAKE)
    const creation = { from: wallet, newAccount: target, lamports, space: STAKE_BYTES, owner: STAKE }
    const authorities = { staker: wallet, withdrawer: wallet, lockupTimestamp: 0n, lockupEpoch: 0n, custodian: NO_CUSTODIAN }
    return {
      signers: sign ? [wallet, target] : [wallet],
      calls: [
        ...nonceAdvanced(wallet, nonce_account_address),
        sign
          ? call(system, 'CreateAccount', creation, lamports)
          : call(system, 'CreateAccountWithSeed', { ...creation, base: wallet, seed: known('seed', seed) }, lamports),
        call(stakeProgram, 'Initialize', { stake: target, ...authorities }),
        call(stakeProgram, 'DelegateStake', { stake: target, vote, authority: wallet }),
      ],
      layouts,
    }
  },
  factsOf(decoded, terms, { amount, sign = true }) {
    const creation = callOf(decoded, sign ? 'System.CreateAccount' : 'System.CreateAccountWithSeed')
    const rent = integerArg(creation, 'lamports') - amount
    const reserve = claimedRent(rent, STAKE_BYTES, 'and stays in the account, which is the wallet’s', terms)
    if (!sign) {
      const seed = textArg(creation, 'seed')
      return { facts: { rent, seed }, claimed: [reserve, claimedSeed(seed, /^[!-~]{1,32}$/, '1 to 32 printable characters')] }
    }
    const account = textArg(creation, 'newAccount')
    const fresh: Claim = {
      fact: 'account',
      value: account,
      bound:
        'the only account that has signed already, and so of a key that is none of the caller’s; the chain makes no account where there is one',
      holds: decoded.terms.signed === account,
    }
    return { facts: { rent, account }, claimed: [reserve, fresh] }
  },
  requestOf(decoded, wallet_address) {
    const creation = callOf(decoded, 'System.CreateAccount', 'System.CreateAccountWithSeed')
    const sign = creation.method.startsWith('System.CreateAccount(')
    return { wallet_address, amount: integerArg(creation, 'lamports'), sign }
  },
}

/** Intent of deactivating a whole stake account. */
export const unstake: ActionIntent<object, typeof stakeAccount> = {
  input: stakeAccount,
  effects: (_terms, { wallet_address: wallet, nonce_account_address, stake_account_address: stake }) => ({
    signers: [wallet],
    calls: [...nonceAdvanced(wallet, nonce_account_address), call(stakeProgram, 'Deactivate', { stake, authority: wallet })],
    layouts,
  }),
  requestOf: (decoded, wallet_address) => ({
    wallet_address,
    stake_account_address: textArg(callOf(decoded, 'Stake.Deactivate'), 'stake'),
  }),
}

/** Facts of a withdrawal: all that the account holds, in lamports, and whether a lockup is in force, whose custodian signs. */
export interface WithdrawalFacts {
  readonly whole: bigint
  readonly locked: boolean
}

/** A stake account pays the wallet itself, which is also the custodian of a lockup that is in force. */
export const withdraw: ActionIntent<object, typeof withdrawal, WithdrawalFacts> = {
  input: withdrawal,
  effects(_terms, { wallet_address: wallet, nonce_account_address, stake_account_address: stake, amount }, { whole, locked }) {
    const lamports = amount !== undefined && amount <= whole ? amount : whole
    const args = { stake, recipient: wallet, authority: wallet, lamports }
    return {
      signers: [wallet],
      calls: [
        ...nonceAdvanced(wallet, nonce_account_address),
        call(stakeProgram, 'Withdraw', locked ? { ...args, custodian: wallet } : args),
      ],
      layouts,
    }
  },
  factsOf(decoded, terms, { amount }) {
    const paid = callOf(decoded, 'Stake.Withdraw')
    const whole = integerArg(paid, 'lamports')
    const locked = Object.hasOwn(paid.args, 'custodian')
    const lockup: Claim = {
      fact: 'locked',
      value: locked ? 'yes' : 'no',
      bound: 'the custodian who frees locked stake is the wallet and nobody else, and without one the program pays nothing that is locked',
      holds: true,
    }
    return { facts: { whole, locked }, claimed: [...claimedWhole(whole, amount, terms), lockup] }
  },
  requestOf: (decoded, wallet_address) => ({
    wallet_address,
    stake_account_address: textArg(callOf(decoded, 'Stake.Withdraw'), 'stake'),
  }),
}

/** Facts of a new nonce account: the seed that its address follows from, and lamports that it must hold. */
export interface NonceFacts {
  readonly seed: string
  readonly rent: bigint
}

/** A nonce account whose authority is the wallet is made, at the address that follows from the seed. */
export const createNonceAccount: ActionIntent<object, typeof walletAlone, NonceFacts> = {
  input: walletAlone,
  effects(_terms, { wallet_address: wallet }, { seed, rent }) {
    const lamports = promisedRent(rent, NONCE_BYTES)
    const nonceAccount = seededAddress(wallet, seed, SYSTEM)
    const creation = { from: wallet, newAccount: nonceAccount, base: wallet, seed, lamports, space: NONCE_BYTES, owner: SYSTEM }
    const calls = [
      call(system, 'CreateAccountWithSeed', creation, lamports),
      call(system, 'InitializeNonceAccount', { nonceAccount, authority: wallet }),
    ]
    return { signers: [wallet], calls, layouts }
  },
  factsOf(decoded, terms) {
    const creation = callOf(decoded, 'System.CreateAccountWithSeed')
    const [rent, seed] = [integerArg(creation, 'lamports'), textArg(creation, 'seed')]
    return {
      facts: { rent, seed },
      claimed: [
        claimedRent(rent, NONCE_BYTES, 'and comes back when the account is closed', terms),
        claimedSeed(seed, /^nonce:(0|[1-9]\d{0,14})$/, '`nonce:` and a number of up to 15 digits'),
      ],
    }
  },
  requestOf: (decoded, wallet_address) => callOf(decoded, 'System.InitializeNonceAccount') && { wallet_address },
}

/** Facts of a nonce account: all that it holds, in lamports. */
export interface NonceBalance {
  readonly whole: bigint
}

/** Intent of closing a nonce account, which pays its whole balance to the wallet itself. */
export const closeNonceAccount: ActionIntent<object, typeof nonceAccount, NonceBalance> = {
  input: nonceAccount,
  effects: (_terms, { wallet_address: wallet, nonce_account_address, account_address: nonceAccount }, { whole }) => ({
    signers: [wallet],
    calls: [
      ...nonceAdvanced(wallet, nonce_account_address),
      call(system, 'WithdrawNonceAccount', { nonceAccount, recipient: wallet, authority: wallet, lamports: whole }),
    ],
    layouts,
  }),
  factsOf(decoded, terms) {
    const whole = integerArg(callOf(decoded, 'System.WithdrawNonceAccount'), 'lamports')
    return { facts: { whole }, claimed: claimedWhole(whole, undefined, terms) }
  },
  requestOf: (decoded, wallet_address) => ({
    wallet_address,
    account_address: textArg(callOf(decoded, 'System.WithdrawNonceAccount'), 'nonceAccount'),
  }),
}

/** Stands first where the request names a nonce account. */
function nonceAdvanced(wallet: string, nonceAccount: string | undefined): readonly Call[] {
  return nonceAccount === undefined ? [] : [nonceAdvance(nonceAccount, wallet)]
}

/** Claims what is paid, where the request does not say it: no part of the payment can go elsewhere. */
function claimedWhole(whole: bigint, units: bigint | undefined, terms: Parameters<typeof correctedAmount>[2]): readonly Claim[] {
  if (units !== undefined) return correctedAmount(units, whole, terms).claimed.map((claimed) => ({ ...claimed, fact: 'whole' }))
  const bound = 'paid to the wallet; what the account holds beyond it stays there, and the wallet’s'
  return [{ fact: 'whole', value: tokens(whole, terms), bound, holds: whole > 0n }]
}

/** @throws Refused for a fact that is missing */
function known(name: string, value: string | undefined): string {
  if (value === undefined) throw new Refused(`facts.${name}`, 'a text', 'nothing')
  return value
}
