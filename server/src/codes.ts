import { declareErrors } from '@svc/contract'

/** Errors that the routes of the sandbox can answer; a service that is none has neither. */
export const { errorCodes, badRequest, notFound, serviceError } = declareErrors({
  SANDBOX_FAILED: [500, 'In the sandbox only: a local chain could not do what it was told; the sentence says why.'],
  SANDBOX_FOREIGN: [403, 'In the sandbox only: its tokens are told to pages of this machine alone, under its own name.'],
  SANDBOX_INPUT_INVALID: [400, 'In the sandbox only: a step, amount, address, fault or payload is not one.'],
  SANDBOX_NOT_FOUND: [404, 'In the sandbox only: there is no such chain, operation or wallet.'],
  SANDBOX_NOT_SUPPORTED: [400, 'In the sandbox only: the chain or family does not do that.'],
})
