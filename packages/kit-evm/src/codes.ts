import { declareErrors } from '@svc/contract'

/** Errors that every EVM protocol can answer. */
export const { errorCodes, badGateway, badRequest, serviceError, unavailable, unprocessable } = declareErrors({
  ADDRESS_INVALID: [400, 'The address is not 0x and 40 hexadecimal digits, or its EIP-55 checksum is wrong.'],
  CHAIN_ID_MISMATCH: [400, 'The transaction is for another chain than the request; nothing was sent.'],
  CHAIN_REFUSED: [400, "The chain's mempool refused the transaction; the sentence carries its reason."],
  CHAIN_WOULD_REFUSE: [400, 'The simulation was refused; the sentence carries the reason. 422 in actions of evm-vault.'],
  EARLIER_PENDING: [400, 'An earlier transaction of the account waits; send the same one again when that has landed.'],
  FEE_TOO_LOW: [
    400,
    'The gas price is below what the network takes now; send the same one later, or one with the same nonce that pays more.',
  ],
  GAS_LIMIT_TOO_LOW: [400, 'The gas limit is below what a transaction with its data costs, so that it can never land; craft again.'],
  INSUFFICIENT_BALANCE: [400, 'The account does not cover amount and fee.'],
  LOGS_INCOMPLETE: [
    503,
    "The events of a book's time are still being read from the chain; the book waits, and no request is answered with this.",
  ],
  MEMPOOL_FULL: [503, "The chain's node takes no transactions at the moment; send the same one again in a few seconds."],
  NO_FINAL_BLOCK: [503, 'No endpoint knows a final block yet; a status is told without it.'],
  NONCE_PENDING: [400, 'Another transaction with that nonce waits; wait until one of them has landed, and craft no other before.'],
  NONCE_USED: [400, 'A transaction with that nonce is in a block, and it may be this one: look tx_hash up before you craft another.'],
  SIGNATURE_INVALID: [400, 'r, s and v are not a signature of this transaction on this chain.'],
  TRANSACTION_INVALID: [400, 'The bytes are not a transaction of the kind that is needed here.'],
  TRANSACTION_UNSEEN: [
    503,
    'The endpoints no longer hold the time in which the transaction was sent, so that nothing can be said of it; the operator can add an archive endpoint.',
  ],
  TX_HASH_INVALID: [400, 'The text is not a transaction hash of this chain.'],
  UPSTREAM_ERROR: [502, "The chain's node could not answer; try again."],
  WALLET_IS_CONTRACT: [400, 'The wallet is a contract, for which no key can sign; craft for an address that has a key.'],
})
