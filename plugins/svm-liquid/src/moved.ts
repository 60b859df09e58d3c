import type { Moved } from '@svc/contract'
import { changeOf, gainOf, type RunInstruction, type SvmReceipt } from '@svc/kit-svm'
import { tokenAccountOf } from './chain/derived-addresses.ts'
import { type LiquidNetwork, type Pool, poolOf } from './network.ts'

/** First byte of an instruction of the pool. @see https://docs.rs/spl-stake-pool/latest/spl_stake_pool/instruction/enum.StakePoolInstruction.html (read 2026-11-22) */
const POOL = { withdrawStake: [10, 24], depositSol: [14, 25] } as const

/**
 * Lists the moves that a transaction made, from balances before and after it alone: lamports and pool tokens of the wallet, the income of the pool's reserve, and the loss
 * of the pool's stake accounts, which is the stake that was split off. The rent that an account must hold beside its stake is never asked for, since it would be that of
 * another day.
 */
export function moved(network: LiquidNetwork, receipt: SvmReceipt, signer: string | null): Moved {
  const own = poolOf(network)
  const wallet = signer ?? receipt.feePayer
  const [native, tokens] = [gainOf(receipt, wallet), tokenGain(receipt, own, wallet)]
  const deposited = instructionsOf(receipt, own, POOL.depositSol).flatMap(({ accounts: [, , reserve] }) => reserve ?? [])
  const withdrawals = instructionsOf(receipt, own, POOL.withdrawStake)
  const sources = withdrawals.flatMap(({ accounts: [, , , source] }) => source ?? [])
  const staked = total(deposited, (reserve) => changeOf(receipt, reserve).after - changeOf(receipt, reserve).before)
  const freed = total(sources, (source) => changeOf(receipt, source).before - changeOf(receipt, source).after)
  const all: Moved['moves'] = [
    { kind: 'leaves', asset: 'native', amount: -native },
    { kind: 'leaves', asset: own.mint, amount: -tokens },
    { kind: 'staked', asset: 'native', amount: staked },
    { kind: 'freed', asset: 'native', amount: freed },
    { kind: 'arrives', asset: 'native', amount: native },
    { kind: 'arrives', asset: own.mint, amount: tokens },
  ]
  const stakes = withdrawals.flatMap(({ accounts: [, , , , stake] }) => stake ?? [])
  return { moves: all.filter(({ amount }) => amount !== null && amount > 0n), objectIds: [...new Set(stakes)] }
}

function instructionsOf({ instructions }: SvmReceipt, { program, pool }: Pool, tags: readonly number[]): readonly RunInstruction[] {
  return instructions.filter((each) => each.program === program && each.accounts[0] === pool && tags.includes(each.data[0] ?? -1))
}

/** Pool tokens that came to the wallet's own account; below zero for what left it. */
function tokenGain({ tokens }: SvmReceipt, own: Pool, wallet: string): bigint {
  const account = tokenAccountOf(wallet, own).toBase58()
  const change = tokens.find((each) => each.account === account && each.mint === own.mint)
  return change ? change.after - change.before : 0n
}

/** Over the accounts, each once. */
function total(accounts: readonly string[], of: (account: string) => bigint): bigint {
  return [...new Set(accounts)].reduce((sum, account) => sum + of(account), 0n)
}
