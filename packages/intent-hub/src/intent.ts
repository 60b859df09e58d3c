import { type CosmosNames, cosmos } from '@svc/verify/cosmos'
import {
  type Clause,
  type DecodedCall,
  type Defined,
  defineIntent,
  integerArg,
  move,
  type NetworkTerms,
  textArg,
  tokens,
} from '@svc/verify/intent'
import { type HubActions, hubActions } from './actions.ts'
import { delegate, layouts, undelegate, withdrawReward } from './layouts.ts'
import { type Terms, terms } from './terms.ts'

/** An intent of native delegation on one chain. */
export type HubIntent = Defined<Terms, HubActions>

/** Native delegation on the Cosmos Hub. @see https://github.com/cosmos/chain-registry/blob/master/cosmoshub/chain.json (read 2026-11-21) */
export const hubOne: HubIntent = hubIntent({ prefix: 'cosmos', denom: 'uatom', path: '/hub-one/native' })

/** Native delegation on Celestia. @see https://github.com/cosmos/chain-registry/blob/master/celestia/chain.json (read 2026-11-21) */
export const hubTwo: HubIntent = hubIntent({ prefix: 'celestia', denom: 'utia', path: '/hub-two/native' })

/** Native delegation on a chain of the family. @param hub its names, and where its protocol is in the API */
export function hubIntent({ prefix, denom, path }: CosmosNames & { readonly path: string }): HubIntent {
  return defineIntent<Terms, HubActions>({
    family: cosmos({ prefix, denom }),
    path,
    terms,
    actions: hubActions({ prefix, denom }),
    layouts: () => ({ layouts }),
    describe: (call, network) => describe(call, network, denom),
  })
}

function describe(call: DecodedCall, network: NetworkTerms, denom: string): Clause | null {
  const { target, args } = call
  // Of another unit than the native one no decimals are known.
  if ('denom' in args && args.denom !== denom) return null
  switch (target) {
    case delegate.type: {
      const amount = integerArg(call, 'amount')
      return {
        text: `delegate ${tokens(amount, network)} of ${delegator(call)} to ${validator(call)}`,
        moves: [move('leaves', amount), move('staked', amount)],
      }
    }
    case undelegate.type: {
      const amount = integerArg(call, 'amount')
      return {
        text: `undelegate ${tokens(amount, network)} of ${delegator(call)} from ${validator(call)}`,
        moves: [move('freed', amount)],
      }
    }
    case withdrawReward.type:
      return {
        text: `claim the rewards of ${delegator(call)} from ${validator(call)}, paid to the withdraw address that the account has set, which is its own unless it chose another`,
        moves: [move('arrives', null)],
      }
    default:
      return null
  }
}

const delegator = (call: DecodedCall) => textArg(call, 'delegator')
const validator = (call: DecodedCall) => `validator ${textArg(call, 'validator')}`
