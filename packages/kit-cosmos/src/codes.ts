import { declareErrors } from '@svc/contract'

/** Errors that every Cosmos protocol can answer. */
export const { errorCodes, badGateway, badRequest, serviceError, unavailable } = declareErrors({
  ACCOUNT_UNKNOWN: [400, 'The account does not exist on the chain yet; fund it first.'],
  ADDRESS_INVALID: [400, "The address is not a bech32 address with the chain's prefix."],
  CHAIN_REFUSED: [400, 'The chain refused the transaction; the sentence carries its reason.'],
  CHAIN_WOULD_REFUSE: [400, 'The simulation was refused; the sentence carries the reason.'],
  CLAIM_PAYS_NOTHING: [400, 'The chain would charge the fee and pay nothing, as a simulation has shown; the sentence says when it pays.'],
  FEE_ABOVE_CAP: [503, "The fee would be above the operator's max_fee; the sentence says whether it is one that falls again."],
  FEE_TOO_LOW: [400, 'The fee is below what the network takes now; send the same one later, or one of the same sequence that pays more.'],
  GAS_ABOVE_MAXIMUM: [
    502,
    'Every endpoint tells more gas for the transaction than is believed; the operator can raise `gas_used_maximum`.',
  ],
  GAS_LIMIT_TOO_LOW: [400, 'The gas limit is below what the checks of the transaction alone need; craft again.'],
  GAS_PRICE_HIGH: [502, 'One endpoint alone tells a gas price above the bound of the settings; another one is asked.'],
  INSUFFICIENT_BALANCE: [400, 'The account does not cover amount and fee from what it can spend.'],
  INSUFFICIENT_STAKE: [400, "The amount is above the stake with the operator's validator."],
  ISSUANCE_FORM: [502, "The chain's issuance has another form than the chain's data says; the rate is not told."],
  MEMPOOL_FULL: [503, "The node's mempool is full; send the same transaction again."],
  NODE_NOT_READY: [
    503,
    'The node refuses a signature of which nothing says that it does not fit, as one does that has just started; send the same transaction again.',
  ],
  NOTHING_TO_CLAIM: [400, 'The account has no claimable rewards.'],
  PUBLIC_KEY_INVALID: [400, 'The public key is not a compressed or uncompressed secp256k1 key in hex.'],
  SEQUENCE_AHEAD: [400, "The sequence is above the account's next one; send the same transaction again when those before it have landed."],
  SEQUENCE_UNCLEAR: [
    400,
    'The sequence was refused, and no node can tell by which transaction it was used: look tx_hash up before you craft another.',
  ],
  SEQUENCE_USED: [
    400,
    'Another transaction of the account, which is named, has used the sequence, so that this one can never land; craft again, if that one did not do the same.',
  ],
  SEQUENCE_WAITING: [400, 'Another transaction of the account with that sequence waits; craft no other before one of them has landed.'],
  SIGNATURE_INVALID: [400, 'The signature is not one of this transaction by its key.'],
  SIMULATION_NOT_SERVED: [502, "The chain's node simulates no transactions, because its gRPC is off; its operator can switch it on."],
  TOO_MANY_UNBONDINGS: [400, 'The account has as many unbonding entries with the validator as the chain allows.'],
  TRANSACTION_EXPIRED: [400, 'The transaction is past its height or time; look tx_hash up, and craft again when it is told as expired.'],
  TRANSACTION_INVALID: [400, 'The bytes are not a transaction of the kind that is needed here.'],
  TRANSACTION_NOT_KEPT: [
    503,
    'No endpoint keeps what was asked for: an index of transactions, or the results of blocks; the operator can add one that does.',
  ],
  TRANSACTION_PENDING: [400, 'Another transaction of the account is on its way; wait for it and craft again.'],
  UPSTREAM_ERROR: [502, "The chain's node could not answer; try again."],
  VALIDATOR_INACTIVE: [400, "The operator's validator is not in the active set; staking with it is refused, unstaking and claiming work."],
  VALIDATOR_JAILED: [400, "The operator's validator is jailed; staking with it is refused, unstaking and claiming work."],
  VALIDATOR_TOMBSTONED: [400, "The operator's validator was tombstoned; staking with it is refused, unstaking and claiming work."],
  VALIDATOR_UNKNOWN: [502, "The chain's node does not know the operator's validator; if that lasts, it is a wrong setting."],
  WITHDRAW_ADDRESS_OTHER: [
    400,
    'The rewards would be paid to another account than the wallet, or than the request names; the sentence says to whom, and what would be right.',
  ],
  VALIDATOR_UNUSABLE: [400, "The operator's validator was slashed to nothing, so nobody can delegate to it."],
})
