import type { Decoded, Effects } from '@svc/verify'
import { call } from '@svc/verify/evm'
import { type ActionIntent, amount, callOf, formerIn, optional, pinnedValidator, text, textArg } from '@svc/verify/intent'
import { CLAIM, COMPOUND, DELEGATE, UNDELEGATE, WITHDRAW } from './methods.ts'
import type { Terms } from './terms.ts'

const address = { address: text }
/** Exits and claims may be about a former pool, which the request names then. */
const claim = { ...address, poolId: optional(text) }
const addressAndAmount = { ...address, amount }

/** Intent of delegating an amount to the operator's pool. */
export const delegate: ActionIntent<Terms, typeof addressAndAmount> = {
  input: addressAndAmount,
  effects: (terms, { address, amount }) => about(terms, address, DELEGATE, amount),
  requestOf: (decoded, address) => ({ address, amount: callOf(decoded, DELEGATE).value }),
}

/** Intent of requesting the exit of the whole stake. */
export const undelegate: ActionIntent<Terms, typeof claim> = {
  input: claim,
  effects: (terms, { address, poolId }) => from(terms, poolId, address, UNDELEGATE),
  requestOf: (decoded, address, terms) => ({ address, poolId: formerOf(decoded, UNDELEGATE, terms) }),
}

/** Intent of paying an exit out. */
export const withdraw: ActionIntent<Terms, typeof claim> = {
  input: claim,
  effects: (terms, { address, poolId }) => from(terms, poolId, address, WITHDRAW),
  requestOf: (decoded, address, terms) => ({ address, poolId: formerOf(decoded, WITHDRAW, terms) }),
}

/** Intent of paying the rewards out. */
export const claimRewards: ActionIntent<Terms, typeof claim> = {
  input: claim,
  effects: (terms, { address, poolId }) => from(terms, poolId, address, CLAIM),
  requestOf: (decoded, address, terms) => ({ address, poolId: formerOf(decoded, CLAIM, terms) }),
}

/** Intent of adding the rewards to the stake. */
export const compoundRewards: ActionIntent<Terms, typeof address> = {
  input: address,
  effects: (terms, { address }) => about(terms, address, COMPOUND),
  requestOf: (decoded, address) => callOf(decoded, COMPOUND) && { address },
}

function formerOf(decoded: Decoded, method: string, { former_validators: former }: Terms): string | undefined {
  return formerIn(lower(former), textArg(callOf(decoded, method), 'pool').toLowerCase())
}

/** A call about the pool that the request names, the operator's present one without a name. @throws Refused for one that is not pinned */
function from(terms: Terms, choice: string | undefined, signer: string, method: string): Effects {
  const pool = pinnedValidator(terms.pool_id.toLowerCase(), lower(terms.former_validators), choice?.toLowerCase(), 'poolId')
  return about({ staking: terms.staking, pool_id: pool }, signer, method)
}

/** An identifier has two spellings. */
function lower(pools: readonly string[] | undefined): readonly string[] {
  return (pools ?? []).map((each) => each.toLowerCase())
}

/** Every action is one call of the staking contract, about one pool. The contract pays whoever signs, and nobody else. */
function about({ staking, pool_id: pool }: Terms, signer: string, method: string, value = 0n): Effects {
  return { signers: [signer], calls: [call(staking, method, { pool }, value)] }
}
