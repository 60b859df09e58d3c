import type { Effects } from '@svc/verify'
import { type ActionIntent, amount, callOf, defineIntent, type Family, flag, integerArg, optional, text, tokens } from '@svc/verify/intent'
import { decodePaper } from './kit.ts'

const family: Family = {
  name: 'paper',
  signer: 'address',
  decode: (answer) => decodePaper(answer as Parameters<typeof decodePaper>[0]),
  validity: ({ terms }) => `valid while the sequence is ${terms.sequence}`,
}

const holder = { address: text }
const holding = { ...holder, amount }
const collecting = { ...holder, urgent: optional(flag) }

const promised = (signer: string, method: string, args: Record<string, bigint>): Effects => ({
  signers: [signer],
  calls: [{ target: 'paper', method, args, value: 0n }],
})

export const stake: ActionIntent<object, typeof holding> = {
  input: holding,
  effects: (_terms, { address, amount }) => promised(address, 'stake', { amount }),
  requestOf: (decoded, address) => ({ address, amount: integerArg(callOf(decoded, 'stake'), 'amount') }),
}

export const unstake: ActionIntent<object, typeof holding> = {
  input: holding,
  effects: (_terms, { address, amount }) => promised(address, 'unstake', { amount }),
  requestOf: (decoded, address) => ({ address, amount: integerArg(callOf(decoded, 'unstake'), 'amount') }),
}

export const withdraw: ActionIntent<object, typeof collecting, { readonly ids: readonly bigint[] }> = {
  input: collecting,
  effects: (_terms, { address }, { ids }) => ({
    signers: [address],
    calls: ids.map((request) => ({ target: 'paper', method: 'withdraw', args: { request }, value: 0n })),
  }),
  factsOf({ calls }) {
    const ids = calls.map((each) => integerArg(each, 'request'))
    const bound = 'the chain pays to the address alone'
    return { facts: { ids }, claimed: [{ fact: 'ids', value: ids.join(', '), bound, holds: ids.length > 0 }] }
  },
  requestOf: (_decoded, address) => ({ address }),
}

/** What a caller of the paper plugin is promised. */
export const paperIntent = defineIntent({
  family,
  path: '/paper/native',
  terms: {},
  actions: { stake, unstake, withdraw },
  layouts: () => ({}),
  describe(call, terms) {
    if (call.method === 'withdraw') return { text: `collect the request ${integerArg(call, 'request')}`, moves: [] }
    const kind = call.method === 'stake' ? 'staked' : 'freed'
    const found = integerArg(call, 'amount')
    return { text: `${call.method} ${tokens(found, terms)}`, moves: [{ kind, asset: 'native', amount: found }] }
  },
})
