import { membersOf } from '@svc/contract'
import { askNode, isNotServed, type Requirement } from '@svc/contract/requirements'
import { unanswered } from '@svc/contract/rpc'
import { EVM_NODE, type EvmClient, readQuantity } from '@svc/kit-evm'
import { asksTooMuch } from './events/logs.ts'
import type { VaultNetwork } from './network.ts'

type VaultRequirement = Requirement<EvmClient, VaultNetwork>

/** Requirements for a node for the exits of a vault, which are found in its events alone. */
export const requirements: readonly VaultRequirement[] = [
  {
    name: 'logs of events',
    weight: 'needed',
    calls: ['eth_getLogs'],
    without: 'no exit can be shown or withdrawn, since a vault tells of exits by events alone, and no book is kept',
    setting: EVM_NODE.open,
    async probe(ctx) {
      const answer = await logsOf(ctx, 1n)
      if ('result' in answer) return null
      if (isNotServed(answer.fault)) return answer.words
      throw unanswered(answer.fault).refusal
    },
  },
  {
    name: 'logs of wide ranges',
    weight: 'lessens',
    calls: ['eth_getLogs'],
    without: 'the first reading of a vault takes many calls more, and exits are a 503 until it is made',
    setting: EVM_NODE.ranges,
    async probe(ctx) {
      const answer = await logsOf(ctx, BigInt(ctx.network.log_blocks))
      return 'fault' in answer && asksTooMuch(answer.words) ? answer.words : null
    },
  },
]

/** Asks for the vault's logs of the last blocks. */
async function logsOf(ctx: Parameters<VaultRequirement['probe']>[0], blocks: bigint) {
  const answer = await askNode(ctx, 'eth_getBlockByNumber', ['latest', false])
  if ('fault' in answer) throw unanswered(answer.fault).refusal
  const head = readQuantity(membersOf(answer.result).number)
  const from = head >= blocks ? head - blocks + 1n : 0n
  const [fromBlock, toBlock] = [from, head].map((height) => `0x${height.toString(16)}`)
  return askNode(ctx, 'eth_getLogs', [{ address: ctx.network.vault, fromBlock, toBlock }])
}
