import type { Effects, Mismatch } from '@svc/verify'
import type { FastifyRequest } from 'fastify'

/** A network as the operator configured it, with an account's overrides laid on top; the plugin's schema has not seen it yet. */
export interface NetworkSettings {
  readonly chainId: string
  readonly name: string
  /** Where in the config it stands, for messages. */
  readonly path: string
  readonly settings: Readonly<Record<string, unknown>>
}

/** What a request did, for the audit log. Each member is set once it is known. */
export interface Note {
  readonly action?: string
  readonly network?: string
  readonly effects?: Effects
  readonly txHash?: string
  /** The transaction was withheld because its bytes said something else than was asked. */
  readonly mismatches?: readonly Mismatch[]
}

/** What the host hands to a plugin. */
export interface Services {
  /** Every distinct network of the plugin: the operator's, and one more for each account that overrides settings. */
  readonly networks: readonly NetworkSettings[]
  /** The network a request goes to. @throws 400 when it is not enabled for the account */
  network(request: FastifyRequest): NetworkSettings
  /** The networks enabled for the account of the request. */
  enabled(request: FastifyRequest): readonly { readonly network: NetworkSettings; readonly isDefault: boolean }[]
  /** Failover `fetch` over an endpoint group of a network. */
  fetch(chainId: string, group: string): typeof fetch
  /** Whether the operator named an endpoint group of a network. */
  hasEndpoints(chainId: string, group: string): boolean
  now(): Date
  /** Adds to the request's audit record. */
  note(request: FastifyRequest, note: Note): void
}

/** Keys that mark a route for the host. Registered symbols, so that two copies of this package agree. */
export const routeMarks: {
  /** On every route that is an action (craft, prepare, broadcast): its name. Only `registerAction` sets it. */
  readonly action: unique symbol
  /** Status of a body that does not fit its schema. */
  readonly invalidBody: unique symbol
} = { action: Symbol.for('@svc/contract.action') as never, invalidBody: Symbol.for('@svc/contract.invalidBody') as never }
