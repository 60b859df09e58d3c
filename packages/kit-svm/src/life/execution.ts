import { EndpointError, membersOf, nodeBehind } from '@svc/contract'
import { dataOf, key } from '../accounts.ts'
import { countOf, listOf, memberOf } from '../answers.ts'
import type { SvmClient } from '../client.ts'
import { lamportsOf } from '../lamports.ts'
import { type Verdict, verdictOf } from '../refusal.ts'
import { malformed } from '../rpc.ts'
import { readLanded } from './landed-message.ts'
import type { SvmReceipt, TokenChange } from './receipt.ts'
import { readStakes } from './stakes.ts'

/** A transaction in its block. */
export interface Execution {
  readonly slot: bigint
  /** Time by the chain; null where the node does not say. */
  readonly time: Date | null
  readonly verdict: Verdict
  readonly receipt: SvmReceipt
}

/** Seconds since 1970 that a block can be of: the chain began on 2020-03-16. @see https://explorer.solana.com/block/0 (read 2026-11-22) */
const FIRST_SECOND = 1_584_282_000
const LAST_SECOND = 253_402_300_799
/** Accounts that a message can name. */
const MOST_ACCOUNTS = 256

/**
 * Reads the effects of a transaction from the chain's record of it, and in another wave the changes of stake, which no record has.
 *
 * @throws 502, 503, 504
 * @see https://solana.com/docs/rpc/http/gettransaction (read 2026-11-22)
 * @param expectation outcome that the status told; null: the transaction need not be on record, and null is an answer too
 */
export async function readExecution(
  client: SvmClient,
  hash: string,
  commitment: 'confirmed' | 'finalized',
  expectation: { readonly failed: boolean } | null,
): Promise<Execution | null> {
  const execution = await readRecord(client, hash, commitment, expectation)
  if (execution === null) return null
  const { slot, verdict, receipt } = execution
  // What failed has left every account as it was.
  const stakes = verdict.err === null ? await readStakes(client, { hash, slot, receipt, commitment }) : []
  return { ...execution, receipt: { ...receipt, stakes } }
}

/** The chain's record of a transaction alone, without the changes of stake that are in no record. */
export interface TransactionRecord extends Omit<Execution, 'receipt'> {
  readonly receipt: Omit<SvmReceipt, 'stakes'>
}

/**
 * Reads the chain's record of a transaction.
 *
 * @param expectation null where it need not be there: then null is an answer, too
 * @throws 502, 503, 504
 */
export function readRecord(
  client: SvmClient,
  hash: string,
  commitment: 'confirmed' | 'finalized',
  expectation: { readonly failed: boolean } | null,
): Promise<TransactionRecord | null> {
  const options = { commitment, encoding: 'base64', maxSupportedTransactionVersion: 0 }
  return client.rpc('getTransaction', [hash, options], (answer) => {
    // It has the status already, and writes down what belongs to it in a moment; or it keeps none of it, and another one may.
    if (answer === null && expectation !== null) throw new EndpointError('not held', nodeBehind(hash).refusal)
    const record = answer === null ? null : recordOf(answer, hash)
    if (record !== null && expectation !== null && (record.verdict.err !== null) !== expectation.failed) throw malformed(answer)
    return record
  })
}

function recordOf(answer: unknown, hash: string): TransactionRecord {
  const { blockTime } = membersOf(answer)
  const meta = memberOf(answer, 'meta')
  const [text, encoding] = listOf(memberOf(answer, 'transaction'))
  const message = readLanded(dataOf(text, encoding), hash)
  const keys = [...message.keys, ...loadedOf(meta)]
  if (keys.length !== message.keys.length + message.lookedUp || keys.length > MOST_ACCOUNTS) throw malformed(meta)

  const verdict = verdictOf({ ...membersOf(meta), logs: membersOf(meta).logMessages })
  if (verdict === null) throw malformed(meta)
  const at = (index: number) => {
    const address = keys[index]
    if (address === undefined) throw malformed(index)
    return address
  }
  const fee = lamportsOf(memberOf(meta, 'fee'))
  const [before, after] = [balancesOf(meta, 'preBalances', keys.length), balancesOf(meta, 'postBalances', keys.length)]
  // No lamport comes from nowhere, and who pays has had the fee.
  if (sum(after) + fee > sum(before) || fee > (before[0] ?? 0n)) throw malformed(meta)
  return {
    slot: countOf(memberOf(answer, 'slot')),
    time: timeOf(blockTime),
    verdict,
    receipt: {
      feePayer: at(0),
      fee,
      accounts: keys.map((address, index) => ({ address, before: before[index] ?? 0n, after: after[index] ?? 0n })),
      tokens: tokensOf(meta, at),
      instructions: message.instructions.map(({ program, accounts, data }) => ({ program: at(program), accounts: accounts.map(at), data })),
    },
  }
}

/** Accounts of lookup tables, the writable ones first. */
function loadedOf(meta: unknown): readonly string[] {
  const { loadedAddresses } = membersOf(meta)
  if (loadedAddresses === undefined || loadedAddresses === null) return []
  const { writable = [], readonly = [] } = membersOf(loadedAddresses)
  return [...listOf(writable), ...listOf(readonly)].map(key)
}

function balancesOf(meta: unknown, name: string, count: number): readonly bigint[] {
  const balances = listOf(memberOf(meta, name))
  if (balances.length !== count) throw malformed(meta)
  return balances.map(lamportsOf)
}

/** Token accounts, by those that are named before or after: one that is missing on a side did not exist there, and held nothing. */
function tokensOf(meta: unknown, at: (index: number) => string): readonly TokenChange[] {
  const { preTokenBalances, postTokenBalances } = membersOf(meta)
  const changes = new Map<string, TokenChange>()
  const add = (side: 'before' | 'after', entry: unknown) => {
    const account = at(Number(countOf(memberOf(entry, 'accountIndex'))))
    const { owner: named } = membersOf(entry)
    const owner = named === undefined || named === null ? null : key(named)
    const mint = key(memberOf(entry, 'mint'))
    const ownerBefore = side === 'before' ? owner : (changes.get(account)?.ownerBefore ?? null)
    const earlier = changes.get(account) ?? { account, mint, before: 0n, after: 0n }
    if (earlier.mint !== mint) throw malformed(entry)
    const amount = unitsOf(memberOf(memberOf(entry, 'uiTokenAmount'), 'amount'))
    changes.set(account, { ...earlier, owner, ownerBefore, [side]: amount })
  }
  for (const entry of listOf(preTokenBalances ?? [])) add('before', entry)
  for (const entry of listOf(postTokenBalances ?? [])) add('after', entry)
  return [...changes.values()]
}

function unitsOf(text: unknown): bigint {
  if (typeof text !== 'string' || !/^(0|[1-9]\d{0,19})$/.test(text)) throw malformed(text)
  return lamportsOf(BigInt(text))
}

function timeOf(seconds: unknown): Date | null {
  if (seconds === null || seconds === undefined) return null
  if (typeof seconds !== 'number' || !Number.isSafeInteger(seconds) || seconds < FIRST_SECOND || seconds > LAST_SECOND)
    throw malformed(seconds)
  return new Date(seconds * 1000)
}

function sum(lamports: readonly bigint[]): bigint {
  return lamports.reduce((total, each) => total + each, 0n)
}
