import { badGateway } from '@svc/contract'
import { type ReadResult, readMany } from '@svc/kit-evm'
import { Interface, type Result } from 'ethers'
import type { LiquidContext } from './network.ts'

/**
 * What is called of Magma's vault. Redemptions are asynchronous: the first argument of `redeemMON` is a request and not a number of shares.
 *
 * @see https://github.com/MagmaStaking/contracts-public (read 2026-11-21)
 */
export const vault = new Interface([
  'function depositMON(address receiver, uint256 referralId) payable returns (uint256 shares)',
  'function depositMONGVault(address receiver, uint64 valId, uint256 referralId) payable returns (uint256 shares)',
  'function requestRedeem(uint256 shares, address controller, address owner) returns (uint256 requestId)',
  'function requestRedeemGVault(uint256 shares, address controller, address owner, uint64 valId) returns (uint256 requestId)',
  'function redeemMON(uint256 requestId, address controller, address receiver) returns (uint256 assets)',
  'function ownerRequestId(address owner) view returns (uint256)',
  'function pendingRedeemRequestData(uint256 requestId, address controller) view returns (tuple(address owner, bool isGVault, uint256 shares, uint256 assets, uint256 claimableTime))',
  'function balanceOf(address owner) view returns (uint256)',
  'function convertToAssets(uint256 shares) view returns (uint256)',
  'function convertToShares(uint256 assets) view returns (uint256)',
  'function previewDeposit(uint256 assets) view returns (uint256)',
  'function totalAssets() view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function paused() view returns (bool)',
  'function rewardsFee() view returns (uint256)',
  'function withdrawalFee() view returns (uint256)',
  'function coreVault() view returns (address)',
  'function supportsInterface(bytes4 interfaceId) view returns (bool)',
])

/** What is read of the vault behind it, which spreads the pool's stake over validators. Same source. */
export const coreVault = new Interface([
  'function minUserWithdrawAmount() view returns (uint256)',
  'function getValidators() view returns (uint64[])',
  'function paused() view returns (bool)',
])

/** A call, and how its answer is read. */
export interface Question<T> {
  readonly to: string
  readonly method: string
  readonly data: string
  read(answer: string): T
}

export function question<T>(
  to: string,
  contract: Interface,
  method: string,
  args: readonly unknown[],
  read: (answer: Result) => T,
): Question<T> {
  return {
    to,
    method,
    data: contract.encodeFunctionData(method, args),
    read: (answer) => read(contract.decodeFunctionResult(method, answer)),
  }
}

/** A question to the vault whose answer is one value. */
export function askVault<T = bigint>({ network }: LiquidContext, method: string, ...args: readonly unknown[]): Question<T> {
  return question(network.vault, vault, method, args, ([value]) => value as T)
}

/** An answer, or the chain's reason for none. */
export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string; readonly method: string }

/** Puts questions in one round trip. One that fails fails alone. */
export async function ask<T extends readonly unknown[]>(
  ctx: LiquidContext,
  questions: { readonly [K in keyof T]: Question<T[K]> },
): Promise<{ readonly [K in keyof T]: Answer<T[K]> }> {
  const asked = questions as readonly Question<unknown>[]
  const results = await readMany(
    ctx,
    asked.map(({ to, data }) => ({ to, data })),
  )
  return results.map((result, index) => answer(asked[index]!, result)) as never
}

/** The same where every answer is needed. @throws 502 VAULT_UNREADABLE when one cannot be read */
export async function askAll<T extends readonly unknown[]>(
  ctx: LiquidContext,
  questions: { readonly [K in keyof T]: Question<T[K]> },
): Promise<T> {
  const answers = (await ask<T>(ctx, questions)) as readonly Answer<unknown>[]
  return answers.map((each) => answered(each)) as unknown as T
}

/** @throws 502 VAULT_UNREADABLE */
export function answered<T>(answer: Answer<T>): T {
  if (answer.ok) return answer.value
  throw badGateway('VAULT_UNREADABLE', `The vault could not be read: ${answer.method}: ${answer.reason || 'no reason given'}.`)
}

function answer<T>({ method, read }: Question<T>, result: ReadResult): Answer<T> {
  if (!result.ok) return { ...result, method }
  try {
    return { ok: true, value: read(result.data) }
  } catch {
    return { ok: false, method, reason: 'it gave an answer of another form' }
  }
}
