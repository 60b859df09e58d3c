export type { AgreementRule, JsonRpcAgreement } from './agreement.ts'
export {
  Amount,
  type AmountMark,
  type AmountOptions,
  amountMark,
  amountNumber,
  atMost,
  formatAmount,
  MOST_UNITS,
  meansAll,
  parseAmount,
} from './amount.ts'
export { errorCodes } from './codes.ts'
export { type Condition, type ConditionState, conditionOf, flawOfConditions, type Obstacle } from './condition.ts'
export { type ConditionKeeper, type ConditionReading, createConditionKeeper } from './condition-keeper.ts'
export { countUsers, type UserCount, type UserCounting } from './counting.ts'
export { type Crafted, craft, DecodeMismatch } from './craft.ts'
export { answerWithin, type Deadline, setDeadline, settledWithin } from './deadline.ts'
export { declareErrors } from './declare-errors.ts'
export { type Definers, protocol } from './define.ts'
export {
  type Comparison,
  EndpointError,
  type EndpointReason,
  isEndpointError,
  malformedAnswer,
  type Repeatable,
  requireSent,
  type Sender,
  singleEndpoint,
  type Upstream,
} from './endpoint.ts'
export { type ErrorBody, isServiceError, type RefusalOptions, restated, type ServiceError } from './errors.ts'
export type { ExampleExchange, ProtocolExamples } from './examples.ts'
export type { KitContext, NetworkBase, Wire } from './family.ts'
export { type Funds, requireFee, requireFunds, type Token, tokensText } from './fee.ts'
export {
  type Elsewhere,
  elsewhereText,
  Former,
  heldElsewhere,
  isHeld,
  positionOf,
  refuseFormerPresent,
  unknownFormer,
  validatorOf,
} from './former.ts'
export { readHex } from './hex.ts'
export { readInput } from './input.ts'
export { type Inspection, inspectGroup, inspectNetwork, inspectRequirements, requirementsOf, unknownGroup } from './inspect.ts'
export { type ExactNumber, exactNumber, literalOf, parseJson, parseStrict } from './json.ts'
export { createJsonRpc, type JsonRpc, type JsonRpcOptions, type Judged, type Lacks } from './json-rpc.ts'
export { unanswered } from './json-rpc-answers.ts'
export type { JsonRpcFault, Sentinel, Watched } from './json-rpc-wave.ts'
export { createKeyStore, type KeyStore, memoryRecords, type Records } from './key-store.ts'
export type { AnyKit, Assembled, ClientOf, DraftOf, Kit, KitIo, Names, ReceiptOf, Sent, SettingsOf, SignedNames } from './kit.ts'
export {
  type Amounts,
  type Book,
  type BookReading,
  type Bucket,
  bucketName,
  type Earned,
  type Earning,
  type EntryKind,
  type Flow,
  type FlowKind,
  type Flows,
  type Mark,
  type Place,
  type RemainderKind,
  type UnknownReason,
} from './ledger/book.ts'
export type { BookLooks, BookSource } from './ledger/source.ts'
export { isNotHeld } from './life/confirm.ts'
export { type Difference, differences } from './life/differences.ts'
export { isDoubted } from './life/facts-to-keep.ts'
export type { Followed, Look, Looks, Position, Standing } from './life/follow.ts'
export { looksOf } from './life/look-functions.ts'
export { isNotAsPromised } from './life/promise.ts'
export type {
  Bounds,
  Facts,
  Failure,
  KnownPosition,
  Life,
  MadeMove,
  Moved,
  Sighting,
  Status,
  Subject,
  Validity,
  ValidUntil,
} from './life/state.ts'
export { standingToWire, TransactionStatusSchema, ValidUntilSchema } from './life/wire.ts'
export { nodeBehind, nodeBusy, requireChain, requireRecent, saysBusy } from './liveness.ts'
export { mayHaveArrived, refusedWhenSent } from './may-have-arrived.ts'
export { itemsOf, membersOf, namesOf } from './members.ts'
export { defineMemo, type Memo } from './memo.ts'
export { MoveSchema, movesToWire } from './moves.ts'
export { type PinnedTerms, termsOf } from './pinned-terms.ts'
export { type AnyProtocol, CONTRACT, type ProtocolPlugin, registerProtocol } from './plugin.ts'
export { centsOf, type Price, readPrice } from './price.ts'
export { allProblems, firstProblem } from './problem.ts'
export type {
  Action,
  AnyAction,
  Balance,
  Context,
  Declaration,
  Info,
  Input,
  PositionPart,
  Protocol,
  SettledAction,
  StakedObject,
} from './protocol.ts'
export { compounded, orLastGood, wholeMinutes } from './reading-info.ts'
export type { ReadRequest, ReadSchema, Reads } from './reads.ts'
export type { CodeOf, ErrorCodes, Refusals } from './refusals.ts'
export {
  type Answered,
  type AnyRequirement,
  askBatch,
  askNode,
  askRequirements,
  callsOf,
  isNotServed,
  type Met,
  missingMethod,
  type NodeSetting,
  type ProbeContext,
  type Requirement,
} from './requirement.ts'
export { type Sample, type Sampling, takeSample } from './samples.ts'
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
export { type LifeHost, type NetworkSettings, type Note, routeMarks, type Services } from './services.ts'
export { priceIdOf, resolveNetwork, SettingsError, settingsSchema } from './settings.ts'
export { signatureBytes } from './signature-text.ts'
export { createSnapshot, REFRESH_MS, type Snapshot } from './snapshot.ts'
export type { Reading, Terms } from './terms.ts'
export { inTurns } from './turns.ts'
export { balanceToWire, infoToWire } from './wire.ts'
