import type { Call, Decoded, Effects } from '@svc/verify'
import type { Risk } from '@svc/verify/intent'
import type { Static, TObject } from 'typebox'
import type { Upstream } from './endpoint.ts'
import type { KitContext, NetworkBase, Wire } from './family.ts'
import type { Life } from './life/state.ts'
import type { Log } from './log.ts'
import type { ErrorCodes } from './refusals.ts'
import type { Requirement } from './requirement.ts'

/** Unsigned transaction, together with the terms that the chain dictated, noted before they were written into bytes. */
export interface Assembly<Unsigned> {
  readonly unsigned: Unsigned
  /** Nonce, fee level, block hash: compared exactly with what is read back from the bytes. */
  readonly terms: Readonly<Record<string, string | bigint>>
}

/** Names of a signed transaction. */
interface SignedNames {
  /** Same as `names.unsigned` of the transaction before it was signed. */
  readonly unsignedHash: string
  /** Hash by which the chain knows the transaction. */
  readonly txHash: string
}

/**
 * Names of a transaction, computed from its bytes without asking the chain. One transaction has the same `unsignedHash` when it is crafted, prepared and broadcast; the
 * audit log links the three by it.
 */
export interface Names<W extends Wire, Settings = unknown> {
  /**
   * Names an unsigned transaction: by the hash that is signed where signed bytes still yield it, else by a hash of the unsigned bytes.
   *
   * @throws 400 for bytes that prepare refuses for their form
   */
  unsigned(body: Static<W['unsigned']> | Static<W['prepare']>, network: NetworkBase & Settings): string
  /**
   * Names a signed transaction. Makes every refusal that needs no question to the chain: a transaction that has names is sent.
   *
   * @throws 400 for what broadcast refuses without asking the chain
   */
  signed(body: Static<W['broadcast']>, network: NetworkBase & Settings): SignedNames
}

/** Transaction that a caller sent, in the form from which it is put into words. */
export interface SentTransaction {
  /** Bytes of the transaction as `explain` of the family's intent takes them: hex or base64. They lack signatures where reading those would only cost time. */
  readonly bytes: string
  /** Finds the signer, where `bytes` do not name it. That may take milliseconds. @throws 400 for a signature that is none @default what `bytes` say */
  signer?(): string | null
}

/** Connections and clock that a kit's client works with. */
export interface KitIo extends Upstream {
  readonly log: Log
  now(): Date
}

/**
 * Parts that a chain family supplies, once, for all its protocols. The schema `network` reads `Settings`, and the family's `life` hands
 * `Receipt` to a plugin's `moved`.
 */
