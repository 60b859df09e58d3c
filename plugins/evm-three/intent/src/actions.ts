import type { Call, Decoded, Effects } from '@svc/verify'
import { call } from '@svc/verify/evm'
import {
  type ActionIntent,
  amount,
  callOf,
  correctedAmount,
  formerIn,
  integer,
  integerArg,
  optional,
  pinnedValidator,
  text,
} from '@svc/verify/intent'
import { CLAIM, COMPOUND, DELEGATE, UNDELEGATE, WITHDRAW } from './methods.ts'
import type { Terms } from './terms.ts'

const address = { address: text }
const addressAndAmount = { ...address, amount }
/** Exits and claims may be about a former validator, which the request names then. */
const claim = { ...address, validatorId: optional(integer(1, Number.MAX_SAFE_INTEGER)) }
const slot = { ...claim, withdrawId: integer(0, 255) }
const slotAndAmount = { ...slot, amount }

/** Intent of delegating an amount to the operator's validator. */
export const delegate: ActionIntent<Terms, typeof addressAndAmount> = {
  input: addressAndAmount,
  effects: (terms, { address, amount }) => signedBy(address, about(terms, DELEGATE, {}, amount)),
  requestOf: (decoded, address) => ({ address, amount: callOf(decoded, DELEGATE).value }),
}

/** Facts of an undelegation: the amount by the active stake, which may be a little less than what was asked for. */
export interface UndelegateFacts {
  readonly amount: bigint
}

/** Intent of moving active stake into a withdrawal slot. */
export const undelegate: ActionIntent<Terms, typeof slotAndAmount, UndelegateFacts> = {
  input: slotAndAmount,
  effects: (terms, { address, withdrawId, validatorId }, { amount }) =>
    signedBy(address, from(terms, validatorId, UNDELEGATE, { amount, slot: BigInt(withdrawId) })),
  factsOf: (decoded, terms, { amount }) => correctedAmount(amount, integerArg(callOf(decoded, UNDELEGATE), 'amount'), terms),
  requestOf: (decoded, address, terms) => ({
    ...slotOf(decoded, address, UNDELEGATE, terms),
    amount: integerArg(callOf(decoded, UNDELEGATE), 'amount'),
  }),
}

/** Intent of paying a withdrawal slot out. */
export const withdraw: ActionIntent<Terms, typeof slot> = {
  input: slot,
  effects: (terms, { address, withdrawId, validatorId }) =>
    signedBy(address, from(terms, validatorId, WITHDRAW, { slot: BigInt(withdrawId) })),
  requestOf: (decoded, address, terms) => slotOf(decoded, address, WITHDRAW, terms),
}

/** Intent of paying the rewards out. */
export const claimRewards: ActionIntent<Terms, typeof claim> = {
  input: claim,
  effects: (terms, { address, validatorId }) => signedBy(address, from(terms, validatorId, CLAIM)),
  requestOf: (decoded, address, terms) => ({ address, validatorId: formerOf(callOf(decoded, CLAIM), terms) }),
}

/** Intent of adding the rewards to the stake. */
export const compound: ActionIntent<Terms, typeof address> = {
  input: address,
  effects: (terms, { address }) => signedBy(address, about(terms, COMPOUND)),
  requestOf: (decoded, address) => callOf(decoded, COMPOUND) && { address },
}

function slotOf(decoded: Decoded, address: string, method: string, terms: Terms) {
  const exit = callOf(decoded, method)
  return { address, withdrawId: Number(integerArg(exit, 'slot')), validatorId: formerOf(exit, terms) }
}

function formerOf(call: Call, { former_validators: former }: Terms): number | undefined {
  return formerIn(former, Number(integerArg(call, 'validator')))
}

/** A call about the validator that the request names, the operator's present one without a name. @throws Refused for one that is not pinned */
function from(terms: Terms, choice: number | undefined, method: string, args: Call['args'] = {}): Call {
  return about(
    { ...terms, validator_id: pinnedValidator(terms.validator_id, terms.former_validators, choice, 'validatorId') },
    method,
    args,
  )
}

/** Every action is one call of the precompile, about one validator. */
function about({ staking, validator_id }: Terms, method: string, args: Call['args'] = {}, value = 0n): Call {
  return call(staking, method, { validator: BigInt(validator_id), ...args }, value)
}

function signedBy(signer: string, promised: Call): Effects {
  return { signers: [signer], calls: [promised] }
}
