import { membersOf, nodeBehind } from '@svc/contract'
import { type AccountState, accountOf } from '../accounts.ts'
import { countOf, listOf, memberOf } from '../answers.ts'
import { MOST_PER_BYTE, OVERHEAD } from '../client.ts'
import { EPOCH_SCHEDULE, epochOf, readSchedule } from '../epoch-schedule.ts'
import { malformed, type Rpc } from '../rpc.ts'
import { changeOf, type StakeChange, type SvmReceipt } from './receipt.ts'

/** @see https://docs.anza.xyz/runtime/programs (read 2026-11-28) */
const STAKE_PROGRAM = 'Stake11111111111111111111111111111111111111'
/**
 * First four bytes of the instructions that change what is delegated.
 *
 * @see https://docs.rs/solana-stake-interface/latest/solana_stake_interface/instruction/enum.StakeInstruction.html (read 2026-11-28)
 */
const TAG = { delegate: 2, split: 3, deactivate: 5, merge: 7, moveStake: 16 } as const
/** Instructions that change the stake of both accounts that they name first. */
const RESHAPING: ReadonlySet<number> = new Set([TAG.split, TAG.merge, TAG.moveStake])
const KINDS = [
  ['delegated', TAG.delegate],
  ['deactivated', TAG.deactivate],
] as const

/** Size of a stake account, the discriminant of a delegated one, and offsets. @see https://docs.rs/solana-stake-interface/latest/solana_stake_interface/state/enum.StakeStateV2.html (read 2026-11-28) */
const STAKE_BYTES = 200
const DELEGATED = 2
const AT = { stake: 156, activation: 164, deactivation: 172 } as const
/** Most lamports of a stake account that a delegation leaves out: the rent that is in force, which the chain has only ever lowered. */
const MOST_RESERVE = MOST_PER_BYTE * BigInt(OVERHEAD + STAKE_BYTES)

/** Accounts of one call, without the schedule. @see https://solana.com/docs/rpc/http/getmultipleaccounts (read 2026-11-28) */
const MOST_ACCOUNTS = 99
/** Transactions later than ours that are looked at: those that failed have changed nothing. A stake account that is nobody's aim has none. */
const MOST_LATER = 20

interface Landed {
  readonly hash: string
  readonly slot: bigint
  readonly receipt: Omit<SvmReceipt, 'stakes'>
  readonly commitment: 'confirmed' | 'finalized'
}

/**
 * Reads the stake that a transaction delegated and deactivated. A delegation takes an account's balance without the rent of that moment, which no record keeps, so that the
 * amount is read from the account. It counts only while four things prove that the transaction left it so: the account's own epoch is the one of the block; its balance is
 * still the one in the record; the list of the account's transactions has this one, and no successful one after it; and no other instruction of this one changed the stake.
 * Rewards come with the end of an epoch, and change the balance.
 *
 * @returns nothing where the transaction changes no stake, and then asks for nothing
 * @throws 502, 503, 504
 */
export async function readStakes({ rpc }: { readonly rpc: Rpc }, landed: Landed): Promise<readonly StakeChange[]> {
  const { receipt, slot, hash, commitment } = landed
  const changes = changesOf(receipt)
  const addresses = [...new Set(changes.map(({ account }) => account))].slice(0, MOST_ACCOUNTS)
  if (addresses.length === 0) return []
  const [reading, ...lists] = await Promise.all([
    rpc('getMultipleAccounts', [[...addresses, EPOCH_SCHEDULE], { encoding: 'base64', commitment }], (answer) => {
      if (countOf(memberOf(memberOf(answer, 'context'), 'slot')) < slot) throw nodeBehind(hash)
      const entries = listOf(memberOf(answer, 'value'))
      if (entries.length !== addresses.length + 1) throw malformed(answer)
      const accounts = entries.map((entry) => (entry === null ? null : accountOf(entry)))
      return { accounts, epoch: epochOf(slot, readSchedule(accounts[addresses.length] ?? null)) }
    }),
    ...addresses.map((address) => since(rpc, address, landed)),
  ])
  const afterwards = new Map(
    addresses.map((address, at) => [address, { account: reading.accounts[at] ?? null, listed: lists[at] ?? 'unlisted' }]),
  )
  return changes.map(({ account, kind, reshaped }) => {
    const later = afterwards.get(account)
    const evidence = later && { ...later, kind, reshaped, epoch: reading.epoch, balance: changeOf(receipt, account).after }
    const amount = evidence ? amountOf(evidence) : 'It is one of more stake accounts than a node is asked for at once.'
    return typeof amount === 'bigint' ? { account, kind, amount, reason: null } : { account, kind, amount: null, reason: amount }
  })
}

