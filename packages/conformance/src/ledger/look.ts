import type { KitIo } from '@svc/contract'
import { bucketName } from '@svc/contract/book'
import { type Attempt, attempt, type Base } from '@svc/core'
import { createKeyStore, looksOf, memoryRecords } from '@svc/core/plugins'
import { type AnyContext, SILENT_LOG } from '../direct.ts'
import { createRecording, type Endpoint } from '../lies/endpoint.ts'
import { groupOf } from '../lies/trial.ts'
import { present } from '../present.ts'
import type { Subject } from '../subject.ts'

/** Reads a wallet for its book as the host does: through the failover of its endpoints, and at each separately, with nothing remembered. @throws as `attempt` */
export async function look(
  { kit, protocol, direct }: Subject,
  endpoints: readonly Endpoint[],
  wallet: string,
  bases: readonly Base[],
  now: Date,
): Promise<Attempt> {
  const groups = [groupOf(kit.endpoints, endpoints), ...endpoints.map((each) => groupOf(kit.endpoints, [each]))]
  const clients = groups.map((group): unknown => kit.connect(direct.network, { ...group, log: SILENT_LOG, now: () => now } satisfies KitIo))
  const [client, ...witnesses] = clients
  const ctx: AnyContext = { ...direct, client, now: () => now, memo: {}, store: createKeyStore(memoryRecords(), 'ledger', SILENT_LOG) }
  try {
    return await attempt(present(looksOf(protocol, ctx, () => witnesses).book ?? undefined, 'a book'), wallet, bases)
  } finally {
    for (const each of clients) await kit.close?.(each)
    for (const each of groups) each.close()
  }
}

/**
 * Reads the book of a wallet since an earlier look, as the chain of a stage tells it now.
 *
 * @param since null: it begins here
 * @throws as `attempt`
 */
export function bookSince(subject: Subject, wallet: string, since: Attempt | null): Promise<Attempt> {
  const bases = since === null ? [] : [baseOf(since, 0)]
  return look(subject, [createRecording(subject).live('chain')], wallet, bases, new Date())
}

/** Makes the base of the next interval from a look, as a book keeps it. */
export function baseOf(result: Attempt, n: number): Base {
  if (result.kind === 'behind') throw new TypeError('no endpoint was past the last reading')
  return { n, reading: result.reading, isComplete: result.kind === 'opened' || result.closing.complete }
}

/** Writes an interval as text, without the times of its entries. */
export function textOf(result: Attempt): string {
  if (result.kind !== 'closed') return result.kind
  const { closing, reading } = result
  const entries = closing.entries.map(({ kind, amount, from, to, asset, height, tx, index }) =>
    [kind, amount, from, to, asset, height, tx, index].join(' '),
  )
  const amounts = Object.entries(reading.amounts).map(([key, amount]) => `${key} ${amount}`)
  const { height, hash, epoch } = reading.mark
  return [...entries, ...amounts.toSorted(), [height, hash, epoch].join(' ')].join('\n')
}

/** Lists the buckets in which an interval does not add up, and the keys that are no bucket of the book; empty where all is well. */
export function faultsOf({ protocol }: Subject, result: Attempt): readonly string[] {
  if (result.kind !== 'closed') return []
  const { base, closing, reading } = result
  const [opening, amounts] = [base.reading.amounts, reading.amounts]
  const keys = new Set([...Object.keys(opening), ...Object.keys(amounts), ...closing.entries.flatMap(({ from, to }) => [from, to])])
  const names = (protocol.book?.buckets ?? []).map(({ name }) => name)
  return [...keys]
    .filter((key) => names.includes(bucketName(key)))
    .flatMap((key) => {
      const sum = closing.entries.reduce(
        (total, { from, to, amount }) => total + (to === key ? amount : 0n) - (from === key ? amount : 0n),
        0n,
      )
      const change = (amounts[key] ?? 0n) - (opening[key] ?? 0n)
      return sum === change ? [] : [`${key} changes by ${change}, its entries by ${sum}`]
    })
}
