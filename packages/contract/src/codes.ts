import { type ErrorCodes, type Refusals, refusals } from './refusals.ts'

/** Errors that every protocol can answer. */
export const errorCodes = {
  AMOUNT_INVALID: [
    400,
    'The amount is not a decimal number, is zero or negative, has more decimals than the token, or is larger than the chain can carry.',
  ],
  AMOUNT_TOO_SMALL: [400, 'The amount is below the minimum of the action.'],
  BODY_NOT_JSON: [400, 'The body is empty, no UTF-8 or not valid JSON.'],
  BODY_TOO_COMPLEX: [400, 'The body has more values, lists and objects among them, than any request of the service.'],
  FEE_ABOVE_CAP: [503, "The fee would be above the operator's max_fee; the sentence says whether it is one that falls again."],
  HELD_BY_ANOTHER_VALIDATOR: [
    400,
    'What was asked for lies with another validator (pool, vault) of the operator, mostly a former one; the sentence names it and says how to ask for it.',
  ],
  HEX_INVALID: [400, 'A member that is to be hexadecimal is not, is empty or cut short, or is longer than it may be.'],
  INSUFFICIENT_BALANCE: [400, 'The account does not cover amount and fee.'],
  INTERNAL_ERROR: [500, 'A fault of the service; quote x-request-id.'],
  REQUEST_INVALID: [
    400,
    'A member of the body, path or query is missing, unknown, doubled or of the wrong form (422 where the action says so).',
  ],
  STAKING_INFO_INCOMPLETE: [
    503,
    'Some of the terms of staking could not be read, and never were; null is for what does not apply. They are asked for again every minute.',
  ],
  SETTINGS_INVALID: [500, "At start only: the operator's config does not fit; the sentence names the path and what would be right."],
  TRANSACTION_EXPIRED: [400, 'The transaction was followed here to its end: its validity has ended, and it was not sent again.'],
  TRANSACTION_FAILED: [
    400,
    'The transaction was followed here to its end: it is in a block, where its execution failed, and it was not sent again.',
  ],
  TRANSACTION_HIDDEN_CALL: [
    400,
    'The transaction does something that no request to the protocol leads to, such as a transfer or a change of who controls a stake, or nobody here can read it. It was neither assembled nor sent: send it elsewhere if you mean it.',
  ],
  TRANSACTION_INVALID: [400, 'The bytes are not a transaction of the kind that is needed here.'],
  TRANSACTION_REPLACED: [
    400,
    'The transaction was followed here to its end: another one has used what it needs, and it was not sent again. The sentence names the other where it is known.',
  ],
  TX_HASH_INVALID: [400, 'The text is not a transaction hash of this chain.'],
  TRANSACTION_UNSEEN: [
    503,
    'The endpoints no longer hold the time in which the transaction was sent, so that nothing can be said of it; the operator can add an archive endpoint.',
  ],
  UPSTREAM_BEHIND: [
    503,
    "The chain's node has not caught up with its chain, or its last block is older than the operator allows, as when the chain stands still; try again.",
  ],
  UPSTREAM_BUSY: [503, "The chain's endpoints are overloaded; see Retry-After."],
  UPSTREAM_ERROR: [502, "The chain's node could not answer; try again."],
  UPSTREAM_OTHER_CHAIN: [502, "The chain's node serves another chain."],
  VALIDATOR_NOT_SERVED: [
    400,
    'The validator (pool, vault) that the request names is neither the present nor a former one of the operator.',
  ],
} as const satisfies ErrorCodes

/** Makers of refusals with the codes of this package. */
export const { badGateway, badRequest, unavailable, serviceError }: Refusals<typeof errorCodes> = refusals
