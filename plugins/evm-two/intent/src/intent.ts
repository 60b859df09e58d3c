import { describeCalls, evm } from '@svc/verify/evm'
import { type DecodedCall, defineIntent, move, textArg, tokens } from '@svc/verify/intent'
import { claimRewards, compoundRewards, delegate, undelegate, withdraw } from './actions.ts'
import { CLAIM, COMPOUND, DELEGATE, methods, UNDELEGATE, WITHDRAW } from './methods.ts'
import { type Terms, terms } from './terms.ts'

/** Native delegation on Pharos: one record per address with the operator's pool, and an exit of everything. */
export const evmTwo = defineIntent({
  family: evm,
  path: '/evm-two/native',
  title: 'Native staking on Pharos',
  /** A delegation of 400,000 gas at the 10 gwei of the genesis, with the margins; and 3,000,000 at the 1 gwei that the network's own command line pays (read 2026-11-21). */
  usualFee: '0.005',
  terms,
  actions: { delegate, undelegate, withdraw, 'claim-rewards': claimRewards, 'compound-rewards': compoundRewards },
  layouts: () => ({ methods }),
  describe: describeCalls<Terms>(({ staking }) => staking, {
    [DELEGATE]: (call, network) => ({
      text: `delegate ${tokens(call.value, network)} to ${at(call)}`,
      moves: [move('leaves', call.value), move('staked', call.value)],
    }),
    [UNDELEGATE]: (call) => ({
      text: `undelegate the whole stake and the unclaimed rewards from ${at(call)}`,
      moves: [move('freed', null)],
    }),
    [WITHDRAW]: (call) => ({ text: `withdraw what was undelegated from ${at(call)}`, moves: [move('arrives', null)] }),
    [CLAIM]: (call) => ({ text: `claim the rewards from ${at(call)}`, moves: [move('arrives', null)] }),
    [COMPOUND]: (call) => ({ text: `add the rewards to the stake with ${at(call)}`, moves: [move('staked', null)] }),
  }),
})

const at = (call: DecodedCall) => `the pool ${textArg(call, 'pool')} through ${call.target}`
