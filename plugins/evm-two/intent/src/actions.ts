import type { Effects } from '@svc/verify'
import { call } from '@svc/verify/evm'
import { type ActionIntent, amount, callOf, text } from '@svc/verify/intent'
import { CLAIM, COMPOUND, DELEGATE, UNDELEGATE, WITHDRAW } from './methods.ts'
import type { Terms } from './terms.ts'

const address = { address: text }
const addressAndAmount = { ...address, amount }

/** Delegates an amount to the operator's pool. */
export const delegate: ActionIntent<Terms, typeof addressAndAmount> = {
  input: addressAndAmount,
  effects: (terms, { address, amount }) => about(terms, address, DELEGATE, amount),
  requestOf: (decoded, address) => ({ address, amount: callOf(decoded, DELEGATE).value }),
}

/** Requests the exit of everything. */
export const undelegate: ActionIntent<Terms, typeof address> = {
  input: address,
  effects: (terms, { address }) => about(terms, address, UNDELEGATE),
  requestOf: (decoded, address) => callOf(decoded, UNDELEGATE) && { address },
}

/** Pays an exit out. */
export const withdraw: ActionIntent<Terms, typeof address> = {
  input: address,
  effects: (terms, { address }) => about(terms, address, WITHDRAW),
  requestOf: (decoded, address) => callOf(decoded, WITHDRAW) && { address },
}

/** Pays the rewards out. */
export const claimRewards: ActionIntent<Terms, typeof address> = {
  input: address,
  effects: (terms, { address }) => about(terms, address, CLAIM),
  requestOf: (decoded, address) => callOf(decoded, CLAIM) && { address },
}

/** Adds the rewards to the stake. */
export const compoundRewards: ActionIntent<Terms, typeof address> = {
  input: address,
  effects: (terms, { address }) => about(terms, address, COMPOUND),
  requestOf: (decoded, address) => callOf(decoded, COMPOUND) && { address },
}

/** Every action is one call of the staking contract, about the operator's pool. The contract pays whoever signs, and nobody else. */
function about({ staking, pool_id: pool }: Terms, signer: string, method: string, value = 0n): Effects {
  return { signers: [signer], calls: [call(staking, method, { pool }, value)] }
}
