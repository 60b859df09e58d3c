import type { Call, Decoded, Effects } from '@svc/verify'
import { call } from '@svc/verify/evm'
import { type ActionIntent, amount, callOf, correctedAmount, integer, integerArg, text } from '@svc/verify/intent'
import { CLAIM, COMPOUND, DELEGATE, UNDELEGATE, WITHDRAW } from './methods.ts'
import type { Terms } from './terms.ts'

const address = { address: text }
const slot = { ...address, withdrawId: integer(0, 255) }
const addressAndAmount = { ...address, amount }
const slotAndAmount = { ...slot, amount }

/** Delegates an amount to the operator's validator. */
export const delegate: ActionIntent<Terms, typeof addressAndAmount> = {
  input: addressAndAmount,
  effects: (terms, { address, amount }) => signedBy(address, about(terms, DELEGATE, {}, amount)),
  requestOf: (decoded, address) => ({ address, amount: callOf(decoded, DELEGATE).value }),
}

/** Facts of an undelegation: the amount by the active stake, which may be a little less than what was asked for. */
export interface UndelegateFacts {
  readonly amount: bigint
}

/** Moves active stake into a withdrawal slot. */
export const undelegate: ActionIntent<Terms, typeof slotAndAmount, UndelegateFacts> = {
  input: slotAndAmount,
  effects: (terms, { address, withdrawId }, { amount }) =>
    signedBy(address, about(terms, UNDELEGATE, { amount, slot: BigInt(withdrawId) })),
  factsOf: (decoded, terms, { amount }) => correctedAmount(amount, integerArg(callOf(decoded, UNDELEGATE), 'amount'), terms),
  requestOf: (decoded, address) => ({ ...slotOf(decoded, address, UNDELEGATE), amount: integerArg(callOf(decoded, UNDELEGATE), 'amount') }),
}

/** Pays a withdrawal slot out. */
export const withdraw: ActionIntent<Terms, typeof slot> = {
  input: slot,
  effects: (terms, { address, withdrawId }) => signedBy(address, about(terms, WITHDRAW, { slot: BigInt(withdrawId) })),
  requestOf: (decoded, address) => slotOf(decoded, address, WITHDRAW),
}

/** Pays the rewards out. */
export const claimRewards: ActionIntent<Terms, typeof address> = {
  input: address,
  effects: (terms, { address }) => signedBy(address, about(terms, CLAIM)),
  requestOf: (decoded, address) => callOf(decoded, CLAIM) && { address },
}

/** Adds the rewards to the stake. */
export const compound: ActionIntent<Terms, typeof address> = {
  input: address,
  effects: (terms, { address }) => signedBy(address, about(terms, COMPOUND)),
  requestOf: (decoded, address) => callOf(decoded, COMPOUND) && { address },
}

function slotOf(decoded: Decoded, address: string, method: string) {
  return { address, withdrawId: Number(integerArg(callOf(decoded, method), 'slot')) }
}

/** Every action is one call of the precompile, about the operator's validator. */
function about({ staking, validator_id }: Terms, method: string, args: Call['args'] = {}, value = 0n): Call {
  return call(staking, method, { validator: BigInt(validator_id), ...args }, value)
}

function signedBy(signer: string, promised: Call): Effects {
  return { signers: [signer], calls: [promised] }
}
