import { isServiceError, type KitIo, type Subject } from '@svc/contract'
import type { Upstream } from '@svc/contract/host'
import { createAccounts, createRpc, discover, endpointsOf, type LoadedConfig, shortName } from '@svc/core'
import type { Followed } from '@svc/core/operate'
import { createKeyStore, type Look, looksOf, memoryRecords, resolveNetwork } from '@svc/core/plugins'
import { Refusal } from './cli/refusal.ts'
import { silent } from './endpoint-report.ts'

/** Transaction that is asked for, and the networks; members left out do not restrict. */
export interface TransactionQuery {
  readonly hash: string
  readonly account?: string | undefined
  readonly protocol?: string | undefined
  readonly network?: string | undefined
}

/** Answer of one network. */
export interface Answer {
  readonly protocol: string
  readonly network: string
  readonly hash: string
  readonly units: { readonly caip2: string; readonly decimals: number; readonly symbol: string | null }
  readonly look: Look | null
  /** Reason why the chain could not tell; null: it could. */
  readonly failure: string | null
}

/**
 * Asks the chain for the state of a transaction: on the networks that follow it, else on every network whose family knows hashes of this form. Writes nothing.
 *
 * @throws Refusal when no network could know it
 */
export async function askChain(
  { config, places }: LoadedConfig,
  request: TransactionQuery,
  followed: readonly Followed[],
): Promise<readonly Answer[]> {
  const accounts = createAccounts(config)
  const plugins = await discover(config, places)
  const questions = plugins.flatMap(({ name, plugin: { protocol } }) => {
    const short = shortName(name)
    const { life } = protocol.kit
    if (!life || (request.protocol !== undefined && request.protocol !== short)) return []
    const rows = followed.filter(({ row }) => row.protocol === short)
    if (followed.length > 0 && rows.length === 0) return []
    const hash = hashOf(life, request.hash)
    if (hash === null && rows.length === 0) return []
    const candidates =
      request.account === undefined ? accounts.all(name) : accounts.enabled(request.account, name).map(({ network }) => network)
    const networks = candidates.filter(({ chainId }) => request.network === undefined || request.network === chainId)
    return (rows.length > 0 ? rows : [null]).flatMap((each) => {
      const there = each
        ? accounts.enabled(each.row.account, name).flatMap(({ network }) => (network.chainId === each.row.network ? [network] : []))
        : networks.filter(({ chainId }, index) => networks.findIndex((other) => other.chainId === chainId) === index)
      return there.map((settings) => ({ name, short, protocol, settings, each, hash: each?.row.txHash ?? String(hash) }))
    })
  })
  if (questions.length === 0)
    throw new Refusal(
      'No network of the config could know that transaction: name a protocol and a network that are there, and a hash in their form.',
    )

  return Promise.all(
    questions.map(async ({ name, short, protocol, settings, each, hash }) => {
      const rpcs: ReturnType<typeof createRpc>[] = []
      const clients: unknown[] = []
      const rpcOf = (group: string) => {
        const endpoints = endpointsOf(config, name, settings.chainId, group)
        const { timeout_ms: timeoutMs, deadline_ms: deadlineMs } = config.upstream
        const rpc = createRpc({ endpoints, name: `${short} ${group}`, timeoutMs, deadlineMs, log: silent as never })
        rpcs.push(rpc)
        return rpc
      }
      const network = resolveNetwork(protocol, settings)
      const log = silent as unknown as KitIo['log']
      const now = () => new Date()
      const chain = rpcOf(protocol.kit.endpoints)
      const connected = (upstream: Upstream) => {
        const client: unknown = protocol.kit.connect(network as never, { ...upstream, log, now })
        clients.push(client)
        return client
      }
      const store = createKeyStore(memoryRecords(), short, silent as never)
      const upstream = (group: string) =>
        group in (config.plugins[name]?.networks[settings.chainId]?.endpoints ?? {}) ? rpcOf(group) : null
      const ctx = { client: connected(chain), network, log, now, memo: {}, store, upstream }
      const witnesses = () => chain.singles().map(connected)
      const looks = looksOf(protocol as never, ctx as never, witnesses as never)
      const { caip2, decimals, symbol } = looks
      const about = { protocol: short, network: settings.chainId, hash, units: { caip2, decimals, symbol } }
      const subject: Subject = each
        ? { ...each.row, accepted: each.row.acceptedAt !== null }
        : { txHash: hash, bounds: null, keep: null, firstSeen: null, accepted: false }
      try {
        return { ...about, look: (await looks.transaction?.(subject)) ?? null, failure: null }
      } catch (error) {
        return {
          ...about,
          look: null,
          failure: isServiceError(error) ? error.message : `${error instanceof Error ? error.message : String(error)}`,
        }
      } finally {
        for (const client of clients) await protocol.kit.close?.(client)
        for (const rpc of rpcs) rpc.close()
      }
    }),
  )
}

/** null: hashes of the family look otherwise. */
function hashOf(life: { hash(text: string): string }, text: string): string | null {
  try {
    return life.hash(text)
  } catch {
    return null
  }
}
