import { type AnyProtocol, type Inspection, inspectGroup, inspectNetwork, type KitIo, type NetworkSettings } from '@svc/contract'
import { type Config, createAccounts, createRpc, endpointsOf, groupsOf, type LoadedPlugin } from '@svc/core'

/** What one endpoint of one network said. */
export interface EndpointReport {
  /** Where the network stands in the config. */
  readonly path: string
  readonly prefix: string
  readonly chainId: string
  /** Place in the list of endpoints, from 1, and its host; the rest of its address may hold a credential. */
  readonly endpoint: string
  readonly state: 'well' | 'wrong' | 'unreachable'
  readonly text: string
}

type Endpoint = ReturnType<typeof endpointsOf>[number]

/** Longest time, in milliseconds, for all of them together. */
const BOUND_MS = 5_000

/**
 * Asks every endpoint of every network which chain it serves and whether the settings are true there: the validator exists, the contract
 * is the one meant. All at once, and each by itself, since behind the failover a bad one would hide.
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
  return Promise.all(questions)
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
      const io = { fetch: rpc.fetch, log: silent as unknown as KitIo['log'] }
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

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'not a URL'
}

const nothing = () => {}
const silent = {
  fatal: nothing,
  error: nothing,
  warn: nothing,
  info: nothing,
  debug: nothing,
  trace: nothing,
  silent: nothing,
  level: 'silent',
  child: () => silent,
}
