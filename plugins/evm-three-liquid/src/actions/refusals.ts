import { tokensText } from '@svc/contract'
import { Interface, type Result, toUtf8String } from 'ethers'
import { badRequest } from '../codes.ts'

/** Errors of Magma's vaults and of the libraries they are built on. @see https://github.com/MagmaStaking/contracts-public (read 2026-11-21) */
const errors = new Interface([
  'error ErrRequestPending()',
  'error ErrRequestInexistent()',
  'error ErrZeroShares()',
  'error ErrNotAuthorized()',
  'error ErrInsufficientShares(uint256 requested, uint256 balance)',
  'error ErrZeroAddress()',
  'error ErrNativeTransferFailed()',
  'error ErrBelowMinWithdraw(uint256 min)',
  'error ErrInsufficientDelegated(uint256 required, uint256 available)',
  'error ErrExistingWithdrawalInProgress()',
  'error ErrNoPendingWithdrawRequest()',
  'error ErrNoValidators()',
  'error ErrRewardsClaimOverdue()',
  'error EnforcedPause()',
  'error ERC4626ExceededMaxDeposit(address receiver, uint256 assets, uint256 max)',
  'error ReentrancyGuardReentrantCall()',
  'error ERC20InvalidReceiver(address receiver)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
])

/** Formats an amount in wei with its symbol, MON. */
export const mon = (wei: bigint): string => tokensText(wei, { decimals: 18, symbol: 'MON' })
const gmon = (units: bigint) => tokensText(units, { decimals: 18, symbol: 'gMON' })

/** Meaning of each error for the caller. */
const WORDS: Readonly<Record<string, (args: Result) => string>> = {
  ErrRequestPending: () => 'a redeem request is pending',
  ErrRequestInexistent: () => 'there is no such redeem request; it may have been withdrawn already',
  ErrZeroShares: () => 'the amount is less than the smallest part of a share is worth',
  ErrNotAuthorized: () => 'the address is neither owner nor operator of what it asks for',
  ErrInsufficientShares: ({ requested, balance }) => `${gmon(requested)} are asked for and ${gmon(balance)} are there`,
  ErrZeroAddress: () => 'an address is zero',
  ErrNativeTransferFailed: () => 'the address does not accept the payment',
  ErrBelowMinWithdraw: ({ min }) => `a redemption must be at least ${mon(min)}`,
  ErrInsufficientDelegated: ({ required, available }) =>
    `${mon(required)} are asked for and only ${mon(available)} of the pool's stake can be undelegated now; ask for less, or try again later`,
  ErrExistingWithdrawalInProgress: () => 'the pool is undelegating from a validator already; try again later',
  ErrNoPendingWithdrawRequest: () => 'the pool has nothing undelegated for this request',
  ErrNoValidators: () => 'the pool has no validators at present; try again later',
  ErrRewardsClaimOverdue: () => "the claim of the validators' rewards is overdue, and until it is made the pool waits; try again later",
  EnforcedPause: () => 'the pool is paused; try again later',
  ERC4626ExceededMaxDeposit: ({ max }) => `the pool takes at most ${mon(max)} now`,
  ReentrancyGuardReentrantCall: () => 'the pool is in the midst of another call',
  ERC20InvalidReceiver: () => 'shares cannot go to the address zero',
  ERC20InsufficientBalance: ({ balance, needed }) => `${gmon(needed)} are asked for and ${gmon(balance)} are there`,
}

/** Refusals of the staking contract that come up through the vault as bare text. @see https://docs.monad.xyz/developer-essentials/staking (read 2026-11-21) */
const STAKING_WORDS: Readonly<Record<string, string>> = {
  'withdrawal not ready':
    'the staking contract has not released the stake yet (withdrawal not ready); it goes by epochs, so try again in some hours',
}

/**
 * Explains the return data of a refused call of the vault in words.
 *
 * @param pending what a pending request means for the call, which the vault's error does not say
 * @returns null for data that is none of the vault's errors
 */
export function explainRefusal(data: string, pending?: string): string | null {
  const text = plainText(data)
  if (text !== null) return STAKING_WORDS[text] ?? null
  try {
    const error = errors.parseError(data)
    if (!error) return null
    return error.name === 'ErrRequestPending' && pending ? pending : (WORDS[error.name]?.(error.args) ?? null)
  } catch {
    // Its selector is known and what follows is cut: the kit shows the first bytes.
    return null
  }
}

/** Tells whether a call was refused because too little stake can be undelegated from the place that it would be taken from. */
export function isShort(data: string): boolean {
  return data.startsWith(errors.getError('ErrInsufficientDelegated')?.selector ?? '0x?')
}

/** Makes the refusal of a request that a paused vault does not take. @param what it does not take, in the plural */
export function paused(what: string) {
  return badRequest('VAULT_PAUSED', `The pool is paused and takes no ${what} at present; nothing is lost, try again later.`)
}

/** Makes the refusal of an amount that is worth no share. @param amount in wei */
export function worthless(amount: bigint) {
  return badRequest('AMOUNT_WORTHLESS', `${mon(amount)} is less than the smallest part of a share is worth.`)
}

function plainText(data: string): string | null {
  try {
    const text = toUtf8String(data)
    return /^[\x20-\x7e]+$/.test(text) ? text : null
  } catch {
    return null
  }
}
