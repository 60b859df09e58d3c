import { evm, sameAddress } from '@svc/verify/evm'
import { type Clause, type DecodedCall, defineIntent, type NetworkTerms, textArg, tokens } from '@svc/verify/intent'
import { claimRewards, compoundRewards, delegate, undelegate, withdraw } from './actions.ts'
import { CLAIM, COMPOUND, DELEGATE, methods, UNDELEGATE, WITHDRAW } from './methods.ts'
import { type Terms, terms } from './terms.ts'

/** Native delegation on Pharos: one record per address with the operator's pool, and an exit of everything. */
export const evmTwo = defineIntent({
  family: evm,
  path: '/evm-two/native',
  terms,
  actions: { delegate, undelegate, withdraw, 'claim-rewards': claimRewards, 'compound-rewards': compoundRewards },
  layouts: () => ({ methods }),
  describe,
})

function describe(call: DecodedCall, network: Terms & NetworkTerms): Clause | null {
  const { target, method, value } = call
  if (!sameAddress(target, network.staking) || !methods.includes(method)) return null
  const at = `the pool ${textArg(call, 'pool')} through ${target}`
  switch (method) {
    case DELEGATE:
      return {
        text: `delegate ${tokens(value, network)} to ${at}`,
        moves: [
          { kind: 'leaves', asset: 'native', amount: value },
          { kind: 'staked', asset: 'native', amount: value },
        ],
      }
    case UNDELEGATE:
      return {
        text: `undelegate the whole stake and the unclaimed rewards from ${at}`,
        moves: [{ kind: 'freed', asset: 'native', amount: null }],
      }
    case WITHDRAW:
      return { text: `withdraw what was undelegated from ${at}`, moves: [{ kind: 'arrives', asset: 'native', amount: null }] }
    case CLAIM:
      return { text: `claim the rewards from ${at}`, moves: [{ kind: 'arrives', asset: 'native', amount: null }] }
    case COMPOUND:
      return { text: `add the rewards to the stake with ${at}`, moves: [{ kind: 'staked', asset: 'native', amount: null }] }
    default:
      return null
  }
}
