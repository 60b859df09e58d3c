import type { KitIo, Sender } from '@svc/contract'
import type { AnyProtocol, RequirementResult, Upstream } from '@svc/contract/host'
import { type Config, createAccounts, createRpc, endpointsOf, groupsOf, type LoadedPlugin } from '@svc/core'
import { type Inspection, inspectGroup, inspectNetwork, inspectRequirements, type NetworkSettings } from '@svc/core/plugins'
import type { Sighting } from './clock.ts'
import { type EndpointReport, hostOf, silent } from './endpoint-report.ts'
import { inspectPrices } from './price-endpoints.ts'

type Endpoint = ReturnType<typeof endpointsOf>[number]

/**
 * Asks every endpoint of every network which chain it serves, whether the settings are true there (the validator exists, the contract is the one meant), and whether it
 * meets its protocol's requirements for a node; and asks the price source for its prices. All are asked at the same time and separately, since a bad one would hide behind
 * the failover. Each has as long for all its answers as the service gives it for one (`upstream.timeout_ms`).
 */
export async function inspectEndpoints(
  config: Config,
  plugins: readonly LoadedPlugin[],
  now: () => Date,
): Promise<readonly EndpointReport[]> {
  const accounts = createAccounts(config)
  const bound = Math.min(config.upstream.timeout_ms, config.upstream.deadline_ms)
  const questions = plugins.flatMap(({ name, plugin: { protocol } }) => {
    // The settings of an account ask whether they are true, and nothing new of the node.
    const visited = new Set<string>()
    return accounts.all(name).flatMap((settings) => {
      const isFirst = !visited.has(settings.chainId)
      visited.add(settings.chainId)
      return groupsOf(config, name, settings.chainId).flatMap((group) =>
        endpointsOf(config, name, settings.chainId, group).map((endpoint, index) =>
          inspectOne({ protocol, settings, group, endpoint, number: index + 1, now }, bound, isFirst),
        ),
      )
    })
  })
  const [chains, prices] = await Promise.all([Promise.all(questions), inspectPrices(config, plugins, bound)])
  return [...chains, ...prices]
}

interface Place {
  readonly protocol: AnyProtocol
  readonly settings: NetworkSettings
  readonly group: string
  readonly endpoint: Endpoint
  readonly number: number
  readonly now: () => Date
}

type Verdict = Pick<EndpointReport, 'state' | 'text' | 'doubts' | 'sighting'> & { readonly chainId: string | null }

/** Asks one endpoint, of the chain or of another group. */
async function inspectOne(place: Place, boundMs: number, withRequirements: boolean): Promise<EndpointReport> {
  const { protocol, settings, group, endpoint, number } = place
  const isChain = group === protocol.kit.endpoints
  const [{ chainId, ...verdict }, requirements] = await Promise.all([
    judged(place, boundMs, isChain),
    isChain && withRequirements ? asked(place, boundMs) : [],
  ])
  return {
    path: settings.path,
    prefix: protocol.prefix.slice(1),
    chainId: settings.chainId,
    endpoint: `${isChain ? number : `${group} ${number}`} (${hostOf(endpoint.url)})`,
    ...verdict,
    // What a node of another chain has is of no use, and of one that does not answer there is one thing to say.
    requirements: chainId === settings.chainId ? requirements : [],
  }
}

/** Wrong is what the endpoint itself has answered, and only that: whoever is slow, or was asked no longer, is out of reach. */
async function judged(place: Place, boundMs: number, isChain: boolean): Promise<Verdict> {
  let sighting: Sighting | null = null
  const verdict = await verdictOf(place, boundMs, isChain, (head) => {
    sighting = { head: head.getTime(), at: place.now().getTime() }
  })
  return { ...verdict, sighting }
}

async function verdictOf(
  { protocol, settings, group, endpoint, number, now }: Place,
  boundMs: number,
  isChain: boolean,
  saw: (head: Date) => void,
): Promise<Omit<Verdict, 'sighting'>> {
  let why = ''
  const note = (reason: string) => {
    why = reason
  }
  try {
    return await workAt({ endpoint, number, now, saw }, boundMs, note, async (io, isOver) => {
      const inspection: Inspection = await (isChain ? inspectNetwork(protocol, settings, io) : inspectGroup(protocol, settings, group, io))
      const { chainId, doubts } = inspection
      const [problem] = inspection.problems
      if (problem === undefined) return { chainId, state: 'well', text: isChain ? `chain ${chainId}` : 'answers', doubts }
      const isVerdict = !inspection.unreachable || (!isChain && why === '')
      if (isVerdict && !isOver()) return { chainId, state: 'wrong', text: problem, doubts: [] }
      const reason = isOver() ? 'no answer in time' : why || 'no answer in time'
      const text = chainId === null ? `it does not answer (${reason})` : `it serves chain ${chainId}, but told no more (${reason})`
      return { chainId, state: 'unreachable', text, doubts: [] }
    })
  } catch (error) {
    return { chainId: null, state: 'wrong', text: error instanceof Error ? error.message : String(error), doubts: [] }
  }
}

function asked({ protocol, settings, endpoint, number, now }: Place, boundMs: number): Promise<readonly RequirementResult[]> {
  return workAt(
    { endpoint, number, now, saw: () => {} },
    boundMs,
    () => {},
    (io) => inspectRequirements(protocol, settings, io),
  )
}

/** Works with one endpoint, for so long and no longer. @param note takes the reason of each failure of the endpoint */
async function workAt<T>(
  { endpoint, number, now, saw }: Pick<Place, 'endpoint' | 'number' | 'now'> & { readonly saw: (head: Date) => void },
  boundMs: number,
  note: (reason: string) => void,
  work: (io: KitIo, isOver: () => boolean) => Promise<T>,
): Promise<T> {
  const log = { ...silent, warn: (details: { readonly reason?: string }) => details.reason === undefined || note(details.reason) }
  const rpc = createRpc({ endpoints: [endpoint], name: `endpoint ${number}`, timeoutMs: boundMs, deadlineMs: boundMs, log: log as never })
  let over = false
  const timer = setTimeout(() => {
    over = true
    rpc.close()
  }, boundMs)
  try {
    return await work({ ...watched(rpc, saw), log: silent as unknown as KitIo['log'], now }, () => over)
  } finally {
    clearTimeout(timer)
    rpc.close()
  }
}

/** The same endpoint, whose heads are told as they are learnt. */
function watched(upstream: Upstream, saw: (head: Date) => void): Upstream {
  const own: Upstream = {
    ...upstream,
    exchange: (work, reading) =>
      upstream.exchange((send, endpoint, again) => {
        const sender: Sender = (input, init) => send(input, init)
        return work(Object.assign(sender, send, { saw }), endpoint, again)
      }, reading),
  }
  return { ...own, alone: own }
}