export interface Kit<Client, Draft, Preflight, W extends Wire, Settings = unknown, Receipt = unknown> {
  /** Name of the chain family; any word, so that a further family needs no change elsewhere. */
  readonly family: string
  /** Value of `type` in the answer of `/networks`. */
  readonly type: string
  /** Decimal places of the family's native token. A family whose chains differ in them has one kit for each number. */
  readonly decimals: number
  /** Largest amount of any token on the chain, in base units. A body that asks for more is refused before an endpoint is asked. @default MOST_UNITS */
  readonly mostUnits?: bigint
  /** Symbol of the native token, where all chains of the family have the same token. @example SOL */
  readonly symbol?: string
  /** Names a network by CAIP-2, for sentences. @example eip155:143 @see https://chainagnostic.org/CAIPs/caip-2 (read 2026-11-22) */
  caip2(network: NetworkBase & Settings): string
  /** Names the terms of a family's trust documents besides the protocol's own settings. @default none */
  terms?(network: NetworkBase & Settings): Readonly<Record<string, string>>
  /** Name of the body member, in every action, that names the signer. */
  readonly signer: string
  /** Returns the canonical address of the signer, where the signer is named by a key. @throws 400 @default address */
  wallet?(signer: string): string
  readonly wire: W
  /** Error codes of the kit's own refusals, for the document. */
  readonly codes?: ErrorCodes
  /** Schema of the settings of the family's client, besides the protocol's own. */
  readonly network: TObject
  /** Name of the endpoint group that the client is connected to. */
  readonly endpoints: string
  /** Returns an address in its canonical form. @throws 400 ADDRESS_INVALID */
  address(text: string): string
  /** True if the client marks its readings as readings, and declares how two endpoints agree: then a network may require the word of two (`agreement: 2`). @default false */
  readonly agrees?: boolean
  /** Makes the client of a network, once, at start; it is closed with the service. Must not call the chain. */
  connect(network: NetworkBase & Settings, io: KitIo): Client
  close?(client: Client): void | Promise<void>
  /** Asks the chain for its own identifier, which is compared with `network.chainId`. */
  identify(ctx: KitContext<Client, Settings>): Promise<string>
  /** Requirements for every endpoint, for `svc check`, the start, and the page on nodes. @default what is missing shows when it is needed */
  readonly requirements?: readonly Requirement<Client, NetworkBase & Settings>[]
  /** Reads what a transaction needs besides its draft. Starts at once, with `read` and `guard`. */
  preflight(ctx: KitContext<Client, Settings>, signer: string, input: Readonly<Record<string, unknown>>): Promise<Preflight>
  /** Makes the unsigned transaction of a draft. Simulates it, and answers 400 for what the chain would refuse. */
  assemble(ctx: KitContext<Client, Settings>, draft: Draft, preflight: Promise<Preflight>): Promise<Assembly<Static<W['unsigned']>>>
  /**
   * Reads an unsigned transaction back into its effects, by `@svc/verify`; shares no code with `assemble`.
   *
   * @param expected only what is needed to name what the bytes hold: methods and their parameters
   * @param network,terms facts that a family's bytes are bound to and do not name, as an account number; never what is to be found in them
   */
  decode(unsigned: Static<W['unsigned']>, expected: Effects, network: NetworkBase & Settings, terms: Assembly<unknown>['terms']): Decoded
  /** Returns the parts of what the caller signs that are not in the bytes, by names of response headers of a craft: a caller needs them to read the bytes back. @default none */
  stated?(terms: Assembly<unknown>['terms']): Readonly<Record<string, string>>
  readonly names: Names<W, Settings>
  /**
   * Extracts the transaction from a body of prepare or broadcast, for the sentence in the audit log. `names` has accepted it already, and it is not judged here.
   *
   * @default none: the log then has a sentence of crafts alone
   */
  sent?(body: Static<W['prepare']> | Static<W['broadcast']>, network: NetworkBase & Settings): SentTransaction
  /** Names a call that gives something away, and describes it, for the refusal of a transaction that contains it. @default its bytes alone are said */
  risk?(call: Call): Risk | null
  /**
   * Makes the signed transaction of an unsigned one and its signatures.
   *
   * @param craftedFor tells for whom the account had these bytes crafted, in the family's canonical form; empty where nobody here knows. For a family whose
   *   unsigned bytes name no signer: a signature of somebody else is then refused
   */
  prepare(
    ctx: KitContext<Client, Settings>,
    body: Static<W['prepare']>,
    craftedFor?: () => Promise<readonly string[]>,
  ): Promise<Static<W['signed']>>
  /** Sends a transaction that `names.signed` has named, and whose record is saved. A failure of 500 and above leaves open whether it arrived; the host adds the hash to it. */
  broadcast(ctx: KitContext<Client, Settings>, body: Static<W['broadcast']>): Promise<{ tx_hash: string }>
  /** Functions that follow a transaction after its broadcast. @default none: its callers ask the chain themselves */
  readonly life?: Life<Client, W, Settings, Receipt>
}

// biome-ignore-start lint/suspicious/noExplicitAny: a kit is invariant in its client and draft; only `protocol` binds them
export type AnyKit = Kit<any, any, any, Wire, any, any>
export type ClientOf<K> = K extends Kit<infer Client, any, any, any, any, any> ? Client : never
export type DraftOf<K> = K extends Kit<any, infer Draft, any, any, any, any> ? Draft : never
export type SettingsOf<K> = K extends Kit<any, any, any, any, infer Settings, any> ? Settings : never
export type ReceiptOf<K> = K extends Kit<any, any, any, any, any, infer Receipt> ? Receipt : never
// biome-ignore-end lint/suspicious/noExplicitAny: see above
