import { type CosmosNames, cosmos } from '@svc/verify/cosmos'
import {
  type Clause,
  type DecodedCall,
  type DefinedIntent,
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

// Each chain is marked as one that a bundle may leave out: who stakes on one of them carries no other.

/** An intent of native delegation on one chain. */
export type HubIntent = DefinedIntent<Terms, HubActions>

/** An exit, the dearest action, takes a limit of 321,000 gas on the Hub and 249,000 on Celestia (gaiad v29, celestia-appd v6.2.5, 2026-11-23), at 120 percent of the least price, 0.005 uatom and 0.004 utia. */
const USUAL = '0.002'

/** Native delegation on the Cosmos Hub. @see https://github.com/cosmos/chain-registry/blob/master/cosmoshub/chain.json (read 2026-11-21) */
export const hubOne: HubIntent = /* @__PURE__ */ hubIntent({
  prefix: 'cosmos',
  denom: 'uatom',
  algorithm: 'secp256k1',
  path: '/hub-one/native',
  title: 'Native staking on the Cosmos Hub',
  usualFee: USUAL,
})

/** Native delegation on Celestia. @see https://github.com/cosmos/chain-registry/blob/master/celestia/chain.json (read 2026-11-21) */
export const hubTwo: HubIntent = /* @__PURE__ */ hubIntent({
  prefix: 'celestia',
  denom: 'utia',
  algorithm: 'secp256k1',
  path: '/hub-two/native',
  title: 'Native staking on Celestia',
  usualFee: USUAL,
})

/** Native delegation on Osmosis. Its price of gas moves from 0.03 to 10 uosmo. @see https://github.com/cosmos/chain-registry/blob/master/osmosis/chain.json (read 2026-11-23) */
export const osmosis: HubIntent = /* @__PURE__ */ hubIntent({
  prefix: 'osmo',
  denom: 'uosmo',
  algorithm: 'secp256k1',
  path: '/osmosis/native',
  title: 'Native staking on Osmosis',
  usualFee: '0.05',
})

/** Native delegation on Kava. @see https://github.com/cosmos/chain-registry/blob/master/kava/chain.json (read 2026-11-23) */
export const kava: HubIntent = /* @__PURE__ */ hubIntent({
  prefix: 'kava',
  denom: 'ukava',
  algorithm: 'secp256k1',
  path: '/kava/native',
  title: 'Native staking on Kava',
  usualFee: '0.1',
})

/** Native delegation on Injective, whose keys are Ethereum's. @see https://github.com/cosmos/chain-registry/blob/master/injective/chain.json and InjectiveLabs/sdk-go 62400a7, chain/crypto/ethsecp256k1 (read 2026-11-23) */
export const injective: HubIntent = /* @__PURE__ */ hubIntent({
  prefix: 'inj',
  denom: 'inj',
  algorithm: 'ethsecp256k1',
  keyType: '/injective.crypto.v1beta1.ethsecp256k1.PubKey',
  path: '/injective/native',
  title: 'Native staking on Injective',
  usualFee: '0.0005',
})

/** What is said of a chain beside its names: where its protocol is in the API, what people call it, and what an action usually costs at most, in native tokens. */
type HubWords = Pick<HubIntent, 'path' | 'title' | 'usualFee'>

/** Makes the intent of native delegation on a chain of the family. */
export function hubIntent({ path, title, usualFee, ...names }: CosmosNames & HubWords): HubIntent {
  const { denom } = names
  return defineIntent<Terms, HubActions>({
    family: cosmos(names),
    path,
    ...(title === undefined ? {} : { title }),
    ...(usualFee === undefined ? {} : { usualFee }),
    nativeArguments: ['amount'],
    terms,
    actions: hubActions(names),
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
