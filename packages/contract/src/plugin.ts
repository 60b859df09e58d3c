import type { Protocol } from './protocol.ts'

/** Version number of the contract; a host refuses a plugin of another. */
export const CONTRACT = 1

// biome-ignore lint/suspicious/noExplicitAny: the host knows no family, so it cannot name one
export type AnyProtocol = Protocol<any, any>

/** Default export of a plugin package. The host registers the declared parts by its own code. */
export interface ProtocolPlugin {
  readonly contract: typeof CONTRACT
  readonly protocol: AnyProtocol
}
