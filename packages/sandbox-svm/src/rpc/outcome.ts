import { feeOf } from '../budget.ts'
import type { Failure } from '../failure.ts'
import { loadedBytes } from '../loaded.ts'
import type { Message } from '../message.ts'
import { tokenProgram } from '../programs.ts'
import { holdingOf, mintOf } from '../tokens.ts'
import type { Simulation } from '../transactions.ts'
import type { SvmAccount } from '../types.ts'
import type { World } from '../world.ts'
import { tokenAmount } from './accounts.ts'

type Json = Record<string, unknown>
type Accounts = readonly (SvmAccount | undefined)[]

/** Failures of a transaction that is no better than none: it is in no block, and pays no fee. @see agave svm, transaction_processor.rs, validate_fees (read 2026-11-25) */
const unpaid: readonly unknown[] = [
  'AlreadyProcessed',
  'BlockhashNotFound',
  'SignatureFailure',
  'AccountNotFound',
  'InsufficientFundsForFee',
  'InvalidAccountForFee',
]
/** Failures of a transaction that pays its fee and does not run, as a program of it cannot be loaded. */
const unloaded: readonly unknown[] = ['ProgramAccountNotFound', 'InvalidProgramForExecution']

/** The message, or of one that cannot be loaded the payer, who was loaded before. @see packages/testing/recordings/solana/send-no-program.json */
function loadedOf(message: Message, failure: unknown): Message {
  return unloaded.includes(failure) ? { ...message, keys: message.keys.slice(0, 1) } : message
}

/** Writes the outcome of a transaction whose preflight fails, without the balances before and after. */
export function preflightOf(world: World, message: Message, simulation: Simulation): Json {
  return {
    ...outcomeOf(world, message, simulation),
    loadedAddresses: null,
    preBalances: null,
    postBalances: null,
    preTokenBalances: null,
    postTokenBalances: null,
  }
}

/** Writes the outcome of a simulation, with the balances before and after; these are null where the signatures are wrong, so that nobody computed them. */
export function simulationOf(world: World, message: Message, simulation: Simulation): Json {
  const { failure } = simulation
  const before = message.keys.map((key) => world.bank.account(key))
  const after = message.keys.map((key, index) => {
    if (failure === undefined) return simulation.accounts.get(key) ?? before[index]
    return index === 0 && isPaid(simulation) ? paid(before[0], feeOf(message)) : before[index]
  })
  const isChecked = failure !== 'SignatureFailure'
  return {
    ...outcomeOf(world, message, simulation),
    loadedAddresses: { writable: [], readonly: [] },
    preBalances: isChecked ? lamportsOf(before) : null,
    postBalances: isChecked ? lamportsOf(after) : null,
    preTokenBalances: isChecked ? tokensOf(world, before) : null,
    postTokenBalances: isChecked ? tokensOf(world, after) : null,
  }
}

/** Writes balances for an answer; 0 for a missing account. */
export function lamportsOf(accounts: Accounts): number[] {
  return accounts.map((account) => Number(account?.lamports ?? 0n))
}

/** Lists the token balances of the accounts of a message, by their indexes in it. */
export function tokensOf({ bank }: World, accounts: Accounts): Json[] {
  return accounts.flatMap((account, accountIndex) => {
    const holding = holdingOf(account)
    if (holding === undefined) return []
    const { mint, owner, amount } = holding
    const uiTokenAmount = tokenAmount(amount, mintOf(bank.account(mint))?.decimals ?? 0)
    return [{ accountIndex, mint, owner, programId: tokenProgram, uiTokenAmount }]
  })
}

function outcomeOf(world: World, message: Message, simulation: Simulation): Json {
  const { failure, logs, units, returnData } = simulation
  const isPaidFor = isPaid(simulation)
  return {
    accounts: null,
    err: failure ?? null,
    fee: isPaidFor ? Number(feeOf(message)) : null,
    innerInstructions: null,
    loadedAccountsDataSize: isPaidFor ? loadedBytes(world.bank, loadedOf(message, failure)) : 0,
    logs,
    replacementBlockhash: null,
    returnData:
      returnData === undefined
        ? null
        : { programId: returnData.program, data: [Buffer.from(returnData.data).toString('base64'), 'base64'] },
    unitsConsumed: Number(units),
  }
}

/** Tells whether a transaction gets so far that it pays its fee. A transaction whose payer has too little behind the fee does not, and has no log. */
function isPaid({ failure, logs }: Simulation): boolean {
  return !unpaid.includes(failure) && !(isPoor(failure) && logs.length === 0)
}

function isPoor(failure: Failure | undefined): boolean {
  return typeof failure === 'object' && 'InsufficientFundsForRent' in failure
}

function paid(account: SvmAccount | undefined, fee: bigint): SvmAccount | undefined {
  return account === undefined ? undefined : { ...account, lamports: account.lamports - fee }
}
