import type { TObject, TSchema } from 'typebox'
import type { Log } from './log.ts'

/** Settings that every network has, whatever the protocol. */
export interface NetworkBase {
  /** Name that the operator gave the network, shown by `/networks`. */
  readonly name: string
  /** Value of X-NETWORK for the network. */
  readonly chainId: string
  /** Decimal places of the native token. */
  readonly decimals: number
  /** Symbol of the native token, for sentences, where the family has one token only. */
  readonly symbol?: string
  /** Upper bound of a transaction's fee, in base units; enforced on the decoded bytes. */
  readonly maxFee: bigint
}

/** Context of a kit's function: one network with the kit's own settings, and the client connected to it. */
export interface KitContext<Client, Settings = unknown> {
  readonly client: Client
  readonly network: NetworkBase & Settings
  readonly log: Log
  now(): Date
}

/** Schemas in which a family's transactions travel. */
export interface Wire {
  /** An address of the family, as it stands in paths and bodies. */
  readonly address: TSchema
  /** Response of every craft: the unsigned transaction. */
  readonly unsigned: TObject
  /** Body of prepare: the unsigned transaction and the signatures. */
  readonly prepare: TObject
  /** Response of prepare: the signed transaction. */
  readonly signed: TObject
  /** Body of broadcast: the signed transaction. */
  readonly broadcast: TObject
}
