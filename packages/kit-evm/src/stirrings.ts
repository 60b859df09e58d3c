import type { KitContext, StirringSearch } from '@svc/contract'
import { checksumAddress } from './address.ts'
import type { EvmClient } from './client.ts'
import { type LogFilter, type PlacedLog, readLogs } from './ledger/logs.ts'
import { finalMark } from './ledger/mark.ts'
import type { EvmSettings } from './settings.ts'

/** Ranges of blocks that one search reads, at most: after a pause of the service it goes on with the next search. */
const MOST_RANGES = 10

/** Settings of a protocol whose stirrings are logs. */
type LogSettings = EvmSettings & { readonly log_blocks: number }

/** Logs by which the wallets are found whose positions a contract has changed. */
interface StirringLogs<N> {
  filter(network: N): LogFilter
  /** Returns the words of a log that are the wallets, none for a log of others; 32 bytes as hex. */
  wallets(network: N, log: PlacedLog): readonly string[]
}

/**
 * Makes the search of a contract's logs for wallets whose positions it has changed, up to the last final block. Endpoints that serve no logs make it fail, and nothing else.
 *
 * @param everySeconds interval of the search
 */
export function logStirrings<N extends LogSettings>(
  everySeconds: number,
  { filter, wallets }: StirringLogs<N>,
): StirringSearch<KitContext<EvmClient, N>> {
  return {
    everySeconds,
    async search(ctx, after) {
      const { network } = ctx
      const end = await finalMark(ctx)
      if (after === null || after >= end.height) return { wallets: [], height: end.height }
      const size = BigInt(network.log_blocks)
      const starts: bigint[] = []
      for (let from = after + 1n; from <= end.height && starts.length < MOST_RANGES; from += size) starts.push(from)
      const lastOf = (from: bigint) => (from + size - 1n < end.height ? from + size - 1n : end.height)
      const ranges = starts.map((from) => ({ from, to: lastOf(from) }))
      const logs = (await readLogs(ctx, filter(network), ranges, end)).flat()
      const stirred = new Set(logs.flatMap((log) => wallets(network, log).map((word) => checksumAddress(`0x${word.slice(-40)}`))))
      return { wallets: [...stirred].map((wallet) => ({ wallet })), height: ranges.at(-1)?.to ?? end.height }
    },
  }
}
