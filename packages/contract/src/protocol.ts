import type { Effects } from '@svc/verify'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, type TObject, type TProperties, Type } from 'typebox'
import type { AnyKit, ClientOf, DraftOf, KitContext, NetworkBase } from './kit.ts'
import { type ProtocolPlugin, pluginOf } from './plugin.ts'

/** What a protocol's function gets: its client, its validated settings, the clock and the log. */
export interface Context<Client, Net> extends KitContext<Client> {
  readonly network: NetworkBase & Net
  /** Kept between calls on the same network of the same process: samples, and what a chain says is constant for a while. */
  readonly memo: Map<string, unknown>
  /**
   * `fetch` over a further endpoint group of the network, with the service's failover: an indexer beside the chain, say. The base address
   * of a request is ignored, its path is kept.
   *
   * @returns null when the operator named no such group, so that what it serves is left out
   */
  fetch(group: string): typeof fetch | null
}

/** A body as the plugin sees it: amounts are base units, addresses canonical. */
export type Input<T extends TProperties> = Static<TObject<T>>

interface ActionBase<T extends TProperties, Client, Net> {
  /** One line of OpenAPI. */
  readonly summary: string
  /** What a caller should know before calling; Markdown. */
  readonly description?: string
  /** Members of the body. `Amount()` members are JSON numbers on the wire and `bigint` here. */
  readonly body: T
  /** Preconditions that shape no byte. Runs beside everything else; its refusal (400, a sentence) wins over a simulation's. */
  guard?(ctx: Context<Client, Net>, input: Input<T>): Promise<void>
  /** Status of a body that does not fit. @default 400 */
  readonly invalidBody?: 400 | 422
  /** Whether some refusals of the chain's state are 422 where the body fits; for OpenAPI. */
  readonly unprocessable?: boolean
}

/** An action whose bytes follow from request, settings and, where `read` is given, from facts of the chain. */
export interface Action<T extends TProperties, Facts, Client, Net, Draft> extends ActionBase<T, Client, Net> {
  /** Facts that shape the bytes and follow neither from the request nor from settings: chain state, a fresh key. */
  read?(ctx: Context<Client, Net>, input: Input<T>): Promise<Facts>
  readonly settle?: undefined
  /** Pure: the transaction in the family's own words. */
  craft(network: NetworkBase & Net, input: Input<T>, facts: Facts): Draft
  /** Pure, and never derived from the draft: the whole of what the caller was promised. The decoded bytes must equal it. */
  effects(network: NetworkBase & Net, input: Input<T>, facts: Facts): Effects
}

/**
 * An action whose input the chain's state may correct, as when an amount a trifle above the balance means all of it. It is crafted
 * at once from what was asked, beside the read, so that the usual case takes one round trip; only a correction crafts again.
 */
export interface SettledAction<T extends TProperties, Facts, Client, Net, Draft> extends ActionBase<T, Client, Net> {
  read(ctx: Context<Client, Net>, input: Input<T>): Promise<Facts>
  /** Pure: the input to go by; the very same object when nothing is to be corrected. Throws the refusal that the facts demand. */
  settle(network: NetworkBase & Net, input: Input<T>, facts: Facts): Input<T>
  craft(network: NetworkBase & Net, input: Input<T>): Draft
  effects(network: NetworkBase & Net, input: Input<T>): Effects
}

// biome-ignore lint/suspicious/noExplicitAny: actions of one protocol differ in body and facts; each was checked where it was defined
export type AnyAction<Client, Net, Draft> = Action<any, any, Client, Net, Draft> | SettledAction<any, any, Client, Net, Draft>

/** A unit of a position that has a real identifier of its own. Amounts in base units. */
export interface StakedObject {
  readonly id: string
  readonly type: 'delegation' | 'withdrawal_request'
  readonly status: 'activating' | 'active' | 'deactivating' | 'withdrawable' | 'unknown'
  /** Principal; null when it could not be read. */
  readonly amount: bigint | null
  /** On top of the principal; null when reported for the address only, compounded, or not derivable. */
  readonly rewards: bigint | null
  /** In the protocol's native form; null when not attributable to one. */
  readonly validator: string | null
  readonly activationEpoch: number | null
  readonly withdrawableEpoch: number | null
  readonly withdrawableAt: Date | null
}

