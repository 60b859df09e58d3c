import { missingMethod, type Requirement } from '@svc/contract/requirements'
import { missingAccountFeed, SVM_NODE, type SvmClient } from '@svc/kit-svm'
import { type LiquidNetwork, poolOf } from './network.ts'

/** 32 zeros: nobody has tokens by that key. */
const NOBODY = '1'.repeat(32)

/** Requirements of a stake pool for a node besides those of every protocol of the family. */
export const requirements: readonly Requirement<SvmClient, LiquidNetwork>[] = [
  {
    name: 'least stake of the chain',
    weight: 'needed',
    calls: ['getStakeMinimumDelegation'],
    without: 'no exit for which the reserve is too small can be crafted',
    setting: SVM_NODE.open,
    probe: (ctx) => missingMethod(ctx, { getStakeMinimumDelegation: [] }),
  },
  {
    name: 'token accounts of a wallet',
    weight: 'lessens',
    calls: ['getTokenAccountsByOwner'],
    without: 'books cannot be kept: the tokens of a wallet are in accounts that are found by search alone',
    setting: SVM_NODE.open,
    probe: (ctx) =>
      missingMethod(ctx, {
        getTokenAccountsByOwner: [NOBODY, { mint: poolOf(ctx.network).mint }, { encoding: 'base64', commitment: 'confirmed' }],
      }),
  },
  {
    name: 'pushes of token accounts',
    weight: 'lessens',
    calls: ['programSubscribe'],
    without: 'what others do to the tokens of a wallet is noticed later: within a day',
    setting: SVM_NODE.push,
    probe: (ctx) => (ctx.network.pushes ? missingAccountFeed(ctx, poolOf(ctx.network).tokenProgram) : Promise.resolve(null)),
  },
]
