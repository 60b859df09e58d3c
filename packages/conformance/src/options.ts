import type { ProtocolPlugin } from '@svc/contract'
import type { ConditionState } from '@svc/contract/host'
import type { Scenario } from '@svc/sandbox'
import type { Move } from '@svc/verify/intent'
import type { Budget } from './budget.ts'
import type { Caller } from './caller.ts'
import type { ControlTest } from './control/options.ts'
import type { AnyFamily } from './family.ts'
import type { GroupName } from './groups/name.ts'
import type { LedgerTest } from './ledger/options.ts'
import type { MovesTest } from './moves/options.ts'
import type { Player } from './player.ts'
import type { TermsTest } from './terms/options.ts'

/** A state in which an action succeeds. */
export interface Example {
  /** Brings a fresh, funded wallet into that state. */
  setup?(player: Player): Promise<void>
  /** Members of the body besides the signer. */
  readonly body?: Readonly<Record<string, unknown>>
  /**
   * The bytes hold another number in place of the amount: shares at the chain's price, or the amount and a deposit together. They must
   * then follow the amount in proportion, where else they must hold the amount itself.
   *
   * @default false
   */
  readonly converts?: boolean
  /** The position shows what the chain's price, rounding or fees make of the amount: how far it moves is for journeys to say. @default false */
  readonly priced?: boolean
  /** Kinds of moves of which its bytes give no amount, and the chain's record of it none either. @default none */
  readonly unrecorded?: readonly Move['kind'][]
  /** It makes something that its bytes name and the actions take, and that is no part of a position: a nonce account. @default false */
  readonly unlisted?: boolean
}

/** Journey of a position, from a fresh, funded wallet on. */
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

/** A state of what is staked with in which stake is refused. */
export interface Idle {
  readonly state: Exclude<ConditionState, 'active'>
  /** @default 400 */
  readonly status?: number
  readonly code: string
  /** Brings the chain into the state, lets `then` run, and takes the state back. */
  during(then: () => Promise<void>): Promise<void>
}

/** Test of the state of what is staked with. */
export interface ConditionTest {
  /** The action that stakes. */
  readonly action: string
  /** Every state that the chain of the scenario can be brought into and out of again; a sentence on why there is none. */
  readonly idle: readonly Idle[] | string
}

/** Change of what the settings stake with, a validator, a pool or a vault, while customers hold stake. */
export interface SettingsChange {
  /** Settings after it, besides those that name the one before. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Settings that name the one before as a former one; empty where positions name their validator. */
  readonly former: Readonly<Record<string, unknown>>
  /** Members of a body that name the one before. @default positions name their validator, so that no request does */
  readonly choice?: Readonly<Record<string, unknown>>
}

/** Test of such a change. */
export interface FormerTest {
  /** Actions that take out what is staked, where no request names a validator. @default those whose bodies have the member that names one */
  readonly leaving?: readonly string[]
  /** Brings another validator into being, where the scenario has none, and says how the settings change. */
  change(): Promise<SettingsChange>
}

/** Stage of a plugin: a chain, and how to act on it. */
export interface StageOptions {
  /** Default export of the plugin's package. */
  readonly plugin: ProtocolPlugin
  /** Scenario that the plugin's `sandbox` exports. */
  readonly scenario: Scenario
  readonly family: AnyFamily
  /** Endpoint groups of the network, from the sandbox chain's URL. @default the kit's one group */
  readonly endpoints?: (rpcUrl: string) => Readonly<Record<string, readonly string[]>>
  /** Settings on top of the scenario's. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** Amount that each fresh wallet is given, in native units. @default '100000' */
  readonly funds?: string
  readonly budget?: Budget
  /** Time that an endpoint may take where slow chains are tested, in milliseconds; more than the slowest answer needs. @default 1000 */
  readonly patience?: number
}

/** Further facts of a plugin that the groups need. */
export interface ConformanceOptions extends StageOptions {
  /** For every action of the plugin. */
  readonly examples: Readonly<Record<string, Example>>
  readonly journeys: readonly Journey[]
  readonly refusals: readonly Refusal[]
  /** For a plugin that tells the state of what it stakes with. */
  readonly condition?: ConditionTest
  /** A test of a change of what the settings stake with; a sentence on why no position depends on them. For a plugin that tells a condition. */
  readonly former?: FormerTest | string
  /** Changes of a position by other hands, and what is told of them. For a plugin whose balance has `control`. */
  readonly control?: ControlTest
  /** Changes of a product's terms, and what is told of them. For a plugin whose condition has `terms`. */
  readonly terms?: TermsTest
  /** For a plugin that declares a book. */
  readonly ledger?: LedgerTest
  /** A sentence on why its family cannot compare what two endpoints say. For a plugin on a kit without `agrees`. */
  readonly agreement?: string
  /** Random lives whose transactions are held against the engine's books. @default the group `moves` notes that there are none */
  readonly moves?: MovesTest
  /** Callers besides the client that are put before a service that a thief owns. @default none */
  readonly callers?: readonly Caller[]
  /** Only these groups. @default all */
  readonly groups?: readonly GroupName[]
}
