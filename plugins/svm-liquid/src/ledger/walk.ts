import type { Flow, Place, UnknownReason } from '@svc/contract/book'
import type { PlacedRecord, TokenChange } from '@svc/kit-svm'
import { lamportsFor } from '../chain/price.ts'
import type { Pool } from '../network.ts'
import { booksAt, type Holdings, type PoolFacts } from './books.ts'
import { type PoolCall, poolCalls } from './pool-calls.ts'
import { depositIn, withdrawalIn } from './redemption.ts'

/** Asset of the pool's token, whichever pool is configured. */
export const TOKEN = 'pool_token'

/** Position of a wallet at both ends of an interval, and the time of the second one. */
interface Ends {
  readonly opening: { readonly holdings: Holdings; readonly pool: PoolFacts }
  readonly closing: { readonly holdings: Holdings; readonly pool: PoolFacts; readonly time: Date }
}

/** An interval of a wallet. */
interface Walk {
  readonly moves: readonly Flow[]
  /** Token accounts that were the wallet's at any time. */
  readonly accounts: ReadonlySet<string>
  /** Reason why the moves cannot be relied on; null: they can. */
  readonly missing: UnknownReason | null
}

/** Change of what a wallet has of the pool's tokens by one transaction, in their base units. */
interface TokenMove {
  /** Pool tokens that came to the wallet's accounts; below zero for what left them. */
  readonly own: bigint
  /** The same of accounts that are neither the wallet's nor receive a fee of the pool. */
  readonly others: bigint
  /** Tokens that went to accounts that receive a fee, and are not the wallet's. */
  readonly fees: bigint
}

/**
 * Replays the transactions between two readings. Each has to find in each of the wallet's token accounts what the one before it left there, and the last reading what the last
 * one left. Tokens that an instruction to the pool mints or burns for the wallet are worth the lamports that it pays in or gets out, and the fee that they bear; others came from
 * somebody or went there, at the price of the pool in that epoch.
 *
 * @param records that have not failed, in the order of their slots
 */
export function walk(wallet: string, own: Pool, { opening, closing }: Ends, records: readonly PlacedRecord[]): Walk {
  const balances = new Map(opening.holdings)
  const accounts = new Set([...opening.holdings.keys(), ...closing.holdings.keys()])
  const moves: Flow[] = []
  const missing: UnknownReason[] = []
  const rest = [...records]

  for (let next = takeNext(rest, balances, own.mint); next !== undefined; next = takeNext(rest, balances, own.mint)) {
    if (!isContinued(next, balances, own.mint)) missing.push('flow_missing')
    const { receipt, slot: height, time, signature: tx } = next
    const changes = receipt.tokens.filter(({ mint }) => mint === own.mint)
    const before = new Set(balances.keys())
    const after = ownersAfter(wallet, before, next, changes, closing.holdings)
    for (const { account, ownerBefore, before: amount } of changes) {
      if (before.has(account) || ownerBefore !== wallet) continue
      // An account of the wallet's own that was made, and may have been filled, before anybody looked at it.
      accounts.add(account)
      if (amount > 0n) missing.push('flow_missing')
    }

    const move = (kind: Flow['kind'], amount: bigint, from: Place, to: Place, asset?: string) => {
      const at = { height, time: time ?? closing.time, tx, index: null }
      if (amount > 0n) moves.push({ kind, amount, from, to, ...at, ...(asset === undefined ? {} : { asset }) })
    }
    const calls = poolCalls(receipt.instructions, own)
    const isOwnAccount = (account: string) => before.has(account) || after.has(account)
    const isOwn = ({ tokens }: PoolCall) => isOwnAccount(tokens)
    const hasCalls = calls.some(isOwn)
    const sums = sumsOf(changes, before, after, hasCalls ? calls.flatMap(({ fees }) => fees) : [])
    if (hasCalls && !(calls.every(isOwn) && redeem(sums))) missing.push('flow_missing')
    transfer(hasCalls ? -sums.others : sums.own)

    for (const account of before) if (!after.has(account)) balances.delete(account)
    for (const account of after) {
      accounts.add(account)
      const change = changes.find((each) => each.account === account)
      if (change !== undefined) balances.set(account, change.after)
    }

    /** Tells what the pool's own instructions made of lamports and tokens. @returns false where that does not follow from its rules */
    function redeem({ own: units, others, fees }: TokenMove): boolean {
      const tokens = { own: units + others, fees, isOwn: isOwnAccount }
      const pools = [opening.pool, closing.pool]
      const deposit = depositIn(calls, tokens, pools)
      const withdrawal = withdrawalIn(calls, tokens, receipt, pools)
      if (deposit !== null) {
        const [kind, from] = deposit.from === wallet ? (['deposit', 'wallet'] as const) : (['transfer_in', 'others'] as const)
        move(kind, tokens.own, 'chain', 'tokens', TOKEN)
        move(kind, deposit.lamports, from, 'worth')
      }
      if (withdrawal !== null) {
        move('withdrawal', -tokens.own, 'tokens', 'chain', TOKEN)
        move('withdrawal', withdrawal.lamports, 'worth', withdrawal.to === wallet ? 'wallet' : 'others')
      }
      const fee = (deposit ?? withdrawal)?.fee
      if (fee !== undefined) move('fee', fee, 'worth', 'chain')
      return fee !== undefined
    }

    function transfer(units: bigint) {
      if (units === 0n) return
      const books = booksAt(height, opening.pool, closing.pool)
      if (books === null) missing.push('pruned')
      const amount = units < 0n ? -units : units
      const worth = books === null ? 0n : lamportsFor(amount, books)
      const [kind, ends] = units > 0n ? (['transfer_in', inward] as const) : (['transfer_out', outward] as const)
      move(kind, amount, ...ends('tokens'), TOKEN)
      move(kind, worth, ...ends('worth'))
    }
  }

  for (const account of new Set([...balances.keys(), ...closing.holdings.keys()]))
    if (balances.get(account) !== closing.holdings.get(account)) missing.push('flow_missing')
  return { moves, accounts, missing: missing[0] ?? null }
}

