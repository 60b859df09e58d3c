import { declareErrors } from '@svc/contract'

/** Errors that this protocol can answer beside its kit's codes. */
export const { errorCodes, badGateway, badRequest, unavailable, unprocessable } = declareErrors({
  AMOUNT_DUST: [422, 'The amount is less than one share of the vault is worth.'],
  BLOCKED: [422, "The address is on the vault's blocklist."],
  EXITS_INCOMPLETE: [503, "The vault's exits are still being read from the chain, and the sentence says how far; see Retry-After."],
  HARVEST_UNAVAILABLE: [422, 'The vault must be harvested first, and the values for that are not at hand.'],
  INSUFFICIENT_STAKE: [422, 'The amount is above what the address can unstake.'],
  NOTHING_TO_WITHDRAW: [400, 'The address has no exits.'],
  NOT_WHITELISTED: [422, 'The vault is private, and the address is not on its whitelist.'],
  SUBGRAPH_BEHIND: [503, "The vault's indexer is further behind the chain than the settings allow; see Retry-After."],
  SUBGRAPH_UNREADABLE: [502, "The vault's indexer gave no usable answer."],
  VAULT_FULL: [422, 'The amount is more than the vault still takes.'],
  VAULT_UNREADABLE: [502, 'The vault could not be read.'],
  VAULT_UNSUPPORTED: [
    502,
    "The operator's vault is of a kind or version that cannot be served, its node says: a fault of the settings, or of the node.",
  ],
  WITHDRAWAL_NOT_READY: [400, 'No exit of the address is both processed and mature.'],
})
