import { declareErrors } from '@svc/contract'

/** Errors that this protocol can answer besides its kit's codes. */
export const { errorCodes, badGateway, badRequest } = declareErrors({
  INSUFFICIENT_SAVINGS: [400, 'The amount is more than the savings of the address.'],
  NO_SAVINGS: [400, 'The address has nothing in the vault.'],
  VAULT_CLOSED: [400, 'The vault takes no deposits at present.'],
  VAULT_UNREADABLE: [502, 'The vault could not be read.'],
})
