import { declareErrors } from '@svc/contract'
import { svmErrorCodes } from '@svc/kit-svm'

/** Errors that this protocol can answer beside its kit's codes. */
export const { errorCodes, badGateway, badRequest, unavailable } = declareErrors(
  {
    NONCE_ACCOUNTS_EXHAUSTED: [400, 'The wallet has as many nonce accounts as are looked for.'],
    REMAINDER_TOO_SMALL: [400, 'What would stay in the stake account is below its rent reserve; withdraw less, or everything.'],
    STAKE_ACCOUNT_INVALID: [400, 'The address is not that of a stake account.'],
    STAKE_ACCOUNT_MISSING: [400, 'There is no such account: withdrawn whole, or not made yet.'],
    STAKE_NOT_DEACTIVATED: [400, 'The stake account is staked still: unstake it, or wait until it has cooled down.'],
    STAKE_NOT_DELEGATED: [400, 'The stake account is not delegated; it can be withdrawn as it is.'],
    VALIDATOR_INACTIVE: [
      400,
      "The operator's validator does not vote, or keeps all rewards; staking with it is refused, the other actions work.",
    ],
    VALIDATOR_UNKNOWN: [502, "The operator's validator has no vote account on the chain: a wrong setting, or a node that lies."],
  },
  svmErrorCodes,
)
