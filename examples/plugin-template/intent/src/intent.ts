import { evm, sameAddress } from '@svc/verify/evm'
import { type Clause, type DecodedCall, defineIntent, formatUnits, integerArg, type NetworkTerms, tokens } from '@svc/verify/intent'
import { close, deposit, withdraw } from './actions.ts'
import { DEPOSIT, methods, REDEEM, WITHDRAW } from './methods.ts'
import { type Terms, terms } from './terms.ts'

/** A savings vault: deposits earn interest and are paid out at once. */
export const savings = defineIntent({
  family: evm,
  path: '/evm-example/savings',
  terms,
  actions: { deposit, withdraw, close },
  layouts: () => ({ methods }),
  describe,
})

function describe(call: DecodedCall, network: Terms & NetworkTerms): Clause | null {
  const { target, method, value } = call
  if (!sameAddress(target, network.vault)) return null
  switch (method) {
    case DEPOSIT:
      return {
        text: `deposit ${tokens(value, network)} into the savings vault ${target}`,
        moves: [
          { kind: 'leaves', asset: 'native', amount: value },
          { kind: 'staked', asset: 'native', amount: value },
        ],
      }
    case WITHDRAW: {
      const amount = integerArg(call, 'amount')
      return {
        text: `withdraw ${tokens(amount, network)} from the savings vault ${target}`,
        moves: [
          { kind: 'freed', asset: 'native', amount },
          { kind: 'arrives', asset: 'native', amount },
        ],
      }
    }
    case REDEEM:
      return {
        text: `redeem ${formatUnits(integerArg(call, 'units'), network.decimals)} units of the savings vault ${target}`,
        moves: [
          { kind: 'freed', asset: 'native', amount: null },
          { kind: 'arrives', asset: 'native', amount: null },
        ],
      }
    default:
      return null
  }
}
