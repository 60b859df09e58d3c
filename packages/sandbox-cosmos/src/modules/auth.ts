import { moduleBytes, toAddress } from '../address.ts'
import type { Context } from '../context.ts'
import type { CosmosGenesis } from '../genesis.ts'
import type { Account, State } from '../state.ts'

/** Modules that hold coins. */
export const modules = ['fee_collector', 'distribution', 'bonded_tokens_pool', 'not_bonded_tokens_pool', 'mint'] as const

/** Name of a module that holds coins; the fee market's is opened by the first fee. */
export type ModuleName = (typeof modules)[number] | 'feemarket-fee-collector'

/** Returns the address of a module's account. */
export function moduleAddress(genesis: CosmosGenesis, name: ModuleName): string {
  return toAddress(genesis.prefix, moduleBytes(name))
}

/** Returns an account, which is created with the next number if there is none. */
export function ensureAccount(state: State, address: string, more: Partial<Account> = {}): Account {
  const earlier = state.accounts.get(address)
  if (earlier !== undefined) return earlier
  const number = state.numbers.get('accounts') ?? 0n
  const account: Account = { number, sequence: 0n, ...more }
  state.numbers.set('accounts', number + 1n)
  state.accounts.set(address, account)
  return account
}

/** Tells whether the address belongs to a module, to which nobody may send. */
export function isModule(ctx: Context, address: string): boolean {
  return ctx.state.accounts.get(address)?.module !== undefined
}
