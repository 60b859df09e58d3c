import type { Protocol } from './protocol.ts'

/** The contract's number; a host refuses a plugin of another. */
export const CONTRACT = 1

// biome-ignore lint/suspicious/noExplicitAny: the host knows no family, so it cannot name one
export type AnyProtocol = Protocol<any, any>

/** Default export of a plugin package. A host registers what is declared here, by code of its own. */
export interface ProtocolPlugin {
  readonly contract: typeof CONTRACT
  readonly protocol: AnyProtocol
}
