import type { Service } from '../service.ts'
import type { Gate, Way } from './gate.ts'

/** Answer of a service, as members by their places. */
export type FlatAnswer = ReadonlyMap<string, string>

/** Wallet of the life, with a transaction of it that has landed. */
export interface Case<Wallet> {
  readonly wallet: Wallet
  readonly landed: SignedBody
}

/** Transaction that was signed. */
export interface SignedBody {
  readonly hash: string
  /** Body of a request that broadcasts it. */
  readonly body: Readonly<Record<string, unknown>>
}

/** Two endpoints of one chain behind a service, and the same chain behind another service that has one. */
export interface Ground<Wallet> {
  /** Service whose only endpoint is the node that is well. */
  readonly alone: Service
  /** Service of the two gates. */
  readonly pair: Service
  readonly gates: readonly [Gate, Gate]
  /** Way to the node that is well. */
  readonly well: Way
  /** Where the service of the gates serves its counters. */
  readonly metrics: string
  /** Path of the protocol. @example /api/v1/hub-one/native */
  readonly path: string
  readonly network: string
  address(wallet: Wallet): string
  /** Text, in lower case, that every request to a node has in it which is about the wallet. */
  mark(wallet: Wallet): string
  /** Body of a request for a stake. */
  wish(wallet: Wallet): Readonly<Record<string, unknown>>
  /**
   * Replaces in the right answer to a craft what is no state of the chain, and each node says for itself, by what the other node says.
   *
   * @param way to the node that is not well
   * @returns null where the two answers differ in something else
   */
  readonly opinion?: (right: FlatAnswer, told: FlatAnswer, way: Way) => Promise<FlatAnswer | null>
  /** Crafts the same stake with a client of the service, and signs it. */
  sign(service: Service, wallet: Wallet): Promise<SignedBody>
  /** Has the chain go on until what was sent to the node that is well is final. @throws Error when it is in no block */
  pass(): Promise<void>
}

/** State of an endpoint that is honest, and knows or serves less than one that is well. */
export interface NodeState<Wallet> {
  /** End of a sentence. @example keeps no index */
  readonly name: string
  readonly way: Way
  /** The two wallets: for the order in which the endpoint is the first one, and the second. */
  readonly cases: readonly [Case<Wallet>, Case<Wallet>]
  /** Its head is an old one. */
  readonly isBehind?: boolean
  /** It passes no transaction on. */
  readonly isDeaf?: boolean
  /** Method that it does not serve: only what calls it is asked. */
  readonly lacks?: string
}
