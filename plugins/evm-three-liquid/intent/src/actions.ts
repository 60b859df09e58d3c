import type { Call, Effects } from '@svc/verify'
import { call } from '@svc/verify/evm'
import {
  type ActionIntent,
  amount,
  callOf,
  formerIn,
  integer,
  integerArg,
  optional,
  pinnedValidator,
  sharesWithin,
  text,
} from '@svc/verify/intent'
import { CLAIM, DEPOSIT, DEPOSIT_WITH, REDEEM, REDEEM_FROM } from './methods.ts'
import { type Books, price, sharesBy } from './shares.ts'
import type { Terms } from './terms.ts'

const addressAndAmount = { address: text, amount }
/** A redemption may take the stake with a former validator, which the request names then. */
const redemption = { ...addressAndAmount, validatorId: optional(integer(1, Number.MAX_SAFE_INTEGER)) }
const request = { address: text, request_id: integer(1, Number.MAX_SAFE_INTEGER) }

/** Intent of depositing into the pool, whose token goes to the address. */
export const delegate: ActionIntent<Terms, typeof addressAndAmount> = {
  input: addressAndAmount,
  effects: ({ vault, validator_id, referral_id }, { address, amount }) => {
    const args = { receiver: address, referral: BigInt(referral_id) }
    if (validator_id === undefined) return signedBy(address, call(vault, DEPOSIT, args, amount))
    return signedBy(address, call(vault, DEPOSIT_WITH, { ...args, validator: BigInt(validator_id) }, amount))
  },
  requestOf: (decoded, address) => ({ address, amount: callOf(decoded, DEPOSIT, DEPOSIT_WITH).value }),
}

/** Facts of a redemption: the shares that are burned, or the books from which they follow. */
export interface UndelegateFacts {
  readonly shares: bigint | Books
}

/** Intent of requesting a redemption for the address: the shares that an amount is worth are burnt. */
export const undelegate: ActionIntent<Terms, typeof redemption, UndelegateFacts> = {
  input: redemption,
  effects: ({ vault, validator_id, former_validators: former }, { address, amount, validatorId }, facts) => {
    const validator = pinnedValidator<number, number | undefined>(validator_id, former, validatorId, 'validatorId')
    const shares = typeof facts.shares === 'bigint' ? facts.shares : sharesBy(facts.shares, amount)
    const args = { shares, controller: address, owner: address }
    if (validator === undefined) return signedBy(address, call(vault, REDEEM, args))
    return signedBy(address, call(vault, REDEEM_FROM, { ...args, validator: BigInt(validator) }))
  },
  // Too many or too few move another sum than was asked for, all of it the address's own: the vault keeps it for the controller.
  factsOf: (decoded, terms, { amount }) => {
    const shares = integerArg(callOf(decoded, REDEEM, REDEEM_FROM), 'shares')
    return { facts: { shares }, claimed: [sharesWithin(amount, shares, price, terms)] }
  },
  // An amount that its shares are worth, whatever their price: as many as there are shares.
  requestOf: (decoded, address, { former_validators: former }) => {
    const exit = callOf(decoded, REDEEM, REDEEM_FROM)
    const validatorId = exit.method === REDEEM ? undefined : formerIn(former, Number(integerArg(exit, 'validator')))
    return { address, amount: integerArg(exit, 'shares'), validatorId }
  },
}

/** Intent of paying a redeem request out to the address. */
export const withdraw: ActionIntent<Terms, typeof request> = {
  input: request,
  effects: ({ vault }, { address, request_id }) =>
    signedBy(address, call(vault, CLAIM, { request: BigInt(request_id), controller: address, receiver: address })),
  requestOf: (decoded, address) => ({ address, request_id: Number(integerArg(callOf(decoded, CLAIM), 'request')) }),
}

function signedBy(signer: string, promised: Call): Effects {
  return { signers: [signer], calls: [promised] }
}
