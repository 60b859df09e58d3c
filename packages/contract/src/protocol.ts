import type { Effects } from '@svc/verify'
import type { Intent } from '@svc/verify/intent'
import type { Static, TObject, TProperties } from 'typebox'
import type { Condition } from './condition.ts'
import type { Departed, Redelegation } from './control.ts'
import type { Upstream } from './endpoint.ts'
import type { ProtocolExamples } from './examples.ts'
import type { KitContext, NetworkBase } from './family.ts'
import type { KeyStore } from './key-store.ts'
import type { AnyKit, ClientOf, DraftOf, ReceiptOf } from './kit.ts'
import type { Book } from './ledger/book.ts'
import type { KnownPosition, Moved } from './life/state.ts'
import type { Balance } from './position.ts'
import type { Reads } from './reads.ts'
import type { ErrorCodes } from './refusals.ts'
import type { Requirement } from './requirement.ts'
import type { StirringSearch } from './stirring.ts'

/** Context of a protocol's function: its client, its validated settings, the clock and the log. */
export interface Context<Client, Net> extends KitContext<Client, Net> {
  /** Object that stands for the network, with its settings, in this process: `defineMemo` keeps values by it. */
  readonly memo: object
  /** Store that outlasts restarts and is shared by all replicas: for samples, and for the progress of a count. */
  readonly store: KeyStore
  /**
   * Returns a further endpoint group of the network, with the service's failover: an indexer besides the chain, say.
   *
   * @returns null when the operator named no such group, so that what it serves is left out
   */
  upstream(group: string): Upstream | null
}

/** A body as the plugin sees it: amounts are base units, addresses canonical. */
export type Input<T extends TProperties> = Static<TObject<T>>

interface ActionBase<T extends TProperties, Client, Net> {
  /** One line of OpenAPI. */
  readonly summary: string
  /** Facts that a caller should know before calling; Markdown. */
  readonly description?: string
  /** Members of the body. `Amount()` members are JSON numbers on the wire and `bigint` here. */
  readonly body: T
  /** Checks preconditions that shape no byte. Runs at the same time as everything else; its refusal (400, a sentence) wins over a simulation's. */
  guard?(ctx: Context<Client, Net>, input: Input<T>): Promise<void>
  /** Status of a body that does not fit. @default 400 */
  readonly invalidBody?: 400 | 422
  /**
   * Error codes with which a staking action refuses because of an obstacle that `condition` reports too. When a caller meets an obstacle that the last reading of the
   * condition lacks, or gets bytes in spite of one that it has, the host reads the condition anew.
   *
   * An action that puts stake in names them, be it none: the host refuses it while the holder of a power among the terms of what is staked with waits to be accepted by the operator.
   *
   * @default it puts nothing in, and is refused for neither
   */
  readonly obstacles?: readonly string[]
  /** True where the specification of the service does not have the action: OpenAPI marks it `x-beyond-specification`. */
  readonly beyondSpecification?: true
  /** True where some refusals of the chain's state are 422 although the body is valid; for OpenAPI. */
  readonly unprocessable?: boolean
}

/** Action whose bytes follow from the request, the settings and, where `read` is given, facts of the chain. */
export interface Action<T extends TProperties, Facts, Client, Net, Draft> extends ActionBase<T, Client, Net> {
  /** Reads facts that shape the bytes and follow neither from the request nor from settings: chain state, a fresh key. */
  read?(ctx: Context<Client, Net>, input: Input<T>): Promise<Facts>
  readonly settle?: undefined
  /** Makes the transaction in the family's own words. Pure. */
  craft(network: NetworkBase & Net, input: Input<T>, facts: Facts): Draft
  /** Returns everything that the caller was promised; the decoded bytes must equal it. Pure, and never derived from the draft. */
  effects(network: NetworkBase & Net, input: Input<T>, facts: Facts): Effects
  /** Returns a sentence, added to that of the audit log, on what the bytes do not say. @default nothing */
  says?(input: Input<T>, facts: Facts): string | null
}

