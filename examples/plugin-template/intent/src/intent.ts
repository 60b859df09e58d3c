import { describeCalls, evm } from '@svc/verify/evm'
import { defineIntent, formatUnits, integerArg, move, tokens } from '@svc/verify/intent'
import { close, deposit, withdraw } from './actions.ts'
import { DEPOSIT, methods, REDEEM, WITHDRAW } from './methods.ts'
import { type Terms, terms } from './terms.ts'

/** A savings vault: deposits earn interest and are paid out at once. */
export const savings = defineIntent({
  family: evm,
  path: '/evm-example/savings',
  title: 'A savings vault',
  /** As of `evm-vault` on the same chain, whose dearest action, an estimate of 289,000 gas at 8 gwei, uses more gas than any here (2026-11-21). */
  usualFee: '0.003',
  terms,
  actions: { deposit, withdraw, close },
  layouts: () => ({ methods }),
  describe: describeCalls<Terms>(({ vault }) => vault, {
    [DEPOSIT]: ({ value, target }, network) => ({
      text: `deposit ${tokens(value, network)} into the savings vault ${target}`,
      moves: [move('leaves', value), move('staked', value)],
    }),
    [WITHDRAW](call, network) {
      const amount = integerArg(call, 'amount')
      const text = `withdraw ${tokens(amount, network)} from the savings vault ${call.target}`
      return { text, moves: [move('freed', amount), move('arrives', amount)] }
    },
    [REDEEM]: (call, network) => ({
      text: `redeem ${formatUnits(integerArg(call, 'units'), network.decimals)} units of the savings vault ${call.target}`,
      moves: [move('freed', null), move('arrives', null)],
    }),
  }),
})