/** A position in base units. A null bucket does not apply to the protocol. */
export interface Balance {
  readonly staked: bigint
  readonly activating: bigint | null
  readonly deactivating: bigint | null
  readonly withdrawing: bigint | null
  readonly rewards: bigint | null
  /** null: the protocol has no addressable objects; empty: it has, and the address holds none. */
  readonly objects: readonly StakedObject[] | null
}

/** What staking means on a network. null: does not apply; absent or undefined: its source failed just now, so the last good value stays. */
export interface Info {
  readonly activationMinutes?: number | null | undefined
  readonly deactivationMinutes?: number | null | undefined
  readonly withdrawalMinutes?: number | null | undefined
  /** Sum of all fees on rewards, percent of rewards. */
  readonly rewardFeePercent?: number | null | undefined
  readonly withdrawalFeePercent?: number | null | undefined
  /** What a delegator receives after every fee in `rewardFeePercent`, without compounding. */
  readonly aprPercent?: number | null | undefined
  readonly apyPercent?: number | null | undefined
  readonly maxSlashingPercent?: number | null | undefined
  /** Base units. */
  readonly minStake?: bigint | null | undefined
  /** Base units; null means no upper limit. */
  readonly maxStake?: bigint | null | undefined
  readonly users?: number | null | undefined
  readonly tvlUsd?: number | null | undefined
  /** Base units. */
  readonly tvl?: bigint | null | undefined
}

/** What a protocol plugin declares. Absence means something: no `routes`, no reads of its own. */
export interface Protocol<K extends AnyKit, Net> {
  /** npm name. */
  readonly name: string
  /** Two segments behind `/api/v1`: `/evm-three/native`. */
  readonly prefix: `/${string}/${string}`
  readonly kit: K
  /** Schema of the settings particular to this protocol. */
  readonly network: TObject
  /** What a schema cannot say: whether the settings suit one another and the chain id. Asked at start. @throws SettingsError, a sentence */
  suits?(network: NetworkBase & Net): void
  /** Upper bound of a transaction's fee in native tokens, a decimal text, unless the operator's `max_fee` says otherwise. */
  readonly maxFee: string
  /** One line about the protocol for OpenAPI. */
  readonly summary: string
  /** Title of the items of `/networks`. @default Network */
  readonly networkTitle?: string
  readonly actions: Readonly<Record<string, AnyAction<ClientOf<K>, Net, DraftOf<K>>>>
  balance(ctx: Context<ClientOf<K>, Net>, address: string): Promise<Balance>
  info(ctx: Context<ClientOf<K>, Net>): Promise<Info>
  /** Asks the chain whether the settings are true (the validator exists, the contract is the one meant). @throws a sentence */
  inspect(ctx: Context<ClientOf<K>, Net>): Promise<void>
  /**
   * Endpoint groups that its networks may have beside the kit's, each with a question to one endpoint of it, which `ctx.fetch` then reaches:
   * whether it is the one meant. Groups that are not named here are refused at start. @throws a sentence
   */
  readonly groups?: Readonly<Record<string, (ctx: Context<ClientOf<K>, Net>) => Promise<void>>>
  /** Reads of its own. */
  routes?(app: FastifyInstance, use: (request: FastifyRequest) => Context<ClientOf<K>, Net>): void
}

/** What the author of a plugin writes; the kit and the settings' schema come from `protocol`. */
export type Declaration<K extends AnyKit, Net> = Omit<Protocol<K, Net>, 'kit' | 'network'>

/** `defineAction` and `definePlugin`, bound to a family and a schema of settings. */
export interface Definers<K extends AnyKit, Net> {
  defineAction<T extends TProperties, Facts>(
    action: SettledAction<T, Facts, ClientOf<K>, Net, DraftOf<K>>,
  ): SettledAction<T, Facts, ClientOf<K>, Net, DraftOf<K>>
  defineAction<T extends TProperties, Facts = undefined>(
    action: Action<T, Facts, ClientOf<K>, Net, DraftOf<K>>,
  ): Action<T, Facts, ClientOf<K>, Net, DraftOf<K>>
  definePlugin(declaration: Declaration<K, Net>): ProtocolPlugin
}

/** Binds a family and a network schema once, so that no action ever spells out a generic. */
export function protocol<K extends AnyKit, const N extends TProperties>(kit: K, network: N): Definers<K, Static<TObject<N>>> {
  type Net = Static<TObject<N>>
  return {
    defineAction: (action: AnyAction<ClientOf<K>, Net, DraftOf<K>>) => action as never,
    definePlugin: (declaration) => pluginOf<K, Net>({ ...declaration, kit, network: Type.Object(network) }),
  }
}
