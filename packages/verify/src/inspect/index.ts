// Subpath `@svc/verify/inspect`: what a transaction from anywhere does, what is unusual of it, and how it stands to agreed terms. It knows no family and no
// protocol by itself: both are handed to it, as values.
export type { Agreement, Difference } from './agreement.ts'
export { type FamilyReading, type FamilyRefusal, type ReadableFamily, readableAmong, readFamilies } from './families.ts'
export type { Finding } from './finding.ts'
export { type GivenTransaction, type InspectorInput, type Members, readGiven } from './input-form.ts'
export { type Inspecting, type Inspection, inspect, type Reading } from './inspect.ts'
export { isTrust, type PinnedTerms, type TrustDocument, unfit } from './trust.ts'
