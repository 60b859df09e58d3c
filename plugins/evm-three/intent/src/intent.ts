import { describeCalls, evm } from '@svc/verify/evm'
import { type DecodedCall, defineIntent, integerArg, move, tokens } from '@svc/verify/intent'
import { claimRewards, compound, delegate, undelegate, withdraw } from './actions.ts'
import { CLAIM, COMPOUND, DELEGATE, methods, UNDELEGATE, WITHDRAW } from './methods.ts'
import { type Terms, terms } from './terms.ts'

/** Least stake that stays behind an exit, in wei: the precompile sends less along with it. @see https://docs.monad.xyz/developer-essentials/staking (dust threshold, read 2026-11-28) */
const DUST = 1_000_000_000n

/** Native staking on Monad: delegation to one validator, exits through numbered withdrawal slots. */
export const evmThree = defineIntent({
  family: evm,
  path: '/evm-three/native',
  title: 'Native staking on Monad',
  /** The dearest action, `compound`, takes 310,529 gas (docs.monad.xyz, gas of the staking precompile, read 2026-11-21), at 112 gwei, 110 percent of the least price. */
  usualFee: '0.035',
  nativeArguments: ['amount'],
  terms,
  actions: { delegate, undelegate, withdraw, 'claim-rewards': claimRewards, compound },
  layouts: () => ({ methods }),
  describe: describeCalls<Terms>(({ staking }) => staking, {
    [DELEGATE]: (call, network) => ({
      text: `delegate ${tokens(call.value, network)} to ${at(call)}`,
      moves: [move('leaves', call.value), move('staked', call.value)],
    }),
    [UNDELEGATE](call, network) {
      const amount = integerArg(call, 'amount')
      const text = `undelegate ${tokens(amount, network)} from ${at(call)} into the withdrawal slot ${integerArg(call, 'slot')}, and with it what would be left below ${tokens(DUST, network)}`
      return { text, moves: [move('freed', amount)] }
    },
    [WITHDRAW]: (call) => ({ text: `withdraw the slot ${integerArg(call, 'slot')} from ${at(call)}`, moves: [move('arrives', null)] }),
    [CLAIM]: (call) => ({ text: `claim the rewards from ${at(call)}`, moves: [move('arrives', null)] }),
    [COMPOUND]: (call) => ({ text: `add the rewards to the stake with ${at(call)}`, moves: [move('staked', null)] }),
  }),
})

const at = (call: DecodedCall) => `validator ${integerArg(call, 'validator')} through ${call.target}`