/**
 * Action whose request alone usually determines the transaction, though the chain's state may correct it: an amount above the balance by less than the precision of a JSON
 * number means all of it. The expected plan is crafted at once, while the chain is read, so that the usual case takes one round trip; only a different plan is crafted
 * again.
 *
 * @typeParam Plan plain data, compared by value
 */
export interface SettledAction<T extends TProperties, Facts, Plan, Client, Net, Draft> extends ActionBase<T, Client, Net> {
  read(ctx: Context<Client, Net>, input: Input<T>): Promise<Facts>
  /** Returns the plan for the case that the chain corrects nothing. Pure. */
  expect(input: Input<T>): Plan
  /** Returns the plan that follows from the facts read; throws the refusal that they demand. Pure. */
  settle(network: NetworkBase & Net, input: Input<T>, facts: Facts): Plan
  craft(network: NetworkBase & Net, input: Input<T>, plan: Plan): Draft
  effects(network: NetworkBase & Net, input: Input<T>, plan: Plan): Effects
  /** Returns a sentence for the audit log, as in `Action`. @param facts as `read` has them */
  says?(input: Input<T>, facts: Facts): string | null
}

// biome-ignore-start lint/suspicious/noExplicitAny: actions of one protocol differ in body, facts and plan; each was checked where it was defined
export type AnyAction<Client, Net, Draft> = Action<any, any, Client, Net, Draft> | SettledAction<any, any, any, Client, Net, Draft>
// biome-ignore-end lint/suspicious/noExplicitAny: as above

/**
 * Terms of staking on a network. null: the term does not apply; undefined: its source failed just now, so that the last good value stays. A value that was never read makes
 * the answer a 503, never null.
 */
export interface Info {
  readonly activationMinutes: number | null | undefined
  readonly deactivationMinutes: number | null | undefined
  readonly withdrawalMinutes: number | null | undefined
  /** Sum of all fees on rewards, percent of rewards. */
  readonly rewardFeePercent: number | null | undefined
  readonly withdrawalFeePercent: number | null | undefined
  /** Rate that a delegator receives after every fee in `rewardFeePercent`, in percent a year, without compounding. */
  readonly aprPercent: number | null | undefined
  readonly apyPercent: number | null | undefined
  readonly maxSlashingPercent: number | null | undefined
  /** Smallest stake, in base units. */
  readonly minStake: bigint | null | undefined
  /** Largest stake, in base units; null means no upper limit. */
  readonly maxStake: bigint | null | undefined
  /** Exact number of users; null also until they were first counted to the end. */
  readonly users: number | null | undefined
  /** Stake in base units. The host adds its value in US dollars. */
  readonly tvl: bigint | null | undefined
  /** True while a count over several refreshes is under way; the next refresh then comes in a minute. */
  readonly unfinished?: boolean
}

