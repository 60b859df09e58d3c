import { declareErrors } from '@svc/contract'

/** What every NEAR protocol can answer. */
export const { errorCodes, badGateway, badRequest, unavailable } = declareErrors({
  ACCOUNT_UNKNOWN: [400, 'The account does not exist on the network.'],
  ACCOUNT_UNSUITABLE: [400, 'The account has no key that signs transactions, or is of another network.'],
  ADDRESS_INVALID: [400, 'The text is no account id: 64 hex digits in lower case, or a name with a dot.'],
  CHAIN_REFUSED: [400, 'The chain refused the transaction; the sentence carries its reason.'],
  ENCODING_INVALID: [400, 'A member that is to be hex or base64 is not, or is too long.'],
  FEE_ABOVE_CAP: [503, "The fee could be above the operator's max_fee."],
  INSUFFICIENT_BALANCE: [400, 'The account does not cover amount, gas and storage.'],
  KEY_MISSING: [400, 'A named account may have many keys: public_key says which one signs.'],
  KEY_UNKNOWN: [400, 'The key is no Ed25519 key, or none of the account.'],
  KEY_RESTRICTED: [400, 'The key may not make this call.'],
  NONCE_USED: [400, 'Another transaction of the key has landed meanwhile; look this one up before you craft another.'],
  SIGNATURE_INVALID: [400, 'The signature is not one by the key over the hash of the transaction.'],
  TRANSACTION_EXPIRED: [400, 'The block hash of the transaction is too old or of another network; look it up before you craft another.'],
  TRANSACTION_INVALID: [400, 'The bytes are not one function call signed with Ed25519.'],
  TX_HASH_INVALID: [400, 'The text is no hash of a transaction.'],
  UPSTREAM_ERROR: [502, "The chain's node could not answer; try again."],
})
