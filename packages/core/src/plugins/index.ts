// The host's side of a plugin without the server around it: for commands that ask a chain, for conformance, and for tests of kits.
export { craft } from './craft/craft.ts'
export { type PinnedTerms, termsOf } from './craft/pinned-terms.ts'
export { type Difference, differences } from './life/differences.ts'
export type { Look } from './life/follow.ts'
export { looksOf, unitsOf } from './life/look-functions.ts'
export { TransactionStatusSchema, ValidUntilSchema } from './life/wire.ts'
export { type Inspection, inspectGroup, inspectNetwork, inspectRequirements, requirementsOf } from './network/inspect.ts'
export { createKeyStore, memoryRecords } from './network/key-store.ts'
export { priceIdOf, resolveNetwork, settingsSchema } from './network/settings.ts'
export type { Terms } from './network/terms.ts'
export { registerProtocol } from './register.ts'
export {
  networkSchema,
  StakingBalanceSchema,
  StakingControlSchema,
  StakingInfoSchema,
  StakingObjectSchema,
  sharedSchemas,
} from './routes/schemas.ts'
export { balanceToWire } from './routes/wire.ts'
export type { NetworkSettings, Services } from './services.ts'
