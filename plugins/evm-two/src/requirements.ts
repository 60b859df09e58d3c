import { missingMethod, type Requirement } from '@svc/contract/requirements'
import { bookLogs, EVM_NODE, type EvmClient } from '@svc/kit-evm'
import type { StakingNetwork } from './network.ts'

/** Requirements of the staking contract for a node: its storage must be readable, since the code that it runs is recorded in a slot there, and its events, for the books of delegators. */
export const requirements: readonly Requirement<EvmClient, StakingNetwork>[] = [
  {
    name: 'storage of contracts',
    weight: 'lessens',
    calls: ['eth_getStorageAt'],
    without: 'nobody is told when the code behind the staking contract, or who may replace it, is another',
    setting: EVM_NODE.open,
    probe: (ctx) => missingMethod(ctx, { eth_getStorageAt: [ctx.network.staking, '0x0', 'latest'] }),
  },
  bookLogs(({ staking }) => staking),
]
