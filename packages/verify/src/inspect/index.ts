// Subpath `@svc/verify/inspect`: what a transaction from anywhere does, what is unusual of it, and how it stands to agreed terms. It knows every family, and so is larger
// than the reader of one.
export type { Agreement, Difference } from './agreement.ts'
export type { FamilyName, FamilyRefusal } from './families.ts'
export { type Given, type GivenTransaction, type Members, readGiven } from './given.ts'
export { type Inspecting, type Inspection, inspect, type Reading } from './inspect.ts'
export type { InspectedProtocol } from './protocols.ts'
export { isTrust, type PinnedTerms, type TrustDocument, unfit } from './trust.ts'
export type { Finding } from './unusual.ts'
