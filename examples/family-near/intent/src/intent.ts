import { type Clause, type DecodedCall, defineIntent, integerArg, move, type NetworkTerms, tokens } from '@svc/verify/intent'
import { stake, unstake, unstakeWhole, withdraw } from './actions.ts'
import { layouts } from './layouts.ts'
import { near } from './near/index.ts'
import { type Terms, terms } from './terms.ts'

/** Staking with one NEAR pool. */
export const nearPool = defineIntent({
  family: near,
  path: '/near-example/pool',
  title: 'Staking with a NEAR pool',
  /** A tenth of what 300 TGas cost at the highest price of gas, as for any transaction of the family. */
  usualFee: '0.07',
  terms,
  actions: { stake, unstake, 'unstake-all': unstakeWhole, withdraw },
  layouts: () => ({ layouts }),
  describe,
})

function describe(call: DecodedCall, network: Terms & NetworkTerms): Clause | null {
  const { pool } = network
  if (call.target !== pool) return null
  const [method] = call.method.split('(')
  // Only staking takes a deposit: the pool refuses any other call with one.
  if (method !== 'deposit_and_stake' && call.value > 0n) return null
  switch (method) {
    case 'deposit_and_stake':
      return {
        text: `stake ${tokens(call.value, network)} with the pool ${pool}`,
        moves: [move('leaves', call.value), move('staked', call.value)],
      }
    case 'unstake': {
      const amount = integerArg(call, 'amount')
      return {
        text: `take ${tokens(amount, network)} out of stake with the pool ${pool}, free after four epochs together with what was taken out before`,
        moves: [move('freed', amount)],
      }
    }
    case 'unstake_all':
      return {
        text: `take all out of stake with the pool ${pool}, free after four epochs together with what was taken out before`,
        moves: [move('freed', null)],
      }
    case 'withdraw_all':
      return { text: `withdraw all that is free from the pool ${pool}`, moves: [move('arrives', null)] }
    default:
      return null
  }
}
