import { missingMethod, type Requirement } from '@svc/contract'
import { SVM_NODE, type SvmClient } from '@svc/kit-svm'
import type { LiquidNetwork } from './network.ts'

/** What a node must have for a stake pool besides what every protocol of the family needs. */
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
