import type { UnknownReason } from '@svc/contract/book'
import type { SvmClient } from '../client.ts'
import { readRecord, type TransactionRecord } from '../life/execution.ts'
import { type PlacedSignature, readSignatures } from './signatures.ts'

/** Most transactions of one interval whose records are read. */
const MOST_RECORDS = 300

/** A transaction in its place. */
export interface PlacedRecord extends TransactionRecord {
  readonly signature: string
}

/**
 * Reads the records of all transactions that name one of some addresses, are in the slots after `after`, up to `end`, and have not failed, in the order of their slots. Each
 * is looked up by its signature besides.
 *
 * @returns the reason where they cannot be relied on
 * @throws 502, 503, 504
 */
export async function readRecords(
  client: SvmClient,
  addresses: Iterable<string>,
  after: bigint,
  end: bigint,
): Promise<readonly PlacedRecord[] | UnknownReason> {
  const lists = await Promise.all([...addresses].map((address) => readSignatures(client, address, after, end)))
  const signatures = new Map<string, PlacedSignature>()
  for (const list of lists) {
    if (list === null) return 'flow_missing'
    for (const each of list) signatures.set(each.signature, each)
  }
  if (signatures.size > MOST_RECORDS) return 'flow_missing'
  // Those that have failed too: a list may call failed what has not.
  const records = await Promise.all(
    [...signatures.values()].map(async (placed) => ({ placed, record: await readRecord(client, placed.signature, 'finalized', null) })),
  )
  const result: PlacedRecord[] = []
  for (const { placed, record } of records) {
    if (record === null) return 'pruned'
    const isAgreed = record.slot === placed.slot && (record.verdict.err !== null) === placed.failed
    if (!isAgreed || !isConserved(record)) return 'endpoint_disagrees'
    if (!placed.failed) result.push({ ...record, signature: placed.signature })
  }
  return result.toSorted((one, other) => Number(one.slot - other.slot))
}

/** Tells whether a record lets no lamport come or go but the fee, as the chain does. */
function isConserved({ receipt: { accounts, fee } }: TransactionRecord): boolean {
  return accounts.reduce((sum, { before, after }) => sum + before - after, 0n) === fee
}
