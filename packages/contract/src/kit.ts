import type { Decoded, Effects } from '@svc/verify'
import type { FastifyBaseLogger } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'

/** What every network has, whatever the protocol. */
export interface NetworkBase {
  /** The operator's word for it, shown by `/networks`. */
  readonly name: string
  /** What X-NETWORK carries. */
  readonly chainId: string
  /** Upper bound of a transaction's fee, in base units; enforced on the decoded bytes. */
  readonly maxFee: bigint
}

/** What a kit's function gets: one network, and the client connected to it. */
export interface KitContext<Client> {
  readonly client: Client
  readonly network: NetworkBase
  readonly log: FastifyBaseLogger
  now(): Date
}

/** The shapes in which a family's transactions travel. */
export interface Wire {
  /** An address of the family, as it stands in paths and bodies. */
  readonly address: TSchema
  /** Response of every craft. */
  readonly unsigned: TObject
  /** Body of prepare: the unsigned transaction and the signatures. */
  readonly prepare: TObject
  /** Response of prepare. */
  readonly signed: TObject
  /** Body of broadcast. */
  readonly broadcast: TObject
}

/** An unsigned transaction, and beside it what the chain dictated, noted before it was written into bytes. */
export interface Assembled<Unsigned> {
  readonly unsigned: Unsigned
  /** Nonce, fee level, block hash: compared exactly with what is read back from the bytes. */
  readonly terms: Readonly<Record<string, string | bigint>>
}

/** What a kit's client runs on. */
export interface KitIo {
  /** Failover, timeouts and credentials included; the base address of a request is ignored, its path is kept. */
  readonly fetch: typeof fetch
  readonly log: FastifyBaseLogger
}

/** What a chain family supplies, once, for all its protocols. */
export interface Kit<Client, Draft, Lifetime, W extends Wire> {
  /** An open word: a further family needs no change anywhere else. */
  readonly family: string
  /** `type` in the answer of `/networks`. */
  readonly type: string
  /** Decimal places of the family's native tokens. */
  readonly decimals: number
  /** Member of every action's body that names who signs. */
  readonly signer: string
  readonly wire: W
  /** Settings of the family's client, beside the protocol's own. */
  readonly network: TObject
  /** Endpoint group the client is connected to. */
  readonly endpoints: string
  /** An address in its canonical form. @throws 400 ADDRESS_INVALID */
  address(text: string): string
  /** One client a network, made at start, closed with the service. Must not call the chain. */
  connect(network: NetworkBase, io: KitIo): Client
  close?(client: Client): void | Promise<void>
  /** The chain's own word for which chain it is, to be compared with `network.chainId`. */
  identify(ctx: KitContext<Client>): Promise<string>
  /** What a transaction needs besides its draft. Starts at once, beside `read` and `guard`. */
  lifetime(ctx: KitContext<Client>, signer: string, input: Readonly<Record<string, unknown>>): Promise<Lifetime>
  /** Draft to unsigned transaction. Simulates it, and answers 400 for what the chain would refuse. */
  assemble(ctx: KitContext<Client>, draft: Draft, lifetime: Promise<Lifetime>): Promise<Assembled<Static<W['unsigned']>>>
  /**
   * Unsigned transaction to what it does, by `@svc/verify`; shares no code with `assemble`.
   *
   * @param expected only what is needed to name what the bytes hold: methods and their parameters
   * @param network,terms facts that a family's bytes are bound to and do not name, as an account number; never what is to be found in them
   */
  decode(unsigned: Static<W['unsigned']>, expected: Effects, network: NetworkBase, terms: Assembled<unknown>['terms']): Decoded
  prepare(ctx: KitContext<Client>, body: Static<W['prepare']>): Promise<Static<W['signed']>>
  broadcast(ctx: KitContext<Client>, body: Static<W['broadcast']>): Promise<{ tx_hash: string }>
}

// biome-ignore-start lint/suspicious/noExplicitAny: a kit is invariant in its client and draft; only `protocol` binds them
export type AnyKit = Kit<any, any, any, Wire>
export type ClientOf<K> = K extends Kit<infer Client, any, any, any> ? Client : never
export type DraftOf<K> = K extends Kit<any, infer Draft, any, any> ? Draft : never
// biome-ignore-end lint/suspicious/noExplicitAny: see above
