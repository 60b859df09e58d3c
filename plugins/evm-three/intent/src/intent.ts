import { evm, sameAddress } from '@svc/verify/evm'
import { type Clause, type DecodedCall, defineIntent, integerArg, type NetworkTerms, tokens } from '@svc/verify/intent'
import { claimRewards, compound, delegate, undelegate, withdraw } from './actions.ts'
import { CLAIM, COMPOUND, DELEGATE, methods, UNDELEGATE, WITHDRAW } from './methods.ts'
import { type Terms, terms } from './terms.ts'

/** Native staking on Monad: delegation to one validator, exits through numbered withdrawal slots. */
export const evmThree = defineIntent({
  family: evm,
  path: '/evm-three/native',
  terms,
  actions: { delegate, undelegate, withdraw, 'claim-rewards': claimRewards, compound },
  layouts: () => ({ methods }),
  describe,
})

function describe(call: DecodedCall, network: Terms & NetworkTerms): Clause | null {
  const { target, method, value } = call
  if (!sameAddress(target, network.staking) || !methods.includes(method)) return null
  const at = `validator ${integerArg(call, 'validator')} through ${target}`
  switch (method) {
    case DELEGATE:
      return {
        text: `delegate ${tokens(value, network)} to ${at}`,
        moves: [
          { kind: 'leaves', asset: 'native', amount: value },
          { kind: 'staked', asset: 'native', amount: value },
        ],
      }
    case UNDELEGATE: {
      const amount = integerArg(call, 'amount')
      const text = `undelegate ${tokens(amount, network)} from ${at} into the withdrawal slot ${integerArg(call, 'slot')}`
      return { text, moves: [{ kind: 'freed', asset: 'native', amount }] }
    }
    case WITHDRAW:
      return {
        text: `withdraw the slot ${integerArg(call, 'slot')} from ${at}`,
        moves: [{ kind: 'arrives', asset: 'native', amount: null }],
      }
    case CLAIM:
      return { text: `claim the rewards from ${at}`, moves: [{ kind: 'arrives', asset: 'native', amount: null }] }
    case COMPOUND:
      return { text: `add the rewards to the stake with ${at}`, moves: [{ kind: 'staked', asset: 'native', amount: null }] }
    default:
      return null
  }
}
