import { membersOf } from '@svc/contract'
import { askNode, type Requirement } from '@svc/contract/requirements'
import { unanswered } from '@svc/contract/rpc'
import { EVM_NODE, type EvmClient, readQuantity } from '@svc/kit-evm'
import type { StakingNetwork } from './network.ts'

/** Requirements for a node for the books of delegators, whose flows are found in the contract's events. */
export const requirements: readonly Requirement<EvmClient, StakingNetwork>[] = [
  {
    name: 'logs of events',
    weight: 'lessens',
    calls: ['eth_getLogs'],
    without: 'books cannot be kept: nothing of the past of a position is known',
    setting: EVM_NODE.ranges,
    async probe(ctx) {
      const latest = await askNode(ctx, 'eth_getBlockByNumber', ['latest', false])
      if ('fault' in latest) throw unanswered(latest.fault).refusal
      const head = readQuantity(membersOf(latest.result).number)
      const blocks = BigInt(ctx.network.log_blocks)
      const [fromBlock, toBlock] = [head >= blocks ? head - blocks + 1n : 0n, head].map((height) => `0x${height.toString(16)}`)
      const answer = await askNode(ctx, 'eth_getLogs', [{ address: ctx.network.staking, fromBlock, toBlock }])
      return 'fault' in answer ? answer.words : null
    },
  },
]
