import { describeCalls, evm } from '@svc/verify/evm'
import { type Clause, type DecodedCall, defineIntent, integerArg, move, type NetworkTerms, textArg, tokens } from '@svc/verify/intent'
import { delegate, undelegate, withdraw } from './actions.ts'
import { CLAIM, DEPOSIT, DEPOSIT_WITH, methods, REDEEM, REDEEM_FROM } from './methods.ts'
import { price } from './shares.ts'
import { type Terms, terms } from './terms.ts'

/** Intent of liquid staking on Monad: Magma's pool and its token gMON, with redemptions through one request per owner. */
export const evmThreeLiquid = defineIntent({
  family: evm,
  path: '/evm-three/liquid-a',
  title: 'Liquid staking on Monad',
  /** A redemption from a pool of some validators takes about 2,000,000 gas, at 130 percent of the estimate and 112 gwei. */
  usualFee: '0.3',
  terms,
  actions: { delegate, undelegate, withdraw },
  layouts: () => ({ methods }),
  describe: describeCalls<Terms>(({ vault }) => vault, {
    [DEPOSIT]: (call, network) => deposited(call, network, 'into'),
    [DEPOSIT_WITH]: (call, network) => deposited(call, network, `for validator ${integerArg(call, 'validator')} into`),
    [REDEEM]: (call, network) => redeemed(call, network, ''),
    [REDEEM_FROM]: (call, network) => redeemed(call, network, `validator ${integerArg(call, 'validator')} through `),
    [CLAIM](call) {
      const whose = `the redeem request ${integerArg(call, 'request')} of ${textArg(call, 'controller')}`
      return { text: `claim ${whose} from the pool ${call.target}, paid to ${textArg(call, 'receiver')}`, moves: [move('arrives', null)] }
    },
  }),
})

function deposited(call: DecodedCall, network: NetworkTerms, where: string): Clause {
  const { target, value } = call
  const whose = `whose gMON goes to ${textArg(call, 'receiver')}, with the referral number ${integerArg(call, 'referral')}`
  return {
    text: `deposit ${tokens(value, network)} ${where} the pool ${target}, ${whose}`,
    moves: [move('leaves', value), move('staked', value), move('arrives', null, target)],
  }
}

function redeemed(call: DecodedCall, network: NetworkTerms, through: string): Clause {
  const amount = integerArg(call, 'shares')
  const burned = `${tokens(amount, { ...network, symbol: price.symbol })} of ${textArg(call, 'owner')}`
  return {
    text: `request the redemption of ${burned} from ${through}the pool ${call.target}, for ${textArg(call, 'controller')} to claim`,
    moves: [move('leaves', amount, call.target), move('freed', null)],
  }
}
