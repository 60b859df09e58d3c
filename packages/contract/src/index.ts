export { Amount, amountNumber, atMost, formatAmount, MOST_UNITS, meansAll, parseAmount } from './amount.ts'
export { type Condition, conditionOf, type Obstacle } from './condition.ts'
export { countUsers, type UserCount } from './counting.ts'
export { type Deadline, setDeadline } from './deadline.ts'
export { declareErrors } from './declare-errors.ts'
export { type Definers, protocol } from './define.ts'
export { type Comparison, EndpointError, isEndpointError, malformedAnswer, requireSent, type Sender } from './endpoint.ts'
export { isServiceError, type RefusalOptions, type ServiceError } from './errors.ts'
export type { ProtocolExamples } from './examples.ts'
export type { KitContext, NetworkBase } from './family.ts'
export { requireFee, requireFunds, type Token, tokensText } from './fee.ts'
export {
  type Elsewhere,
  elsewhereText,
  Former,
  heldElsewhere,
  positionOf,
  refuseFormerPresent,
  unknownFormer,
  validatorOf,
} from './former.ts'
export { readHex } from './hex.ts'
export { exactNumber } from './json.ts'
export type { Assembly, Kit, KitIo, Names, SentTransaction } from './kit.ts'
export type {
  Bounds,
  Facts,
  Failure,
  KnownPosition,
  Life,
  Moved,
  Sighting,
  Status,
  Subject,
  ValidUntil,
} from './life/state.ts'
export { nodeBehind, nodeBusy, requireChain, requireRecent, saysBusy } from './liveness.ts'
export { refusedWhenSent } from './may-have-arrived.ts'
export { itemsOf, membersOf } from './members.ts'
export { defineMemo } from './network-memo.ts'
export type { ProtocolPlugin } from './plugin.ts'
export type { Balance, PositionPart, StakedObject } from './position.ts'
export type { Action, Context, Declaration, Info, SettledAction } from './protocol.ts'
export { readOnce } from './read-once.ts'
export { compounded, orLastGood, wholeMinutes } from './reading-info.ts'
export type { Reads } from './reads.ts'
export type { CodeOf, ErrorCodes } from './refusals.ts'
export { type Sampling, takeSample } from './samples.ts'
export { errorRefs, TokenAmount } from './schemas.ts'
export { SettingsError } from './settings-error.ts'
export { signatureBytes } from './signature-text.ts'
export { inTurns } from './turns.ts'
