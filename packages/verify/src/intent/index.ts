// Subpath `@svc/verify/intent`: what an intent is made of, and how an answer is checked against one.

export type { GivenSignature } from '../curve/signature.ts'
export { printable } from '../errors.ts'
export { formatUnits, isDoubleOf, parseUnits } from './amounts.ts'
export { type DefinedIntent, defineIntent } from './define.ts'
export { dictating } from './dictating.ts'
export { actsOf, type ExplainedTransaction, explain } from './explain.ts'
export type { Explanation, Signer } from './explained.ts'
export { callOf, claimedAtMost, correctedAmount, integerArg, type SharePrice, sharesWithin, textArg } from './facts.ts'
export { type Hidden, hiddenIn } from './hidden.ts'
export {
  amount,
  amountOf,
  flag,
  type GivenAmount,
  type GivenOf,
  type InputOf,
  integer,
  type Kind,
  optional,
  readInput,
  type Shape,
  text,
} from './input.ts'
export type { InspectedFamily, JoinedParts, KnownNetwork, OwnReader, Risk, StatedFact } from './inspected.ts'
export { parseExact, requireSingleMembers } from './json.ts'
export { move } from './moves.ts'
export { rightNames } from './nearest.ts'
export type { NetworkTerms, ResponseStatements, TermValue } from './network.ts'
export { Refused } from './refusal.ts'
export { judge, type Review, review } from './review.ts'
export { describe, quoted, tokens } from './sentence.ts'
export { reviewSent, reviewSigned, type SentTransactionReview, type SignedTransactionReview } from './signed.ts'
export type { Prepare, Signing, SigningRequest, WalletCall } from './signing.ts'
export type {
  ActionIntent,
  Acts,
  Assumption,
  Claim,
  Clause,
  CraftRejection,
  CraftReview,
  DecodedCall,
  Description,
  DictatedFact,
  DictatedValue,
  Family,
  Freedom,
  Intent,
  Layouts,
  Move,
  Reader,
  ReadFacts,
  SentReview,
  SignedReview,
  SignedRules,
  TermKind,
} from './types.ts'
export { warningsOf } from './usual-fee.ts'
export { formerIn, pinnedValidator } from './validators.ts'
export { worded } from './worded.ts'
