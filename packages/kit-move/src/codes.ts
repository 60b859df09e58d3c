import { declareErrors } from '@svc/contract'

/** Errors that every Move protocol can answer. */
export const { errorCodes, badGateway, badRequest, gatewayTimeout, serviceError, unavailable } = declareErrors({
  ADDRESS_INVALID: [400, 'The address or object id is not 0x and 64 hexadecimal digits.'],
  AMOUNT_TOO_SMALL: [400, 'The amount is below the least that the chain takes.'],
  BASE64_INVALID: [400, 'A member that is to be base64 is not, or not in its canonical form.'],
  CHAIN_IDENTIFIER_MISSING: [500, 'The setting chain_identifier is missing for a network that is neither mainnet nor testnet.'],
  CHAIN_ID_MISMATCH: [400, 'The transaction is for another chain than the request; nothing was sent.'],
  CHAIN_REFUSED: [400, 'The chain refused the transaction; the sentence carries its reason.'],
  CHAIN_WOULD_REFUSE: [400, 'The simulation was refused; the sentence carries the reason.'],
  FEE_TOO_LOW: [400, 'The gas price is below what the network takes in this epoch.'],
  GAS_PRICE_HIGH: [502, 'One endpoint alone tells a gas price above the bound of the settings; another one is asked.'],
  INSUFFICIENT_BALANCE: [400, 'The wallet does not cover amount and gas.'],
  NODE_WITHOUT_INDEX: [502, "The chain's node keeps no index of what owners have; its operator can switch it on."],
  OBJECTS_LOCKED: [
    400,
    'Another transaction has taken or locked the same coins or position; the sentence names it where the chain does: look it up.',
  ],
  OBJECT_NOT_FOUND: [400, 'An object in the transaction does not exist on the chain, or no longer.'],
  SIGNATURE_INVALID: [400, 'The signatures are not one of each signer of this transaction.'],
  SIGNATURE_UNSUPPORTED: [400, 'The signature is of a kind that cannot be verified here.'],
  TRANSACTION_EXPIRED: [400, 'The epochs in which the transaction was valid have passed; look it up before you craft another.'],
  TRANSACTION_INVALID: [400, 'The bytes are not a transaction of the kind that is needed here.'],
  TRANSACTION_UNSEEN: [
    503,
    'The endpoints no longer hold the time in which the transaction was sent, so that nothing can be said of it; the operator can add an archive endpoint.',
  ],
  TX_HASH_INVALID: [400, 'The text is not a transaction hash of this chain.'],
  TRANSACTION_STALE: [400, 'A coin or position in the transaction has changed since it was crafted; look it up before you craft another.'],
  UPSTREAM_BUSY: [503, "The chain's node is overloaded; see Retry-After."],
  UPSTREAM_ERROR: [502, "The chain's node could not answer; try again."],
  UPSTREAM_TIMEOUT: [504, "The chain's node did not answer in time."],
  VALIDATOR_INACTIVE: [400, "The operator's validator is not in the active set; staking with it is refused, withdrawing works."],
})