/** Stake accounts that instructions delegate or deactivate, each once for each kind, and whether a later instruction splits or merges it. */
function changesOf({ instructions }: Landed['receipt']) {
  const steps = instructions.flatMap(({ program, accounts, data }, at) =>
    program === STAKE_PROGRAM && data.length >= 4 ? [{ at, tag: data.readUInt32LE(), accounts }] : [],
  )
  return KINDS.flatMap(([kind, wanted]) => {
    const last = new Map(
      steps.flatMap(({ at, tag, accounts: [account] }) => (tag === wanted && account !== undefined ? [[account, at]] : [])),
    )
    return [...last].map(([account, since]) => ({
      account,
      kind,
      reshaped: steps.some(({ at, tag, accounts }) => at > since && RESHAPING.has(tag) && accounts.slice(0, 2).includes(account)),
    }))
  })
}

interface Evidence {
  /** The account as it was read later; null: there is none. */
  readonly account: AccountState | null
  readonly kind: StakeChange['kind']
  readonly reshaped: boolean
  readonly listed: Since
  /** Epoch of the transaction's block. */
  readonly epoch: bigint
  /** Lamports that the transaction left in the account. */
  readonly balance: bigint
}

/** Lamports, or a sentence that says what is not proven. */
function amountOf({ account, kind, reshaped, listed, epoch, balance }: Evidence): bigint | string {
  const data = account?.owner === STAKE_PROGRAM && account.data.length === STAKE_BYTES ? account.data : null
  if (account === null || data === null || data.readUInt32LE() !== DELEGATED)
    return 'The stake account was closed or changed since, and no node keeps how it was.'
  if (reshaped) return 'The same transaction splits or merges the stake, and no node keeps how much there was between.'
  if (listed === 'touched') return 'A later transaction names the stake account, and no node keeps how it was before.'
  if (listed === 'unlisted')
    return 'No node lists this transaction among those of the stake account, so that none can say whether a later one has changed it.'
  if (account.lamports !== balance)
    return `The stake account held ${balance} lamports after the transaction and holds ${account.lamports} now, as after rewards or a tip, and no node keeps how it was.`
  const since = data.readBigUInt64LE(kind === 'delegated' ? AT.activation : AT.deactivation)
  if (since !== epoch) return `The stake account says that it was ${kind} in epoch ${since}, and the block is of epoch ${epoch}.`
  const stake = data.readBigUInt64LE(AT.stake)
  const reserve = balance - stake
  // Before it is deactivated an account may hold anything beside its stake, such as tips; what is delegated leaves its rent alone.
  if (stake === 0n || reserve < 0n || (kind === 'delegated' && reserve > MOST_RESERVE))
    return `The stake account says ${stake} lamports of stake in a balance of ${balance}, which no delegation leaves.`
  return stake
}

/** What a node lists of an account since ours: nothing that succeeded, something, or not even ours, as one that keeps no history. */
type Since = 'untouched' | 'touched' | 'unlisted'

/**
 * Tells what came after ours among the transactions of an account. A list without ours is none of this time: another endpoint is asked, and where none lists it nothing is proven.
 *
 * @see https://solana.com/docs/rpc/http/getsignaturesforaddress (read 2026-11-28)
 */
function since(rpc: Rpc, address: string, { hash }: Landed): Promise<Since> {
  const read = (answer: unknown): Since => {
    // The newest are first.
    const entries = listOf(answer).map((each) => {
      countOf(memberOf(each, 'slot'))
      const { signature, err } = membersOf(each)
      return { signature, failed: err != null }
    })
    const ours = entries.findIndex(({ signature }) => signature === hash)
    // So many later ones that ours is not among them.
    if (ours < 0) return entries.length > MOST_LATER ? 'touched' : 'unlisted'
    return entries.slice(0, ours).some(({ failed }) => !failed) ? 'touched' : 'untouched'
  }
  const params = [address, { limit: MOST_LATER + 1, commitment: 'confirmed' }]
  return rpc('getSignaturesForAddress', params, read, 'along', (answer) => 'value' in answer && answer.value === 'unlisted')
}
