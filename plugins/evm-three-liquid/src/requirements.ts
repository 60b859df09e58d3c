import { missingMethod, type Requirement } from '@svc/contract/requirements'
import { bookLogs, EVM_NODE, type EvmClient } from '@svc/kit-evm'
import type { LiquidNetwork } from './network.ts'

/** Requirements of the pool for a node: its delay stands in a slot of storage, which no method of the contract tells, and its book rests on events. */
export const requirements: readonly Requirement<EvmClient, LiquidNetwork>[] = [
  {
    name: 'storage of the vault',
    weight: 'lessens',
    calls: ['eth_getStorageAt'],
    without:
      'staking-info does not say how long a redemption takes, unless `redeem_delay_seconds` of this network does, and nobody is told when the code behind the vault is another',
    setting: EVM_NODE.open,
    probe: (ctx) => missingMethod(ctx, { eth_getStorageAt: [ctx.network.vault, '0x0', 'latest'] }),
  },
  bookLogs(({ vault }) => vault),
]
