import { agreementOf, type Config, endpointsOf, type LoadedPlugin, listenUrl, oneOperator, shortName } from '@svc/core'

/** Longest wait for the counters of a service that runs, in milliseconds: it is on this machine. */
const BOUND_MS = 10_000

/** Table of how the readings of each network are asked. */
interface ReadingsReport {
  readonly rows: readonly (readonly string[])[]
  /** One sentence each. */
  readonly warnings: readonly string[]
}

/**
 * Reports for each network how many endpoints must agree on a reading, and whether a second one is asked when the first is late; and the results so far, where the service
 * runs and its counters are served on this machine.
 */
export async function readingsReport(config: Config, plugins: readonly LoadedPlugin[]): Promise<ReadingsReport> {
  const counters = await countersOf(config)
  const networks = plugins.flatMap(({ name, plugin: { protocol } }) =>
    Object.keys(config.plugins[name]?.networks ?? {}).map((chainId) => ({ name, protocol, chainId })),
  )
  const rows = networks.map(({ name, protocol, chainId }) => {
    const { endpoints: group } = protocol.kit
    const total = endpointsOf(config, name, chainId, group).length
    const agreement = agreementOf(config, name, chainId)
    const isHedged = total > 1 && agreement === 1 && (config.plugins[name]?.networks[chainId]?.hedge ?? true)
    const upstream = `${shortName(name)} ${chainId} ${group}`
    return [protocol.prefix.slice(1), chainId, `${agreement} of ${total}`, isHedged ? 'yes' : '-', wordsOf(counters, upstream)]
  })
  const warnings = networks.flatMap(({ name, protocol, chainId }) => oneOperator(config, name, protocol, chainId) ?? [])
  return { rows, warnings }
}

/** A line of the counters: its labels, and how often. */
interface Counter {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Counters of the service that runs with this config; null where it does not, or serves none. */
async function countersOf({ metrics }: Config): Promise<readonly Counter[] | null> {
  if (metrics === undefined || metrics.port === 0) return null
  try {
    const response = await fetch(`${listenUrl(metrics.host, metrics.port)}/metrics`, { signal: AbortSignal.timeout(BOUND_MS) })
    return response.ok ? counters(await response.text()) : null
  } catch {
    return null
  }
}

/** @see https://prometheus.io/docs/instrumenting/exposition_formats/#text-format-details (read 2026-11-28) */
function counters(text: string): readonly Counter[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels, value] = /^(svc_upstream_(?:hedges|disagreements)_total)\{(.*)\} (\d+)$/.exec(line) ?? []
    if (name === undefined || labels === undefined) return []
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', content = '']) => [key, content] as const)
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }]
  })
}

/** @example 12 hedges, 9 won, 1 denied; disagreements: nonce 2 */
function wordsOf(counters: readonly Counter[] | null, upstream: string): string {
  if (counters === null) return ''
  const own = counters.filter(({ labels }) => labels.upstream === upstream)
  const sum = (label: string, value: string) =>
    own.filter(({ labels }) => labels[label] === value).reduce((total, counter) => total + counter.value, 0)
  const [won, lost, denied] = ['won', 'lost', 'denied'].map((outcome) => sum('outcome', outcome))
  const members = [...new Set(own.flatMap(({ labels }) => labels.member ?? []))].map((member) => `${member} ${sum('member', member)}`)
  const hedges = `${(won ?? 0) + (lost ?? 0)} hedges, ${won} won, ${denied} denied`
  return members.length === 0 ? hedges : `${hedges}; disagreements: ${members.join(', ')}`
}