const inward = (bucket: Place): [Place, Place] => ['others', bucket]
const outward = (bucket: Place): [Place, Place] => [bucket, 'others']

/** Takes the next transaction: of those in one slot, whose order no list of another account tells, the first that finds what is there. */
function takeNext(rest: PlacedRecord[], balances: Holdings, mint: string): PlacedRecord | undefined {
  const [first] = rest
  if (first === undefined) return undefined
  const index = rest.findIndex((each) => each.slot === first.slot && isContinued(each, balances, mint))
  return rest.splice(Math.max(index, 0), 1)[0]
}

/** Tells whether a transaction finds in each of the wallet's accounts what the one before it left. */
function isContinued({ receipt }: PlacedRecord, balances: Holdings, mint: string): boolean {
  const named = new Set(receipt.accounts.map(({ address }) => address))
  return [...balances].every(([account, amount]) => {
    if (!named.has(account)) return true
    const change = receipt.tokens.find((each) => each.account === account && each.mint === mint)
    return (change?.before ?? 0n) === amount
  })
}

/** Tells which token accounts are the wallet's after a transaction: those that the record says are, and are not closed. Where it does not say, the last reading does. */
function ownersAfter(
  wallet: string,
  before: ReadonlySet<string>,
  { receipt }: PlacedRecord,
  changes: readonly TokenChange[],
  closing: Holdings,
): ReadonlySet<string> {
  const owned = new Set(before)
  for (const { account, owner } of changes) {
    if (owner === null ? before.has(account) || closing.has(account) : owner === wallet) owned.add(account)
    else owned.delete(account)
  }
  for (const { address, after } of receipt.accounts) if (after === 0n) owned.delete(address)
  return owned
}

/** Sums what a transaction did to the accounts of the wallet, of others, and of those that receive fees. */
function sumsOf(
  changes: readonly TokenChange[],
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
  feeAccounts: readonly string[],
): TokenMove {
  let [own, others, fees] = [0n, 0n, 0n]
  for (const change of changes) {
    const { account } = change
    const [had, has] = [before.has(account), after.has(account)]
    own += (has ? change.after : 0n) - (had ? change.before : 0n)
    const foreign = (has ? 0n : change.after) - (had ? 0n : change.before)
    if (feeAccounts.includes(account)) fees += foreign
    else others += foreign
  }
  return { own, others, fees }
}
