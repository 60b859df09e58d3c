import type { Call, Effects } from '@svc/verify'
import { call } from '@svc/verify/evm'
import { type ActionIntent, amount, callOf, correctedAmount, formatUnits, integerArg, text } from '@svc/verify/intent'
import { DEPOSIT, REDEEM, WITHDRAW } from './methods.ts'
import type { Terms } from './terms.ts'

/** Members of a body; amounts in wei. */
const saver = { address: text }
const saverAndAmount = { ...saver, amount }

/** Puts an amount into the vault. */
export const deposit: ActionIntent<Terms, typeof saverAndAmount> = {
  input: saverAndAmount,
  effects: ({ vault }, { address, amount }) => signedBy(address, call(vault, DEPOSIT, {}, amount)),
  requestOf: (decoded, address) => ({ address, amount: callOf(decoded, DEPOSIT).value }),
}

/** Facts of a withdrawal: the amount by the savings, which may be a little less than what was asked for. */
export interface WithdrawFacts {
  readonly amount: bigint
}

/** Pays an amount out. */
export const withdraw: ActionIntent<Terms, typeof saverAndAmount, WithdrawFacts> = {
  input: saverAndAmount,
  effects: ({ vault }, { address }, { amount }) => signedBy(address, call(vault, WITHDRAW, { amount })),
  factsOf: (decoded, terms, { amount }) => correctedAmount(amount, integerArg(callOf(decoded, WITHDRAW), 'amount'), terms),
  requestOf: (decoded, address) => ({ address, amount: integerArg(callOf(decoded, WITHDRAW), 'amount') }),
}

/** Facts of closing: the units of the address, which only the chain knows. */
export interface CloseFacts {
  readonly units: bigint
}

/** Pays everything out. */
export const close: ActionIntent<Terms, typeof saver, CloseFacts> = {
  input: saver,
  effects: ({ vault }, { address }, { units }) => signedBy(address, call(vault, REDEEM, { units })),
  factsOf(decoded, { decimals }) {
    const units = integerArg(callOf(decoded, REDEEM), 'units')
    const bound = 'more than none; the vault refuses more than the address has, pays the address alone, and keeps for it what fewer leave'
    return { facts: { units }, claimed: [{ fact: 'units', value: `${formatUnits(units, decimals)} units`, bound, holds: units > 0n }] }
  },
  requestOf: (decoded, address) => callOf(decoded, REDEEM) && { address },
}

function signedBy(signer: string, promised: Call): Effects {
  return { signers: [signer], calls: [promised] }
}
