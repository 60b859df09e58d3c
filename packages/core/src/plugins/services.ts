import type { Bounds } from '@svc/contract'
import type { Upstream } from '@svc/contract/host'
import type { Effects, Mismatch } from '@svc/verify'
import type { Move } from '@svc/verify/intent'
import type { FastifyRequest } from 'fastify'
import type { CraftRequest } from './craft/craft-request.ts'
import type { Followed, Looks, Standing } from './life/follow.ts'
import type { ConditionReading } from './network/condition-keeper.ts'
import type { Records } from './network/key-store.ts'
import type { Reading } from './network/terms.ts'
import type { PendingControl } from './pending-control.ts'
import type { Price } from './price.ts'

/** A network as the operator configured it, with an account's overrides laid on top; the plugin's schema has not seen it yet. */
export interface NetworkSettings {
  readonly chainId: string
  readonly name: string
  /** Path of the network in the config, for messages. */
  readonly path: string
  readonly settings: Readonly<Record<string, unknown>>
}

/** Note of what a request did, for the audit log. Each member is set once it is known. */
export interface Note {
  readonly action?: string
  readonly network?: string
  readonly effects?: Effects
  /** The transaction before it was signed, as the kit names it: the same on craft, prepare and broadcast. */
  readonly unsignedHash?: string
  /** Hash by which the chain knows it; set from the moment in which it may be sent. */
  readonly txHash?: string
  /** Limits within which the transaction can land, as its signed bytes say. If they are set, the transaction is followed from the moment at which it may be sent. */
  readonly bounds?: Bounds
  /** The members that broadcast takes, signed, with `bounds`: where the host keeps them, it can send the very same once more. */
  readonly signed?: Readonly<Record<string, unknown>>
  /** Hash of the transaction once an endpoint took it, whose record `intend` has saved with its bounds. */
  readonly accepted?: string
  /** Wallet that signs the transaction, in the family's canonical form. */
  readonly wallet?: string
  /** Sentence of the protocol's intent on the bytes of the transaction. */
  readonly sentence?: string
  /** Moves of the transaction, read as the sentence is. */
  readonly moves?: readonly Move[]
  /** The transaction does something that no request to the protocol leads to. */
  readonly hidden?: HiddenNote
  /** The transaction was withheld because its bytes said something else than was asked. */
  readonly mismatches?: readonly Mismatch[]
}

/** Note of a transaction that does more than one action of the protocol, or something else. */
interface HiddenNote {
  /** CAIP-2 name of the network, as in events. */
  readonly caip2: string
  /** One sentence on the call. */
  readonly call: string
  /** True if the service refused the transaction. False: it was passed on all the same, or was sent elsewhere. */
  readonly refused: boolean
  /** True if the call is an alarm: unless the operator lets the account send any transaction. */
  readonly isAlarm: boolean
}

/** The host's part in the life of transactions after their broadcast. */
export interface LifeHost {
  /** Announces, at start, how a network is looked at, so that the host can follow what happens there by itself. */
  offer(network: NetworkSettings, looks: Looks): void
  /**
   * Returns the state of a transaction for the account of the request: an end as it was kept, any other state as the chain shows it now.
   *
   * @param txHash canonical
   * @param wallet canonical; who signed it, for one that the account does not follow and whose family finds transactions by it
   */
  status(request: FastifyRequest, network: NetworkSettings, txHash: string, wallet?: string): Promise<Standing>
  /** Follows a transaction that was broadcast elsewhere. A second call for the same transaction only adds facts that were not known yet. */
  track(request: FastifyRequest, network: NetworkSettings, followed: Followed): Promise<Standing>
  /**
   * Returns the kept end of a transaction that the account of the request follows. The chain is not asked.
   *
   * @param txHash canonical
   * @returns null: it has not ended, or the account does not follow it
   */
  ended(request: FastifyRequest, network: NetworkSettings, txHash: string): Promise<Standing | null>
}

/** Services that the host hands to a plugin. */
export interface Services {
  /** Every distinct network of the plugin: the operator's, and one more for each account that overrides settings. */
  readonly networks: readonly NetworkSettings[]
  /** Returns the network that a request goes to. */
  network(request: FastifyRequest): NetworkSettings
  /** Returns which transactions the service assembles and sends for the account of the request: only those that do what the protocol knows (`known`), or `any`. */
  sends(request: FastifyRequest): 'known' | 'any'
  /** Finds the wallets for which the account of the request had the transaction with this `unsignedHash` crafted on a network; empty where that is no longer known. */
  craftedFor(request: FastifyRequest, network: NetworkSettings, unsignedHash: string): Promise<readonly string[]>
  /** Lists the networks that are enabled for the account of the request. */
  enabled(request: FastifyRequest): readonly { readonly network: NetworkSettings; readonly isDefault: boolean }[]
  /** Returns an endpoint group of a network, with failover. */
  upstream(chainId: string, group: string): Upstream
  /** Tells whether the operator named an endpoint group of a network. */
  hasEndpoints(chainId: string, group: string): boolean
  /** Returns each endpoint of a group by itself, in the order of the config, so that their answers can be compared. */
  endpoints(chainId: string, group: string): readonly Upstream[]
  /** The life of transactions after their broadcast. */
  readonly life: LifeHost
  /** Records that plugins keep over restarts. */
  readonly records: Records
  /**
   * Announces a token whose price is wanted; all that were announced are asked for in one request.
   *
   * @returns asks for its last price; null while there is none that is younger than a day
   */
  watchPrice(id: string): () => Promise<Price | null>
  /**
   * Shows the host the staking-info that the plugin keeps of a network: `look` asks nobody, and answers null while it is not complete.
   * Absent where the host has no use for it.
   */
  readonly showInfo?: (network: NetworkSettings, look: () => Reading | null) => void
  /**
   * The same for the state of what the network stakes with: `look` asks nobody, and answers null until it was read. Not called for a plugin
   * that tells none.
   */
  readonly showCondition?: (network: NetworkSettings, look: () => ConditionReading | null) => void
  /** Returns the changes of holders of powers over the network's validators or pools that the operator has not accepted, without asking the chain. */
  pendingControl(network: NetworkSettings): readonly PendingControl[]
  now(): Date
  /**
   * Fixes the answer to a request: the host sends and signs this status and these bytes, and a fault that says nothing where anything else
   * is about to leave in their place.
   */
  seal(request: FastifyRequest, status: number, text: string): void
  /** Adds to the request's audit record. */
  note(request: FastifyRequest, note: Note): void
  /**
   * Saves the request's audit record, with this note, before something is done that cannot be undone; the request's answer completes it.
   *
   * @throws 503 `AUDIT_UNAVAILABLE` when it is not saved: then the thing must not be done
   */
  intend(request: FastifyRequest, note: Note): Promise<void>
}

const action: unique symbol = Symbol('action')
const invalidBody: unique symbol = Symbol('invalid body')
const inputMark: unique symbol = Symbol('asked')

/** Keys that mark a route, out of the reach of plugins. */
export const routeMarks: {
  readonly action: typeof action
  readonly invalidBody: typeof invalidBody
  readonly asked: typeof inputMark
} = { action, invalidBody, asked: inputMark }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** On every route that is an action (craft, prepare, broadcast): its name. Only `registerAction` sets it. */
    [action]?: string
    /** Status of a body that does not fit its schema. */
    [invalidBody]?: 400 | 422
    /** On every craft: tells what a request that is refused has asked for. */
    [inputMark]?: (request: Pick<FastifyRequest, 'body'>) => CraftRequest
  }
}
