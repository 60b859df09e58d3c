import type { Call, Decoded, Effects } from '@svc/verify'
import { type ActionIntent, amount, callOf, integerArg, optional, text } from '@svc/verify/intent'
import { depositAndStake, layouts, unstakeAll, unstakeSome, withdrawAll } from './layouts.ts'
import { call, keyOf } from './near/index.ts'
import type { Terms } from './terms.ts'

/** Who signs: an account, and which of its keys. */
const holder = { account_id: text, public_key: optional(text) }
const holderAndAmount = { ...holder, amount }

interface Holder {
  readonly account_id: string
  readonly public_key?: string | undefined
}

/** @throws Refused for a named account without a key */
function promised({ account_id, public_key }: Holder, only: Call): Effects {
  return { signers: [account_id], keys: [keyOf(account_id, public_key)], calls: [only], layouts }
}

/** Tells who signs a transaction, and the key that its bytes name. */
function holderOf({ keys: [public_key] = [] }: Decoded, account_id: string) {
  return { account_id, ...(public_key === undefined ? {} : { public_key }) }
}

/** Deposits with the pool, and stakes the deposit. */
export const stake: ActionIntent<Terms, typeof holderAndAmount> = {
  input: holderAndAmount,
  effects: ({ pool }, input) => promised(input, call(pool, depositAndStake, {}, input.amount)),
  requestOf: (decoded, signer) => ({ ...holderOf(decoded, signer), amount: callOf(decoded, 'deposit_and_stake').value }),
}

/** Takes a part of the stake out. */
export const unstake: ActionIntent<Terms, typeof holderAndAmount> = {
  input: holderAndAmount,
  effects: ({ pool }, input) => promised(input, call(pool, unstakeSome, { amount: input.amount })),
  requestOf: (decoded, signer) => ({ ...holderOf(decoded, signer), amount: integerArg(callOf(decoded, 'unstake'), 'amount') }),
}

/** Takes all stake out, with the rewards up to the moment in which it lands. */
export const unstakeWhole: ActionIntent<Terms, typeof holder> = {
  input: holder,
  effects: ({ pool }, input) => promised(input, call(pool, unstakeAll, {})),
  requestOf: (decoded, signer) => callOf(decoded, 'unstake_all') && holderOf(decoded, signer),
}

/** Pays out what is free. The pool pays to whoever calls it. */
export const withdraw: ActionIntent<Terms, typeof holder> = {
  input: holder,
  effects: ({ pool }, input) => promised(input, call(pool, withdrawAll, {})),
  requestOf: (decoded, signer) => callOf(decoded, 'withdraw_all') && holderOf(decoded, signer),
}
