// Subpath `@svc/verify/intent`: what an intent is made of, and how an answer is checked against one.

export type { GivenSignature } from '../curve/signature.ts'
export { formatUnits, parseUnits } from './amounts.ts'
export { type Defined, defineIntent } from './define.ts'
export { type Explained, explain } from './explain.ts'
export type { Explanation, Signer } from './explained.ts'
export { callOf, claimedAtMost, correctedAmount, integerArg, type SharePrice, sharesWithin, textArg } from './facts.ts'

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
export { parseExact } from './json.ts'
export { move } from './moves.ts'
export type { NetworkTerms, Stated } from './network.ts'
export { Refused } from './refused.ts'
export { judge, type Rejected, type Review, type Reviewed, review } from './review.ts'
export { type Described, describe, quoted, tokens } from './sentence.ts'
export type { Prepare, Signing, SigningRequest } from './signing.ts'
export type {
  ActionIntent,
  Assumed,
  Claimed,
  Clause,
  DecodedCall,
  Family,
  Intent,
  Layouts,
  Move,
  ReadFacts,
  TermKind,
} from './types.ts'
