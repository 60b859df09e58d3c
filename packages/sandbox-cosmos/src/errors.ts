/**
 * Refusal of the chain, in the chain's words: a code within a codespace, and a text.
 *
 * @see cosmos-sdk types/errors and x/staking/types, x/distribution/types; feemarket x/feemarket/types (read 2026-11-21)
 */
export class ChainError extends Error {
  readonly codespace: string
  readonly code: number
  /** Gas counted until then; set where it is known. */
  gasUsed: bigint | undefined

  constructor({ codespace, code, text }: ErrorKind, why?: string) {
    super(why === undefined ? text : `${why}: ${text}`)
    this.name = 'ChainError'
    this.codespace = codespace
    this.code = code
  }
}

/** One registered error. */
interface ErrorKind {
  readonly codespace: string
  readonly code: number
  readonly text: string
}

const kind =
  (codespace: string) =>
  (code: number, text: string): ErrorKind => ({ codespace, code, text })
const ofSdk = kind('sdk')
const ofStaking = kind('staking')
const ofDistribution = kind('distribution')
const ofFeemarket = kind('feemarket')
const ofAuthz = kind('authz')

/** Errors of the SDK itself. */
export const sdk = {
  txDecode: ofSdk(2, 'tx parse error'),
  unauthorized: ofSdk(4, 'unauthorized'),
  insufficientFunds: ofSdk(5, 'insufficient funds'),
  unknownRequest: ofSdk(6, 'unknown request'),
  invalidAddress: ofSdk(7, 'invalid address'),
  invalidPubKey: ofSdk(8, 'invalid pubkey'),
  unknownAddress: ofSdk(9, 'unknown address'),
  invalidCoins: ofSdk(10, 'invalid coins'),
  outOfGas: ofSdk(11, 'out of gas'),
  memoTooLarge: ofSdk(12, 'memo too large'),
  insufficientFee: ofSdk(13, 'insufficient fee'),
  noSignatures: ofSdk(15, 'no signatures supplied'),
  invalidRequest: ofSdk(18, 'invalid request'),
  keyNotFound: ofSdk(22, 'key not found'),
  invalidType: ofSdk(29, 'invalid type'),
  txTimeoutHeight: ofSdk(30, 'tx timeout height'),
  wrongSequence: ofSdk(32, 'incorrect account sequence'),
  notSupported: ofSdk(37, 'feature not supported'),
  notFound: ofSdk(38, 'not found'),
  invalidGasLimit: ofSdk(41, 'invalid gas limit'),
  txTimeout: ofSdk(42, 'tx timeout'),
} as const

/** Errors of the staking module. */
export const staking = {
  noValidator: ofStaking(3, 'validator does not exist'),
  validatorJailed: ofStaking(7, 'validator for this address is currently jailed'),
  noDelegation: ofStaking(19, 'no delegation for (address, validator) tuple'),
  insufficientShares: ofStaking(22, 'insufficient delegation shares'),
  notEnoughShares: ofStaking(24, 'not enough delegation shares'),
  maxEntries: ofStaking(27, 'too many unbonding delegation entries for (delegator, validator) tuple'),
  selfRedelegation: ofStaking(29, 'cannot redelegate to the same validator'),
  tinyRedelegation: ofStaking(30, 'too few tokens to redelegate (truncates to zero tokens)'),
  invalidRate: ofStaking(34, 'cannot delegate to validators with invalid (zero) ex-rate'),
} as const

/** Errors of the distribution module. */
export const distribution = {
  noDelegationInfo: ofDistribution(5, 'no delegation distribution info'),
  noDelegation: ofDistribution(13, 'delegation does not exist'),
} as const

/** Errors of authorisations. @see https://github.com/cosmos/cosmos-sdk/blob/v0.53.8/x/authz/errors.go (read 2026-11-29) */
export const authz = {
  notFound: ofAuthz(2, 'authorization not found'),
  inPast: ofAuthz(3, 'expiration time of authorization should be more than current time'),
  unknownType: ofAuthz(4, 'unknown authorization type'),
  expired: ofAuthz(6, 'authorization expired'),
  sameAccount: ofAuthz(7, 'grantee and granter should be different'),
} as const

/** Errors of the fee market. */
export const feemarket = {
  noFeeCoins: ofFeemarket(1, 'no fee coin provided. Must provide one.'),
  tooManyFeeCoins: ofFeemarket(2, 'too many fee coins provided.  Only one fee coin may be provided'),
} as const

/** Makes the kind of an error that no module registered, as those of other libraries are. */
export function unregistered(text: string): ErrorKind {
  return { codespace: 'undefined', code: 1, text }
}

/** Makes the kind of a gRPC error in a message, for which the chain has no code of its own. */
export function grpcNotFound(what: string): ErrorKind {
  return unregistered(`rpc error: code = NotFound desc = ${what}`)
}

/** Names of gRPC states, as they stand in the text of a failed query. */
export type GrpcCode = 'NotFound' | 'InvalidArgument' | 'FailedPrecondition' | 'Unknown' | 'Internal' | 'Unimplemented'

/** A query that the chain refuses. */
export class QueryError extends Error {
  readonly grpc: GrpcCode

  constructor(grpc: GrpcCode, message: string) {
    super(message)
    this.name = 'QueryError'
    this.grpc = grpc
  }
}

/** A request that is none, refused before gRPC has a name for it. */
export class PlainError extends Error {}
