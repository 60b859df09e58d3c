import { isDeepStrictEqual } from 'node:util'
import { itemsOf, membersOf } from '@svc/contract'
import type { AgreementRule, JsonRpcAgreement } from '@svc/contract/rpc'
import { type AccountState, accountOf } from './accounts.ts'
import { countOf } from './answers.ts'
import { CLOCK } from './liveness.ts'

/** Slots by which two nodes may be apart: some 50 s, as long as a block hash that nobody waited for is still good for. */
const MOST_SLOTS = 150
/** The same by the chain's clock, in seconds. */
const MOST_SECONDS = 60n
/** Blocks by which the ends of two block hashes may be apart. Of a hash itself the other node says whether it holds. */
const MOST_BLOCKS = 32n
/** Most that the units of one simulation are above those of another, in percent of the lower one: looking for a derived address takes some more or less. */
const UNITS_PERCENT = 2

/**
 * Rules by which two nodes of a Solana cluster agree. Nothing can be asked for at a slot there: accounts are equal in both answers, or become so when both are asked again;
 * for values that change in each slot, the rules bound the difference.
 */
export const svmAgreement: JsonRpcAgreement = {
  rule: (method, params) => (method === 'getMultipleAccounts' ? accountsRule(params) : (RULES[method] ?? USUAL)),
}

/** Without the slot, and the version of the node's program. */
const inner = (result: unknown) => (Object.hasOwn(membersOf(result), 'context') ? membersOf(result).value : result)

const USUAL: AgreementRule = { part: inner }

const RULES: Readonly<Record<string, AgreementRule>> = {
  getMinimumBalanceForRentExemption: { member: 'rent', part: inner },
  getBalance: { member: 'balance', part: inner },
  getAccountInfo: { member: 'accounts', part: inner },
  getLatestBlockhash: {
    member: 'block hash',
    part: inner,
    confirmation(one, other) {
      const [first, second] = [one, other].map((result) => membersOf(membersOf(result).value))
      // One hash has one end.
      if (first === undefined || second === undefined || first.blockhash === second.blockhash) return null
      if (gap(countOf(first.lastValidBlockHeight), countOf(second.lastValidBlockHeight)) > MOST_BLOCKS) return null
      const params = [first.blockhash, { commitment: 'confirmed' }]
      return { method: 'isBlockhashValid', params, holds: (result) => membersOf(result).value === true }
    },
  },
  // Accounts come in any order.
  getProgramAccounts: {
    member: 'accounts',
    part: (result) => new Map(itemsOf(inner(result)).map((each) => [membersOf(each).pubkey, each])),
  },
  getRecentPrioritizationFees: { member: 'fee level', choose: bySlot('slot', MOST_SLOTS / 4) },
  getRecentPerformanceSamples: { member: 'time of a slot', choose: bySlot('slot', 2) },
  getEpochInfo: {
    member: 'epoch',
    part: (result) => ['epoch', 'slotsInEpoch', 'slotIndex'].map((name) => membersOf(result)[name]),
    choose(one, other) {
      const [first, second] = [membersOf(one), membersOf(other)]
      const isSame = first.epoch === second.epoch && first.slotsInEpoch === second.slotsInEpoch
      const [index, otherIndex] = [countOf(first.slotIndex), countOf(second.slotIndex)]
      if (!isSame || gap(index, otherIndex) > MOST_SLOTS) return null
      return index <= otherIndex ? 'one' : 'other'
    },
  },
  getSupply: { member: 'supply', part: (result) => membersOf(inner(result)).total, choose: nearSupply },
  getVoteAccounts: {
    member: 'validators',
    part: (result) => ['current', 'delinquent'].map((name) => new Map(itemsOf(membersOf(result)[name]).map(withoutVotes))),
  },
  simulateTransaction: {
    member: 'gas',
    // Why it is refused is said in its log too, with amounts of the moment.
    part(result) {
      const { err, unitsConsumed } = membersOf(inner(result))
      return err === null ? { err, unitsConsumed } : { err }
    },
    choose(one, other) {
      const [first, second] = [one, other].map((result) => membersOf(inner(result)))
      const [units, otherUnits] = [first?.unitsConsumed, second?.unitsConsumed]
      if (first?.err !== null || second?.err !== null || typeof units !== 'number' || typeof otherUnits !== 'number') return null
      const [low, high] = units < otherUnits ? [units, otherUnits] : [otherUnits, units]
      // The higher one: what runs out of units costs its fee and does nothing.
      return high * 100 > low * (100 + UNITS_PERCENT) ? null : units === high ? 'one' : 'other'
    },
  },
}

