import type { Call, Decoded, Effects } from '@svc/verify'
import type { Risk } from '@svc/verify/intent'
import type { Static, TObject } from 'typebox'
import type { Upstream } from './endpoint.ts'
import type { KitContext, NetworkBase, Wire } from './family.ts'
import type { Life } from './life/state.ts'
import type { Log } from './log.ts'
import type { ErrorCodes } from './refusals.ts'
import type { Requirement } from './requirement.ts'

/** An unsigned transaction, and with it what the chain dictated, noted before it was written into bytes. */
export interface Assembly<Unsigned> {
  readonly unsigned: Unsigned
  /** Nonce, fee level, block hash: compared exactly with what is read back from the bytes. */
  readonly terms: Readonly<Record<string, string | bigint>>
}

/** Names of a signed transaction. */
interface SignedNames {
  /** As `names.unsigned` of the transaction before it was signed. */
  readonly unsignedHash: string
  /** Hash by which the chain knows it. */
  readonly txHash: string
}

/**
 * Names of a transaction, worked out from its bytes: the chain is not asked. One transaction has the same `unsignedHash` when it is crafted,
 * prepared and broadcast, which is how the audit log links the three.
 */
export interface Names<W extends Wire, Settings = unknown> {
  /**
   * Names an unsigned transaction: by the hash that is signed where signed bytes still tell it, else by a hash of the unsigned bytes.
   *
   * @throws 400 for bytes that prepare refuses for their form
   */
  unsigned(body: Static<W['unsigned']> | Static<W['prepare']>, network: NetworkBase & Settings): string
  /**
   * Names a signed transaction. Every refusal that needs no question to the chain is made here: a transaction that has its names is sent.
   *
   * @throws 400 for what broadcast refuses without asking the chain
   */
  signed(body: Static<W['broadcast']>, network: NetworkBase & Settings): SignedNames
}

/** A transaction that a caller sent, for whoever puts it into words. */
export interface SentTransaction {
  /** Its bytes as `explain` of the family's intent takes them: hex or base64. Without signatures where reading them would only cost time. */
  readonly bytes: string
  /** Who has signed it, where `bytes` do not say so. Finding out may take milliseconds. @throws 400 for a signature that is none @default what `bytes` say */
  signer?(): string | null
}

/** Means with which a kit's client works. */
export interface KitIo extends Upstream {
  readonly log: Log
  now(): Date
}

/**
 * Parts that a chain family supplies, once, for all its protocols. The schema `network` reads `Settings`, and the family's `life` hands
 * `Receipt` to a plugin's `moved`.
 */
