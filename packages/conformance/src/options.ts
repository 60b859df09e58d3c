import type { ProtocolPlugin } from '@svc/contract'
import type { AnyScenario } from '@svc/sandbox'
import type { AnyFamily } from './family.ts'
import type { GroupName } from './groups/index.ts'
import type { Player } from './player.ts'

/** A state in which an action succeeds. */
export interface Example {
  /** Brings a fresh, funded wallet into that state. */
  setup?(player: Player): Promise<void>
  /** Members of the body besides the signer. */
  readonly body?: Readonly<Record<string, unknown>>
}

/** What a position goes through, from a fresh, funded wallet on. */
export interface Journey {
  /** A sentence on what it shows. */
  readonly name: string
  run(player: Player): Promise<void>
}

/** A precondition and its refusal. */
export interface Refusal {
  /** A sentence on what is refused. */
  readonly name: string
  readonly setup?: (player: Player) => Promise<void>
  readonly action: string
  readonly body?: Readonly<Record<string, unknown>>
  /** @default 400 */
  readonly status?: number
  readonly code: string
}

/** Most of what a plugin may ask of its chain. */
export interface Budget {
  /** Waves of a craft: for every action, or by its name. @default 1, or 2 for an action with a `read` and without a `settle` */
  readonly craft?: number | Readonly<Record<string, number>>
  /** Upstream calls of a craft. @default no limit */
  readonly craftCalls?: number
  /** Waves of staking-balance. @default 1 */
  readonly balance?: number
  /** Upstream calls of prepare. @default 0 */
  readonly prepare?: number
}

/** What a plugin is put on: a chain, and how to act on it. */
export interface StageOptions {
  /** What the plugin's package exports by default. */
  readonly plugin: ProtocolPlugin
  /** What its `sandbox` exports. */
  readonly scenario: AnyScenario
  readonly family: AnyFamily
  /** Endpoint groups of the network, from the sandbox chain's URL. @default the kit's one group */
  readonly endpoints?: (rpcUrl: string) => Readonly<Record<string, readonly string[]>>
  /** Settings on top of the scenario's. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** What each fresh wallet is given, in native units. @default '100000' */
  readonly funds?: string
  readonly budget?: Budget
  /** How long an endpoint may take where slow chains are tested, in milliseconds; more than the slowest answer needs. @default 1000 */
  readonly patience?: number
}

/** What the groups need to know of a plugin besides. */
export interface ConformanceOptions extends StageOptions {
  /** For every action of the plugin. */
  readonly examples: Readonly<Record<string, Example>>
  readonly journeys: readonly Journey[]
  readonly refusals: readonly Refusal[]
  /** Only these groups. @default all */
  readonly groups?: readonly GroupName[]
}
