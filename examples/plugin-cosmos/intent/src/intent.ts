import { cosmos } from '@svc/verify/cosmos'
import { type Clause, type DecodedCall, defineIntent, integerArg, type NetworkTerms, textArg, tokens } from '@svc/verify/intent'
import { move } from './actions.ts'
import { beginRedelegate } from './layouts.ts'
import { type Terms, terms } from './terms.ts'

/** Stake moves from one validator to another. */
export const moves = defineIntent({
  family: cosmos({ prefix: 'cosmos', denom: 'uatom', algorithm: 'secp256k1' }),
  path: '/hub-example/moves',
  title: 'Stake moved on the Cosmos Hub',
  /** A redelegation takes a limit like that of an exit on the Hub, some 320,000 gas, at 120 percent of the least price, 0.005 uatom (gaiad v29, 2026-11-23). */
  usualFee: '0.002',
  terms,
  actions: { move },
  layouts: () => ({ layouts: [beginRedelegate] }),
  describe,
})

function describe(call: DecodedCall, network: Terms & NetworkTerms): Clause | null {
  if (call.target !== beginRedelegate.type || textArg(call, 'denom') !== 'uatom') return null
  const amount = integerArg(call, 'amount')
  return {
    text: `move ${tokens(amount, network)} of stake from ${textArg(call, 'source')} to ${textArg(call, 'target')}`,
    moves: [{ kind: 'staked', asset: 'native', amount }],
  }
}