export interface Kit<Client, Draft, Preflight, W extends Wire, Settings = unknown, Receipt = unknown> {
  /** An open word: a further family needs no change anywhere else. */
  readonly family: string
  /** `type` in the answer of `/networks`. */
  readonly type: string
  /** Decimal places of its native token. A family whose chains differ in it has a kit for each of them. */
  readonly decimals: number
  /**
   * Most base units that an amount of the chain can have, of whatever token. A body that asks for more is refused before an endpoint is
   * asked. @default MOST_UNITS
   */
  readonly mostUnits?: bigint
  /** Its symbol, where all chains of the family have the same token. @example SOL */
  readonly symbol?: string
  /** A network by CAIP-2, for sentences. @example eip155:143 @see https://chainagnostic.org/CAIPs/caip-2 (read 2026-11-22) */
  caip2(network: NetworkBase & Settings): string
  /** Names the terms of a family's trust documents besides the protocol's own settings. @default none */
  terms?(network: NetworkBase & Settings): Readonly<Record<string, string>>
  /** Member of every action's body that names who signs. */
  readonly signer: string
  /** Address of whoever that member names, in its canonical form, where the member is a key. @throws 400 @default address */
  wallet?(signer: string): string
  readonly wire: W
  /** Codes of its own refusals, for the document. */
  readonly codes?: ErrorCodes
  /** Settings of the family's client, besides the protocol's own. */
  readonly network: TObject
  /** Endpoint group the client is connected to. */
  readonly endpoints: string
  /** An address in its canonical form. @throws 400 ADDRESS_INVALID */
  address(text: string): string
  /**
   * True if the client says of its readings that they are such, and how two endpoints agree: then a network may want the word of two (`agreement: 2`).
   *
   * @default false
   */
  readonly agrees?: boolean
  /** One client a network, made at start, closed with the service. Must not call the chain. */
  connect(network: NetworkBase & Settings, io: KitIo): Client
  close?(client: Client): void | Promise<void>
  /** The chain's own word for which chain it is, to be compared with `network.chainId`. */
  identify(ctx: KitContext<Client, Settings>): Promise<string>
  /** Requirements for every endpoint, for `svc check`, the start, and the page on nodes. @default what is missing shows when it is needed */
  readonly requirements?: readonly Requirement<Client, NetworkBase & Settings>[]
  /** Reads what a transaction needs besides its draft. Starts at once, with `read` and `guard`. */
  preflight(ctx: KitContext<Client, Settings>, signer: string, input: Readonly<Record<string, unknown>>): Promise<Preflight>
  /** Draft to unsigned transaction. Simulates it, and answers 400 for what the chain would refuse. */
  assemble(ctx: KitContext<Client, Settings>, draft: Draft, preflight: Promise<Preflight>): Promise<Assembly<Static<W['unsigned']>>>
  /**
   * Unsigned transaction to what it does, by `@svc/verify`; shares no code with `assemble`.
   *
   * @param expected only what is needed to name what the bytes hold: methods and their parameters
   * @param network,terms facts that a family's bytes are bound to and do not name, as an account number; never what is to be found in them
   */
  decode(unsigned: Static<W['unsigned']>, expected: Effects, network: NetworkBase & Settings, terms: Assembly<unknown>['terms']): Decoded
  /**
   * Returns what a caller needs besides the bytes to read them back, by the names of response headers of a craft: parts of what the caller
   * signs that are not in the bytes. @default none
   */
  stated?(terms: Assembly<unknown>['terms']): Readonly<Record<string, string>>
  readonly names: Names<W, Settings>
  /**
   * The transaction in a body of prepare or broadcast, for the sentence that the audit log keeps. It is what `names` has found to be one, and is
   * not judged here. @default none: the log then has a sentence of crafts alone
   */
  sent?(body: Static<W['prepare']> | Static<W['broadcast']>, network: NetworkBase & Settings): SentTransaction
  /** Names a call that gives something away, and says what it does, for the refusal of a transaction that holds one. @default its bytes alone are said */
  risk?(call: Call): Risk | null
  /**
   * @param craftedFor tells for whom the account had these bytes crafted, in the family's canonical form; empty where nobody here knows. For a family whose
   *   unsigned bytes name no signer: a signature of somebody else is then refused
   */
  prepare(
    ctx: KitContext<Client, Settings>,
    body: Static<W['prepare']>,
    craftedFor?: () => Promise<readonly string[]>,
  ): Promise<Static<W['signed']>>
  /**
   * Sends what `names.signed` has named, and whose record is saved. A failure of 500 and above leaves open whether it arrived; the host adds
   * the hash to it.
   */
  broadcast(ctx: KitContext<Client, Settings>, body: Static<W['broadcast']>): Promise<{ tx_hash: string }>
  /** Life of a transaction after its broadcast. @default none: its callers ask the chain themselves */
  readonly life?: Life<Client, W, Settings, Receipt>
}

// biome-ignore-start lint/suspicious/noExplicitAny: a kit is invariant in its client and draft; only `protocol` binds them
export type AnyKit = Kit<any, any, any, Wire, any, any>
export type ClientOf<K> = K extends Kit<infer Client, any, any, any, any, any> ? Client : never
export type DraftOf<K> = K extends Kit<any, infer Draft, any, any, any, any> ? Draft : never
export type SettingsOf<K> = K extends Kit<any, any, any, any, infer Settings, any> ? Settings : never
export type ReceiptOf<K> = K extends Kit<any, any, any, any, any, infer Receipt> ? Receipt : never
// biome-ignore-end lint/suspicious/noExplicitAny: see above
