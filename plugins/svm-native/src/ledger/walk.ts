import type { Flow, UnknownReason } from '@svc/contract/book'
import { changeOf, gainOf, type InflationReward, type PlacedRecord } from '@svc/kit-svm'
import { ownerChange } from './authority.ts'
import type { Holdings } from './reading.ts'

/** A flow of an interval. */
type Move = Omit<Flow, 'time'> & { readonly time: Date | null }

/** An interval of a wallet. */
interface Walk {
  readonly moves: readonly Move[]
  /** Accounts that hold more, or less, than the transactions and rewards of the interval left in them. */
  readonly differing: ReadonlySet<string>
  /** Reason why the moves cannot be relied on; null: they can. */
  readonly missing: UnknownReason | null
}

/**
 * Replays the transactions and rewards between two readings. Each transaction has to find in each of the wallet's stake accounts what the one before it left there, and the
 * last reading what the last one left: nothing can be left out but what came and went between the two. Whose an account is follows from the instructions; one that a program
 * has made, which no instruction of the message shows, is the wallet's from its first lamports where the last reading has it.
 *
 * @param records that have not failed, in their order
 * @param rewards in the order of their slots
 */
export function walk(
  wallet: string,
  opening: Holdings,
  closing: Holdings,
  records: readonly PlacedRecord[],
  rewards: readonly InflationReward[],
): Walk {
  const balances = new Map(opening)
  const moves: Move[] = []
  const differing = new Set<string>()
  const missing: UnknownReason[] = []
  const queue = [...rewards]

  const pay = (until: bigint) => {
    for (let [next] = queue; next !== undefined && next.slot <= until; [next] = queue) {
      queue.shift()
      const before = balances.get(next.account)
      if (before === undefined) continue
      balances.set(next.account, before + next.amount)
      const { amount, slot: height } = next
      moves.push({ kind: 'reward', amount, from: 'chain', to: 'stake', height, time: null, tx: null, index: null })
    }
  }

  for (const record of records) {
    pay(record.slot)
    const { receipt, slot: height, time, signature: tx } = record
    const move = (kind: Flow['kind'], amount: bigint, from: string, to: string) => {
      if (amount > 0n) moves.push({ kind, amount, from, to, height, time, tx, index: null })
    }
    const named = new Set(receipt.accounts.map(({ address }) => address))
    for (const [account, lamports] of balances)
      if (named.has(account) && changeOf(receipt, account).before !== lamports) differing.add(account)
    const owners = ownersAfter(wallet, new Set(balances.keys()), record, closing)

    const { outgoing, incoming, growth } = changesOf(record, new Set(balances.keys()), owners)
    move('transfer_out', outgoing, 'stake', 'others')
    move('transfer_in', incoming, 'others', 'stake')
    const gain = gainOf({ ...receipt, stakes: [] }, wallet)
    const [own, out] = [lesser(magnitude(growth), growth > 0n ? positive(-gain) : positive(gain)), growth < 0n]
    move(out ? 'withdrawal' : 'deposit', own, out ? 'stake' : 'wallet', out ? 'wallet' : 'stake')
    move(out ? 'transfer_out' : 'transfer_in', magnitude(growth) - own, out ? 'stake' : 'others', out ? 'others' : 'stake')

    for (const account of [...balances.keys()]) if (!owners.has(account)) balances.delete(account)
    for (const account of owners) if (named.has(account)) balances.set(account, changeOf(receipt, account).after)
  }
  pay(MOST_SLOT)

  for (const account of new Set([...balances.keys(), ...closing.keys()])) {
    const [last, now] = [balances.get(account), closing.get(account)]
    if (last === undefined || now === undefined) missing.push('flow_missing')
    else if (last !== now) differing.add(account)
  }
  if (differing.size > 0) missing.push('flow_missing')
  return { moves, differing, missing: missing[0] ?? null }
}

/** Later than any slot. */
const MOST_SLOT = 2n ** 64n

/** Tells whose the accounts are after a transaction. */
function ownersAfter(wallet: string, before: ReadonlySet<string>, { receipt }: PlacedRecord, closing: Holdings): ReadonlySet<string> {
  const owned = new Set(before)
  const explained = new Set<string>()
  for (const instruction of receipt.instructions) {
    const change = ownerChange(instruction)
    if (change === null) continue
    explained.add(change.account)
    const isOwn = 'owner' in change ? change.owner === wallet : owned.has(change.from)
    if (isOwn) owned.add(change.account)
    else owned.delete(change.account)
  }
  for (const { address, before: lamports, after } of receipt.accounts) {
    if (lamports === 0n && after > 0n && closing.has(address) && !explained.has(address)) owned.add(address)
    // An account without lamports is gone.
    if (after === 0n) owned.delete(address)
  }
  return owned
}

/** Sums what a transaction changed in the wallet's accounts: what went with an account to somebody else, what came with one, and what those that stayed have gained. */
function changesOf({ receipt }: PlacedRecord, before: ReadonlySet<string>, after: ReadonlySet<string>) {
  let [outgoing, incoming, growth] = [0n, 0n, 0n]
  for (const change of receipt.accounts) {
    const [was, is] = [before.has(change.address), after.has(change.address)]
    if (was && !is && change.after > 0n) outgoing += change.before
    else if (!was && is && change.before > 0n) incoming += change.after
    else if (was || is) growth += change.after - change.before
  }
  return { outgoing, incoming, growth }
}

function magnitude(lamports: bigint): bigint {
  return lamports < 0n ? -lamports : lamports
}

function positive(lamports: bigint): bigint {
  return lamports > 0n ? lamports : 0n
}

function lesser(one: bigint, other: bigint): bigint {
  return one > other ? other : one
}
