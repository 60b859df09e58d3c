import { type AnyProtocol, type Inspection, inspectGroup, inspectNetwork, type KitIo, type NetworkSettings } from '@svc/contract'
import { type Config, createAccounts, createRpc, endpointsOf, groupsOf, type LoadedPlugin } from '@svc/core'
import { type EndpointReport, hostOf, silent } from './endpoint-report.ts'
import { inspectPrices } from './price-endpoints.ts'

type Endpoint = ReturnType<typeof endpointsOf>[number]

/** Longest time, in milliseconds, for all of them together. */
const BOUND_MS = 5_000

/**
 * Asks every endpoint of every network which chain it serves and whether the settings are true there: the validator exists, the contract
 * is the one meant; and the price source for its prices. All at once, and each by itself, since behind the failover a bad one would hide.
 */
export async function inspectEndpoints(
  config: Config,
  plugins: readonly LoadedPlugin[],
  boundMs = BOUND_MS,
): Promise<readonly EndpointReport[]> {
  const accounts = createAccounts(config)
  const questions = plugins.flatMap(({ name, plugin: { protocol } }) =>
    accounts
      .all(name)
      .flatMap((settings) =>
        groupsOf(config, name, settings.chainId).flatMap((group) =>
          endpointsOf(config, name, settings.chainId, group).map((endpoint, index) =>
            inspectOne({ protocol, settings, group, endpoint, number: index + 1 }, Math.min(boundMs, config.upstream.deadline_ms)),
          ),
        ),
      ),
  )
  const bound = Math.min(boundMs, config.upstream.deadline_ms)
  const [chains, prices] = await Promise.all([Promise.all(questions), inspectPrices(config, plugins, bound)])
  return [...chains, ...prices]
}

interface Place {
  readonly protocol: AnyProtocol
  readonly settings: NetworkSettings
  readonly group: string
  readonly endpoint: Endpoint
  readonly number: number
}

async function inspectOne({ protocol, settings, group, endpoint, number }: Place, boundMs: number): Promise<EndpointReport> {
  const { chainId, path } = settings
  const isChain = group === protocol.kit.endpoints
  const named = isChain ? String(number) : `${group} ${number}`
  const about = { path, prefix: protocol.prefix.slice(1), chainId, endpoint: `${named} (${hostOf(endpoint.url)})` }
  let why = ''
  const log = {
    ...silent,
    warn(details: { readonly reason?: string }) {
      why = details.reason ?? why
    },
  }
  try {
    const rpc = createRpc({ endpoints: [endpoint], name: `endpoint ${number}`, timeoutMs: boundMs, deadlineMs: boundMs, log: log as never })
    const timer = setTimeout(() => rpc.close(), boundMs)
    try {
      const io = { ...rpc, log: silent as unknown as KitIo['log'], now: () => new Date() }
      const found: Inspection = await (isChain ? inspectNetwork(protocol, settings, io) : inspectGroup(protocol, settings, group, io))
      const [problem] = found.problems
      if (problem === undefined) return { ...about, state: 'well', text: isChain ? `chain ${found.chainId}` : 'answers' }
      if (!found.unreachable) return { ...about, state: 'wrong', text: problem }
      if (!isChain && why === '') return { ...about, state: 'wrong', text: problem }
      const reason = why || 'no answer in time'
      const text =
        found.chainId === null ? `it does not answer (${reason})` : `it serves chain ${found.chainId}, but told no more (${reason})`
      return { ...about, state: 'unreachable', text }
    } finally {
      clearTimeout(timer)
      rpc.close()
    }
  } catch (error) {
    return { ...about, state: 'wrong', text: error instanceof Error ? error.message : String(error) }
  }
}
