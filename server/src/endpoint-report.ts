import type { RequirementResult } from '@svc/contract/host'
import type { Sighting } from './clock.ts'

/** Answer of one endpoint of one network. */
export interface EndpointReport {
  /** Path of the network in the config. */
  readonly path: string
  readonly prefix: string
  readonly chainId: string
  /** Place in the list of endpoints, from 1, and its host; the rest of its address may hold a credential. */
  readonly endpoint: string
  readonly state: 'well' | 'wrong' | 'unreachable'
  readonly text: string
  /** Sentences on settings that may be right all the same; empty where the endpoint was not asked, or found one that is wrong. */
  readonly doubts: readonly string[]
  /** Time of the last block that it told; null: it told none. */
  readonly sighting: Sighting | null
  /** Requirements for a node, asked of it one by one; empty where it was not asked. */
  readonly requirements: readonly RequirementResult[]
}

/** Lists the doubts of all endpoints with the place of the settings, each once, whichever endpoints have it. */
export function doubtsOf(reports: readonly EndpointReport[]): readonly string[] {
  return [...new Set(reports.flatMap(({ path, doubts }) => doubts.map((doubt) => `${path}: ${doubt}`)))]
}

/** Returns the host of an address, which may be shown; the rest may contain a credential. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'not a URL'
}

const nothing = () => {}
/** Log that discards everything. */
export const silent = {
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