/** Declaration of a protocol plugin. An absent member has a meaning: without `routes`, the protocol has no reads of its own. */
export interface Protocol<K extends AnyKit, Net> {
  /** Name of the npm package. */
  readonly name: string
  /** Path of the protocol behind `/api/v1`, two segments: `/evm-three/native`. */
  readonly prefix: `/${string}/${string}`
  readonly kit: K
  /** Schema of the settings particular to this protocol. */
  readonly network: TObject
  /** Checks what a schema cannot express: whether the settings suit one another and the chain id. Called at start. @throws SettingsError, a sentence */
  validateSettings?(network: NetworkBase & Net): void
  /**
   * Returns the validators (pools, vaults) that the settings name, spelt as in the parts of a balance: the present one first, then the former ones. The host compares with
   * them where the stake of the followed wallets lies. Pure.
   *
   * @default no position depends on what the settings stake with: a balance has no parts
   */
  validators?(network: NetworkBase & Net): readonly string[]
  /** Upper bound of a transaction's fee in native tokens, a decimal text, unless the operator's `max_fee` says otherwise. */
  readonly maxFee: string
  /**
   * The native token's id at the service's price source, by chain id, for `tvl_usd`; the operator's `price_id` wins. Absent for a protocol
   * whose info has no `tvl`, such as one pool of many; empty where none is known.
   *
   * @example { '143': 'monad' }
   */
  readonly coins?: Readonly<Record<string, string>>
  /** Symbol of the native token, for sentences, where the kit does not know it. @example MON */
  readonly symbol?: string
  /**
   * Promises to the protocol's callers, in a package that also runs in the callers' own processes: with it the service checks what it crafts, prints trust documents and
   * puts transactions into words.
   */
  readonly intent?: Intent
  /** One line about the protocol for OpenAPI. */
  readonly summary: string
  /** Title of the items of `/networks`. @default Network */
  readonly networkTitle?: string
  /** Codes of the protocol's own refusals. Where every plugin of a server declares them, the document lists all values of `code`. */
  readonly codes?: ErrorCodes
  /** Examples that the document and the console show. @default what the schemas' own examples come to */
  readonly examples?: ProtocolExamples
  readonly actions: Readonly<Record<string, AnyAction<ClientOf<K>, Net, DraftOf<K>>>>
  balance(ctx: Context<ClientOf<K>, Net>, address: string): Promise<Balance>
  info(ctx: Context<ClientOf<K>, Net>): Promise<Info>
  /**
   * Reads the state of every validator or pool that a stake goes to, in one round trip of few calls where nothing is wrong, since the host asks every few minutes. The
   * states follow from the rule by which the actions refuse stake: all are `active` if, and only if, no stake is refused because of them. A failed reading throws, and is
   * never reported as a state; an obstacle that passes by itself within minutes is not reported either.
   *
   * @throws 502, 503, 504
   */
  condition?(ctx: Context<ClientOf<K>, Net>): Promise<readonly Condition[]>
  /**
   * Interval at which the host reads the condition, in whole minutes from 1 to 2880, which is the longest epoch of a chain: longer than usual where the condition seldom
   * changes, and a craft does not rest on it. Obstacles that a caller meets cause an earlier reading, see `obstacles`.
   *
   * @default 5
   */
  readonly conditionMinutes?: number
  /**
   * Returns the moves that a transaction of this protocol made, from the chain's record of it. Kinds and assets are those of the intent's sentences, with which it shares
   * no code: a difference is reported to the caller. Pure.
   *
   * @param wallet who signed it, canonical; null where only the hash is known and the record does not say it
   * @default told are the state and the fee alone
   */
  moved?(network: NetworkBase & Net, receipt: ReceiptOf<K>, wallet: string | null): Moved
  /**
   * Explains why the chain refused a transaction that failed in a block, from the data that it gave in place of words, as in a craft. Pure.
   *
   * @returns the rest of a sentence; null for data that is not known
   * @default told is what the family makes of the data
   */
  explain?(data: string): string | null
  /**
   * Returns the time at which a position next changes by itself: something activates, an exit ends. Exact where the chain knows a time, else estimated by its pace, and
   * rather late than early, since the position is read again then.
   *
   * @param balance as `balance` has just read it
   * @returns null when it does not change by itself
   * @default the earliest `withdrawableAt` of its objects
   */
  due?(ctx: Context<ClientOf<K>, Net>, address: string, balance: Balance): Promise<Date | null>
  /**
   * Finds out what became of units that a wallet had and that `balance` no longer shows. A protocol declares this where stake lies in units that can be given away or
   * divided; a loss of a wallet's units is then reported, unless the chain has paid it out or a followed transaction promised it.
   *
   * @param ids units of the last reading, some of which may never have been of this protocol's kind
   * @default nothing is told of a unit that is gone
   * @throws 502, 503, 504
   */
  departed?(ctx: Context<ClientOf<K>, Net>, address: string, ids: readonly string[]): Promise<Departed>
  /**
   * Lists the stake that a wallet has moved between validators after a height. Called where a part has fewer shares than before, and `balance` does not explain it.
   *
   * @param after height of the reading before
   * @default what is less is told as lost
   * @throws 502, 503, 504
   */
  redelegations?(ctx: Context<ClientOf<K>, Net>, address: string, after: bigint): Promise<readonly Redelegation[]>
  /**
   * Returns digests of many positions in few calls, by address as it was given. A digest is a text of any length that changes when any transaction changes the position's
   * contents, and stays the same while only time, epochs and rewards go on, except at the moments that `due` names. `balance` returns the same text for the position that
   * it reads.
   *
   * The host compares digests every `digestMinutes` for all wallets that it watches, and reads those positions whole whose digest has changed. A digest that could not be read is left
   * out: the host asks again.
   *
   * @param positions each with what its last whole reading found; some hundred of them
   * @default the host reads positions whole, a few a day
   * @throws 502, 503, 504 when none could be read
   */
  digests?(ctx: Context<ClientOf<K>, Net>, positions: readonly KnownPosition[]): Promise<ReadonlyMap<string, string>>
  /**
   * Interval at which the host compares digests, in whole minutes that divide a day: shorter than usual where the digests of thousands of wallets are a few calls.
   *
   * @default 1440
   */
  readonly digestMinutes?: number
  /**
   * Search by which the host learns soon which positions were changed from elsewhere: it reads them at once, and tells what it reads. Nothing rests on it: without it, and
   * where the nodes offer no such search, a change is found when the position is read for another reason.
   *
   * @default changes from elsewhere are found by digests, or when positions are read whole
   */
  readonly stirrings?: StirringSearch<Context<ClientOf<K>, Net>>
  /**
   * Functions by which the host keeps a wallet's book: the parts of a position at one final height, the movements between two heights, and the earnings.
   *
   * @default the book holds what `balance` says, and that it knows neither flows nor rewards
   */
  readonly book?: Book<Context<ClientOf<K>, Net>>
  /** Asks the chain whether the settings are true: whether the validator exists, and the contract is the one meant. @throws a sentence */
  inspect(ctx: Context<ClientOf<K>, Net>): Promise<void>
  /**
   * Lists the former validators (pools, vaults) of the settings that the chain does not know, where a position shows as nothing. Such a validator may be gone with the last
   * of its stake, or be misspelt; the finding does not prevent a start.
   *
   * @returns a sentence on each
   * @default each that is named was found by `inspect`, or none can be named
   * @throws 502, 503, 504
   */
  inspectFormer?(ctx: Context<ClientOf<K>, Net>): Promise<readonly string[]>
  /**
   * Requirements for the protocol's endpoints besides those of its kit; an empty list where the kit's are all. Where this member is given, conformance demands that both
   * lists together cover every call that the plugin makes.
   *
   * @default the kit's alone, and conformance compares nothing
   */
  readonly requirements?: readonly Requirement<ClientOf<K>, NetworkBase & Net>[]
  /**
   * Endpoint groups that the protocol's networks may have besides the kit's, each with a check of one of its endpoints, which `ctx.fetch` then reaches: whether it is the
   * one meant. Groups that are not named here are refused at start.
   *
   * @throws a sentence
   */
  readonly groups?: Readonly<Record<string, (ctx: Context<ClientOf<K>, Net>) => Promise<void>>>
  /** Registers the protocol's own reads. */
  routes?(reads: Reads<Context<ClientOf<K>, Net>>): void
}

/** Declaration that the author of a plugin writes; the kit and the settings' schema come from `protocol`. */
export type Declaration<K extends AnyKit, Net> = Omit<Protocol<K, Net>, 'kit' | 'network'>
