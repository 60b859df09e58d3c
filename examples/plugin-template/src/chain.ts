import type { Obstacle } from '@svc/contract'
import { parseAbi, type Question, readAmount, reader } from '@svc/kit-evm'
import { badGateway } from './codes.ts'
import type { SavingsNetwork } from './network.ts'

/** Methods of the vault that are called, and nothing else. */
export const vault = parseAbi([
  'function deposit() payable',
  'function withdraw(uint256 amount)',
  'function redeem(uint256 units)',
  'function balanceOf(address saver) view returns (uint256)',
  'function unitsOf(address saver) view returns (uint256)',
  'function price() view returns (uint256)',
  'function closed() view returns (bool)',
  'function minimum() view returns (uint256)',
  'function dailyRate() view returns (uint256)',
])

/** Asks the vault, many questions in one round trip. What is no answer of the vault's is asked of the next endpoint. */
export const { askAll, orSettingsError } = reader({
  unreadable: ({ method, reason }) =>
    badGateway('VAULT_UNREADABLE', `${method} of the vault could not be read: ${reason || 'no reason given'}.`),
})

/** Asks for the holdings of an address in the vault, interest included, in wei. */
export function askBalance({ vault: to }: SavingsNetwork, saver: string): Question<bigint> {
  return vault.question(to, 'balanceOf', [saver], readAmount)
}

/** The same in units of the vault, whose price grows. */
export function askUnits({ vault: to }: SavingsNetwork, saver: string): Question<bigint> {
  return vault.question(to, 'unitsOf', [saver], readAmount)
}

/** Asks for the price of a unit, in wei of 1e18 units. */
export function askPrice({ vault: to }: SavingsNetwork): Question<bigint> {
  return vault.question(to, 'price', [], readAmount)
}

/** Asks whether the vault takes no deposits. */
export function askClosed({ vault: to }: SavingsNetwork): Question<boolean> {
  return vault.question(to, 'closed', [])
}

/** Tells why the vault takes no deposits; null where it does. */
export function obstacleOf(closed: boolean): Obstacle | null {
  return closed ? { state: 'paused', reason: 'takes no deposits at present' } : null
}

/** Interest of a day, where 1e18 is all of the savings; and the least deposit, in wei. */
export function askTerms({ vault: to }: SavingsNetwork) {
  return {
    dailyRate: vault.question(to, 'dailyRate', [], readAmount),
    minimum: vault.question(to, 'minimum', [], readAmount),
  }
}
