import { defineMemo, type KitContext } from '@svc/contract'
import type { StirringSearch } from '@svc/contract/control'
import { checksumAddress } from './address.ts'
import type { EvmClient } from './client.ts'
import { type LogFilter, type PlacedLog, readLogs } from './ledger/logs.ts'
import { finalMark } from './ledger/mark.ts'
import type { EvmSettings } from './settings.ts'
import { readDelegates } from './wallet-codes.ts'

/** Ranges of blocks that one search reads, at most: after a pause of the service it goes on with the next search. */
const MOST_RANGES = 10

/** Interval at which the codes of all watched wallets are read, in milliseconds: ten calls for ten thousand. */
const CODES_MS = 1_800_000

/** Contracts that wallets are delegated to, as they were read last. */
interface Codes {
  readonly until: number
  readonly delegates: ReadonlyMap<string, string | null>
}

const lastCodes = defineMemo<Codes>()

/** Settings of a protocol whose stirrings are logs. */
type LogSettings = EvmSettings & { readonly log_blocks: number }

/** Logs by which the wallets are found whose positions a contract has changed. */
interface StirringLogs<N> {
  filter(network: N): LogFilter
  /** Returns the words of a log that are the wallets, none for a log of others; 32 bytes as hex. */
  wallets(network: N, log: PlacedLog): readonly string[]
}

/**
 * Makes the search of a contract's logs for wallets whose positions it has changed, up to the last final block, and of the watched wallets for those whose code is another one
 * than it was, of which there is no log. Endpoints that serve no logs make it fail, and nothing else.
 *
 * @param everySeconds interval of the search
 */
export function logStirrings<N extends LogSettings>(
  everySeconds: number,
  { filter, wallets }: StirringLogs<N>,
): StirringSearch<KitContext<EvmClient, N> & { readonly memo: object }> {
  return {
    everySeconds,
    async search(ctx, after, watched) {
      const [logs, codes] = await Promise.all([searchLogs(ctx, after), changedCodes(ctx, watched)])
      const stirred = new Set([...logs.wallets, ...codes])
      return { wallets: [...stirred].map((wallet) => ({ wallet })), height: logs.height }
    },
  }

  async function searchLogs(ctx: KitContext<EvmClient, N>, after: bigint | null) {
    const { network } = ctx
    const end = await finalMark(ctx)
    if (after === null || after >= end.height) return { wallets: [], height: end.height }
    const size = BigInt(network.log_blocks)
    const starts: bigint[] = []
    for (let from = after + 1n; from <= end.height && starts.length < MOST_RANGES; from += size) starts.push(from)
    const lastOf = (from: bigint) => (from + size - 1n < end.height ? from + size - 1n : end.height)
    const ranges = starts.map((from) => ({ from, to: lastOf(from) }))
    const logs = (await readLogs(ctx, filter(network), ranges, end)).flat()
    const words = logs.flatMap((log) => wallets(network, log))
    return { wallets: words.map((word) => checksumAddress(`0x${word.slice(-40)}`)), height: ranges.at(-1)?.to ?? end.height }
  }
}

/** Lists the wallets whose code is another one than this process has read before; none at first, and until it is time to read again. */
async function changedCodes(
  ctx: KitContext<EvmClient, unknown> & { readonly memo: object },
  watched: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const before = lastCodes.get(ctx)
  const time = ctx.now().getTime()
  if (before !== undefined && time < before.until) return []
  const wallets = await watched()
  const read = await readDelegates(ctx, wallets)
  const delegates = new Map(wallets.map((wallet, index) => [wallet, read[index] ?? null]))
  lastCodes.set(ctx, { until: time + CODES_MS, delegates })
  return wallets.filter((wallet) => before?.delegates.has(wallet) && before.delegates.get(wallet) !== delegates.get(wallet))
}
