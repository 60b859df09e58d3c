export { Amount, type AmountMark, type AmountOptions, amountNumber, atMost, formatAmount, parseAmount } from './amount.ts'
export { type ErrorCodes, errorCodes } from './codes.ts'
export { type Crafted, craft, DecodeMismatch } from './craft.ts'
export {
  badGateway,
  badRequest,
  type ErrorBody,
  gatewayTimeout,
  isServiceError,
  notFound,
  ServiceError,
  unauthorized,
  unavailable,
  unprocessable,
} from './errors.ts'
export { readInput } from './input.ts'
export { type Inspection, inspectGroup, inspectNetwork, unknownGroup } from './inspect.ts'
export { type ExactNumber, exactNumber, literalOf, parseJson } from './json.ts'
export type { AnyKit, Assembled, ClientOf, DraftOf, Kit, KitContext, KitIo, NetworkBase, Wire } from './kit.ts'
export { type AnyProtocol, CONTRACT, type ProtocolPlugin } from './plugin.ts'
export { allProblems, firstProblem } from './problem.ts'
export {
  type Action,
  type AnyAction,
  type Balance,
  type Context,
  type Declaration,
  type Definers,
  type Info,
  type Input,
  type Protocol,
  protocol,
  type SettledAction,
  type StakedObject,
} from './protocol.ts'
export { type ActionRoute, registerAction } from './register.ts'
export {
  ErrorSchema,
  NullableTokenAmount,
  networkSchema,
  StakingBalanceSchema,
  StakingInfoSchema,
  StakingObjectSchema,
  schemaRef,
  sharedSchemas,
  TokenAmount,
  TxHashSchema,
} from './schemas.ts'
export { type NetworkSettings, type Note, routeMarks, type Services } from './services.ts'
export { resolveNetwork, SettingsError, settingsSchema } from './settings.ts'
export { createSnapshot, type Snapshot } from './snapshot.ts'