/** Accounts as they are, but for the clock, which no two slots show alike: its epochs have to be the same, and its time near; the earlier one is taken. */
function accountsRule(params: unknown): AgreementRule {
  const index = itemsOf(itemsOf(params)[0]).indexOf(CLOCK.address)
  const others = (result: unknown) => itemsOf(inner(result)).filter((_, at) => at !== index)
  const clockIn = (result: unknown) => accountOf(itemsOf(inner(result))[index])
  return {
    member: 'accounts',
    part: inner,
    choose(one, other) {
      if (index === -1 || !isDeepStrictEqual(others(one), others(other))) return null
      const [first, second] = [clockIn(one), clockIn(other)]
      if (first.owner !== second.owner || !epochsOf(first).equals(epochsOf(second))) return null
      const [time, otherTime] = [first, second].map(({ data }) => data.readBigInt64LE(CLOCK.time))
      if (time === undefined || otherTime === undefined || gap(time, otherTime) > MOST_SECONDS) return null
      return time <= otherTime ? 'one' : 'other'
    },
  }
}

/** Reads when the epoch began, which one it is, and for which one leaders are known. */
function epochsOf({ data }: AccountState): Buffer {
  return data.subarray(CLOCK.epochs, CLOCK.time)
}

/** Lists of entries by slot: those of the slots that both have are the same, and nearly all are of such. The list with the lower numbers is taken. */
function bySlot(name: string, most: number): NonNullable<AgreementRule['choose']> {
  return (one, other) => {
    const [first, second] = [one, other].map((list) => new Map(itemsOf(list).map((entry) => [membersOf(entry)[name], entry])))
    if (first === undefined || second === undefined) return null
    const common = [...first.keys()].filter((slot) => second.has(slot))
    const apart = first.size + second.size - 2 * common.length
    if (common.length === 0 || apart > 2 * most || !common.every((slot) => isDeepStrictEqual(first.get(slot), second.get(slot))))
      return null
    return sumOf(first) * second.size <= sumOf(second) * first.size ? 'one' : 'other'
  }
}

/** Sum of all that is a number in a list of entries, but for slots. */
function sumOf(entries: ReadonlyMap<unknown, unknown>): number {
  return [...entries.values()]
    .flatMap((entry) => Object.entries(membersOf(entry)))
    .reduce((sum, [name, value]) => (typeof value === 'number' && name !== 'slot' ? sum + value : sum), 0)
}

/** Burnt fees and new rewards change it in each slot. The lower one is taken. */
function nearSupply(one: unknown, other: unknown): 'one' | 'other' | null {
  const [first, second] = [one, other].map((result) => Number(membersOf(inner(result)).total))
  if (first === undefined || second === undefined || !(Math.abs(first - second) * 1000 <= Math.min(first, second))) return null
  return first <= second ? 'one' : 'other'
}

/** A vote account without what each slot changes: its last vote, and its credits of the epoch that has not ended. */
function withoutVotes(account: unknown): readonly [unknown, unknown] {
  const { votePubkey, activatedStake, commission, inflationRewardsCommissionBps, epochCredits } = membersOf(account)
  return [votePubkey, [activatedStake, commission, inflationRewardsCommissionBps, itemsOf(epochCredits).slice(0, -1)]]
}

function gap(one: bigint, other: bigint): bigint {
  return one > other ? one - other : other - one
}
