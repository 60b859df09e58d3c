import { badGateway } from '@svc/contract'
import { readMany } from '@svc/kit-evm'
import { Interface } from 'ethers'
import type { SavingsContext } from './network.ts'

/** What is called of the vault, and nothing else. */
export const vault = new Interface([
  'function deposit() payable',
  'function withdraw(uint256 amount)',
  'function redeem(uint256 units)',
  'function balanceOf(address saver) view returns (uint256)',
  'function unitsOf(address saver) view returns (uint256)',
  'function closed() view returns (bool)',
  'function minimum() view returns (uint256)',
  'function dailyRate() view returns (uint256)',
])

/** A view of the vault and its arguments. */
export type Question = readonly [method: string, ...args: unknown[]]

/**
 * Asks views of the vault in one round trip, in the order of the questions.
 *
 * @throws 502 VAULT_UNREADABLE when an answer is none of the vault's
 */
export async function ask<T extends readonly unknown[]>(ctx: SavingsContext, ...questions: readonly Question[]): Promise<T> {
  const to = ctx.network.vault
  const results = await readMany(
    ctx,
    questions.map(([method, ...args]) => ({ to, data: vault.encodeFunctionData(method, args) })),
  )
  return results.map((result, index) => {
    const method = questions[index]![0]
    if (!result.ok) throw unreadable(method, result.reason)
    try {
      return vault.decodeFunctionResult(method, result.data)[0]
    } catch {
      throw unreadable(method, 'the answer has another form')
    }
  }) as unknown as T
}

function unreadable(method: string, reason: string) {
  return badGateway('VAULT_UNREADABLE', `${method} of the vault could not be read: ${reason || 'no reason given'}.`)
}
