import type { KitIo } from '@svc/contract'
import { attempt, type Base, createRpc } from '@svc/core'
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
export async function readingsOf(staged: Staged, lots: readonly number[]): Promise<Readings> {
  const { protocol } = staged.plugin
  const replay = createReplay()
  const { ctx, looks, close } = connect(staged, replay.fetch)
  const wallet = looks.address(String(staged.stage.parameters.address))
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
    await close()
  }
}

/** Connects a protocol to its local chain. */
function connect({ plugin: { protocol }, name, place }: Staged, fetch: typeof globalThis.fetch) {
  const { endpoints, name: _label, ...settings } = place.network
  const groups = endpoints as Readonly<Record<string, readonly string[]>>
  const log = silent as never
  const rpcs = Object.fromEntries(
    Object.entries(groups).map(([group, urls]) => [
      group,
      createRpc({ endpoints: urls.map((url) => ({ url })), name: group, timeoutMs: 20_000, deadlineMs: 20_000, log, fetch }),
    ]),
  )
  const network = resolveNetwork(protocol, { chainId: place.chainId, name: 'bench', path: name, settings })
  const now = () => new Date()
  const io = rpcs[protocol.kit.endpoints]
  if (!io) throw new Error(`${name} has no endpoints of its chain`)
  const client: unknown = protocol.kit.connect(network as never, { ...io, log, now } satisfies KitIo)
  const store = createKeyStore(memoryRecords(), name, log)
  const ctx = { client, network, log, now, memo: {}, store, upstream: (group: string) => rpcs[group] ?? null }
  return {
    ctx,
    looks: looksOf(protocol as never, ctx as never, () => []),
    async close() {
      await protocol.kit.close?.(client)
      for (const rpc of Object.values(rpcs)) rpc.close()
    },
  }
}

/**
 * Reads the book of a wallet a day after it was read before, in which nothing has moved, alone and with that of another wallet, and counts. Logs of a contract are left out:
 * they are read once for all wallets.
 *
 * @param other address of a wallet that has nothing
 * @param pass lets days pass on the local chain; before the first reading a month, so that nothing is on its way any more
 * @returns calls for one alone, and those that one more takes of several that are read at once; null where the protocol keeps no book
 */
export async function quietBook(
  staged: Staged,
  other: string,
  pass: (days: number) => Promise<void>,
): Promise<{ readonly alone: number; readonly more: number } | null> {
  const replay = createReplay()
  let logs = 0
  const fetching: typeof fetch = (input, init) => {
    logs += String(init?.body).split('"eth_getLogs"').length - 1
    return replay.fetch(input, init)
  }
  /** Bases of the wallets whose books were opened. */
  const bases = new Map<string, readonly Base[]>()
  const count = async (...wallets: readonly string[]) => {
    const { looks, close } = connect(staged, fetching)
    const { book } = looks
    if (!book) throw new TypeError(`${staged.label} keeps no book`)
    try {
      await replay.reset()
      logs = 0
      const results = await Promise.all(wallets.map((wallet) => attempt(book, looks.address(wallet), bases.get(wallet) ?? [])))
      for (const [index, result] of results.entries()) {
        const isQuiet = result.kind === 'opened' || (result.kind === 'closed' && result.closing.complete)
        if (!isQuiet)
          throw new Error(`the book of ${staged.label} is ${result.kind}: ${'closing' in result && result.closing.reasons.join()}`)
        if (result.kind === 'opened') bases.set(wallets[index] ?? '', [{ n: 0, reading: result.reading, isComplete: true }])
      }
      return replay.counts().calls - logs
    } finally {
      await close()
    }
  }
  if (!staged.plugin.protocol.book) return null
  const wallet = String(staged.stage.parameters.address)
  await pass(30)
  await count(wallet, other)
  await pass(1)
  replay.forget()
  const [both, alone, others] = [await count(wallet, other), await count(wallet), await count(other)]
  return { alone, more: both - others }
}
