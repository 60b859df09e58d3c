import { declareErrors } from '@svc/contract'
import { moveErrorCodes } from '@svc/kit-move'

/** Errors that this protocol can answer beside its kit's codes, and the one of the kit's that it raises before the chain does. */
export const { errorCodes, badGateway, badRequest } = declareErrors(
  {
    OBJECT_NOT_STAKE: [400, 'The object is neither a StakedSui nor a FungibleStakedSui.'],
    STAKE_NOT_FOUND: [400, 'There is no such object: it was withdrawn already, or was put into another one.'],
    STAKE_NOT_OWNED: [400, 'The position belongs to another address, or to an object.'],
  },
  moveErrorCodes,
)
