import { missingMethod, type Requirement } from '@svc/contract/requirements'
import { SVM_NODE, type SvmClient } from '@svc/kit-svm'
import type { LiquidNetwork } from './network.ts'

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
]
