import { evm, sameAddress } from '@svc/verify/evm'
import { type Clause, type DecodedCall, defineIntent, integerArg, type NetworkTerms, textArg, tokens } from '@svc/verify/intent'
import { delegate, undelegate, withdraw } from './actions.ts'
import { CLAIM, DEPOSIT, DEPOSIT_WITH, methods, REDEEM, REDEEM_FROM } from './methods.ts'
import { price } from './shares.ts'
import { type Terms, terms } from './terms.ts'

/** Liquid staking on Monad: Magma's pool and its token gMON, with redemptions through one request per owner. */
export const evmThreeLiquid = defineIntent({
  family: evm,
  path: '/evm-three/liquid-a',
  terms,
  actions: { delegate, undelegate, withdraw },
  layouts: () => ({ methods }),
  describe,
})

function describe(call: DecodedCall, network: Terms & NetworkTerms): Clause | null {
  const { target, method, value } = call
  if (!sameAddress(target, network.vault)) return null
  switch (method) {
    case DEPOSIT:
    case DEPOSIT_WITH: {
      const whose = `whose gMON goes to ${textArg(call, 'receiver')}, with the referral number ${integerArg(call, 'referral')}`
      return {
        text: `deposit ${tokens(value, network)} ${method === DEPOSIT ? 'into' : `for validator ${integerArg(call, 'validator')} into`} the pool ${target}, ${whose}`,
        moves: [
          { kind: 'leaves', asset: 'native', amount: value },
          { kind: 'staked', asset: 'native', amount: value },
          { kind: 'arrives', asset: target, amount: null },
        ],
      }
    }
    case REDEEM:
    case REDEEM_FROM: {
      const amount = integerArg(call, 'shares')
      const burned = `${tokens(amount, { ...network, symbol: price.symbol })} of ${textArg(call, 'owner')}`
      const at = method === REDEEM ? `the pool ${target}` : `validator ${integerArg(call, 'validator')} through the pool ${target}`
      return {
        text: `request the redemption of ${burned} from ${at}, for ${textArg(call, 'controller')} to claim`,
        moves: [
          { kind: 'leaves', asset: target, amount },
          { kind: 'freed', asset: 'native', amount: null },
        ],
      }
    }
    case CLAIM: {
      const whose = `the redeem request ${integerArg(call, 'request')} of ${textArg(call, 'controller')}`
      return {
        text: `claim ${whose} from the pool ${target}, paid to ${textArg(call, 'receiver')}`,
        moves: [{ kind: 'arrives', asset: 'native', amount: null }],
      }
    }
    default:
      return null
  }
}
