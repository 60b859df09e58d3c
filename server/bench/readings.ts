import type { KitIo } from '@svc/contract'
import { createRpc } from '@svc/core'
import { createKeyStore, looksOf, memoryRecords, resolveNetwork } from '@svc/core/plugins'
import { silent } from '../src/endpoint-report.ts'
import type { Staged } from './subjects.ts'
import { createReplay } from './upstream.ts'

/** Upstream calls, requests, and requests that ask for powers over positions alone. */
type Counts = Omit<ReturnType<ReturnType<typeof createReplay>['counts']>, 'pages' | 'waves'>

/** Upstream calls of what is read by itself. */
interface Readings {
  /** Calls for a wallet's position. */
  readonly position: Counts
  /** Calls for the state of the validators or pools; null: the plugin tells none. */
  readonly condition: Counts | null
  /** Number of readings of that state in a day. */
  readonly aDay: number
  /** Calls for all digests of a day, without pages of a stream; null: the protocol has none. */
  readonly digests: Counts | null
  /** Number of rounds of digests in a day. */
  readonly rounds: number
  /** Calls of one search for changes from elsewhere, number of searches in a day, and of those in a day in which an endpoint pushes; null: the protocol has none. */
  readonly search: (Counts & { readonly aDay: number; readonly whilePushed: number | null }) | null
  /** Pages of a stream of events that they are read from, on the local chain, whose events are few. */
  readonly pages: number
  /** True if anything can be told of positions by themselves. */
  readonly tellable: boolean
}

/** Number of times in a day that a condition is asked for where the protocol does not say. */
const CONDITIONS = 288
const DAY_MINUTES = 1440
const DAY_MS = DAY_MINUTES * 60_000

/**
 * Reads a wallet's position and the state of what is staked with once, on the local chain, and the digests of a day, and counts.
 *
 * @param lots of how many wallets digests are asked for, one time after another
 */
export async function readingsOf({ plugin: { protocol }, name, place, stage }: Staged, lots: readonly number[]): Promise<Readings> {
  const replay = createReplay()
  const { endpoints, name: _label, ...settings } = place.network
  const groups = endpoints as Readonly<Record<string, readonly string[]>>
  const log = silent as never
  const rpcs = Object.fromEntries(
    Object.entries(groups).map(([group, urls]) => [
      group,
      createRpc({ endpoints: urls.map((url) => ({ url })), name: group, timeoutMs: 20_000, deadlineMs: 20_000, log, fetch: replay.fetch }),
    ]),
  )
  const network = resolveNetwork(protocol, { chainId: place.chainId, name: 'bench', path: name, settings })
  const now = () => new Date()
  const io = rpcs[protocol.kit.endpoints]
  if (!io) throw new Error(`${name} has no endpoints of its chain`)
  const client: unknown = protocol.kit.connect(network as never, { ...io, log, now } satisfies KitIo)
  const store = createKeyStore(memoryRecords(), name, log)
  const ctx = { client, network, log, now, memo: {}, store, upstream: (group: string) => rpcs[group] ?? null }
  const looks = looksOf(protocol as never, ctx as never, () => [])
  const wallet = looks.address(String(stage.parameters.address))
  const count = async (read: () => Promise<unknown>) => {
    await replay.reset()
    await read()
    return replay.counts()
  }
  try {
    const { balance } = await looks.position(wallet)
    const position = await count(() => looks.position(wallet))
    const tell = protocol.condition
    const condition = tell ? await count(() => tell(ctx as never)) : null
    const objects = (balance.objects ?? []).map(({ id }) => id)
    // One wallet again and again: what is asked of each is the same.
    const lotOf = (size: number) => Array.from({ length: size }, () => ({ address: wallet, objects }))
    const { digests: read } = looks
    const usage = read
      ? await count(async () => {
          for (const size of lots) await read(lotOf(size))
        })
      : null
    // With a memory of its own: what was just read is searched for all the same, and codes of wallets are read each time.
    const { stirrings } = looksOf(protocol as never, { ...ctx, memo: {} } as never, () => [])
    const watched = async () => [wallet]
    const start = await looks.stirrings?.search(null, watched)
    // From a block before, so that there is something to search.
    const searched = stirrings ? await count(() => stirrings.search((start?.height ?? 1n) - 1n, watched)) : null
    const aDay = protocol.conditionMinutes === undefined ? CONDITIONS : DAY_MINUTES / protocol.conditionMinutes
    return {
      position,
      condition,
      aDay,
      digests: usage,
      rounds: DAY_MS / looks.digestMs,
      search: stirrings &&
        searched && {
          ...searched,
          aDay: DAY_MS / stirrings.everyMs,
          whilePushed: stirrings.feed && DAY_MS / stirrings.feed.searchMs,
        },
      pages: usage?.pages ?? 0,
      tellable: balance.objects !== null || balance.activating !== null || balance.rewards !== null || balance.control !== undefined,
    }
  } finally {
    await protocol.kit.close?.(client)
    for (const rpc of Object.values(rpcs)) rpc.close()
  }
}
