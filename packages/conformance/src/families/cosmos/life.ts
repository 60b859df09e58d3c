import { itemsOf, membersOf } from '@svc/contract'
import { callOf } from '../../landing.ts'
import type { FamilyLife, Loss, Scene, Stage } from '../../life/family.ts'
import { deaf, restarted, unindexed } from './nodes.ts'
import { type SignedFor, type SigningWallet, timeoutScene } from './timeout.ts'
import { bytesOf } from './wire.ts'

const hold = (stage: Stage, on: boolean) => stage.operate('hold', { on })
const drop = (stage: Stage) => stage.operate('drop', { hash: stage.txHash })
const released = async (stage: Stage) => void (await hold(stage, false))
const standstill = async (stage: Stage) => {
  await stage.another()
  await hold(stage, true)
}
const nothing = async () => undefined

/** Lets the other transaction of the same sequence land. */
async function rival(stage: Stage): Promise<void> {
  const other = await stage.another()
  await stage.send(other)
  await hold(stage, false)
  await stage.placed(other)
}

async function sent(stage: Stage): Promise<void> {
  await stage.send(stage)
  await stage.placed(stage)
}

const scenes: readonly Scene[] = [
  { name: 'it is in a block', given: 'broadcast', play: (stage) => stage.placed(stage), told: ['final'] },
  { name: 'it was sent by others', given: 'tracked', play: sent, told: ['final'] },
  { name: 'its hash alone is known, and it is in a block', given: 'hash', play: sent, told: ['final'] },
  { name: 'nobody has sent it', given: 'tracked', play: nothing, told: ['unknown'] },
  {
    name: 'it ran out of gas',
    given: 'broadcast',
    before: standstill,
    async play(stage) {
      await stage.operate('exhaust', { hash: stage.txHash })
      await hold(stage, false)
      await stage.placed(stage)
    },
    told: ['failed'],
    after: released,
  },
  {
    name: 'it waits while blocks go by',
    given: 'broadcast',
    before: standstill,
    play: async (stage) => void (await stage.operate('mine', { blocks: 3 })),
    told: ['pending'],
    after: released,
  },
  {
    name: 'it vanished from the mempool',
    given: 'broadcast',
    before: standstill,
    async play(stage) {
      await drop(stage)
      await hold(stage, false)
    },
    told: ['pending'],
    after: released,
  },
  {
    name: 'it vanished, and was sent once more',
    given: 'broadcast',
    before: standstill,
    async play(stage) {
      await drop(stage)
      await hold(stage, false)
      await sent(stage)
    },
    told: ['final'],
    after: released,
  },
  {
    name: 'it vanished, and another used its sequence',
    given: 'broadcast',
    before: standstill,
    async play(stage) {
      await drop(stage)
      await rival(stage)
    },
    told: ['replaced'],
    after: released,
  },
  {
    name: 'another used its sequence before it was sent',
    given: 'tracked',
    before: async (stage) => void (await stage.another()),
    play: rival,
    told: ['replaced'],
  },
  {
    name: 'its hash alone is known, and another used its sequence',
    given: 'hash',
    before: async (stage) => void (await stage.another()),
    play: rival,
    told: ['unknown'],
  },
]

const loss: Loss = {
  sends: /"broadcast_tx_sync"/,
  deaf,
  showsWaiting: () => true,
  before: standstill,
  async drop(stage) {
    await drop(stage)
    await hold(stage, false)
  },
  spoil: rival,
  end: 'replaced',
  rival: {
    async waits(stage) {
      await hold(stage, true)
      await stage.send(await stage.another())
    },
    async gone(stage) {
      await stage.operate('drop', { hash: (await stage.another()).txHash })
      await hold(stage, false)
    },
  },
  after: released,
}

/** Blocks between the landing of a transaction and the time at which it is tracked: more than a look goes through. */
const LONG = 100

/** A node without an index finds nothing by a hash, and an account whose sequence was used already says nothing of when that was. */
const longAgo: Scene = {
  name: 'it landed long before it was tracked, and its node keeps no index',
  given: 'tracked',
  async before(stage) {
    await sent(stage)
    await stage.operate('mine', { blocks: LONG })
    await stage.operate('keep', { index: false })
  },
  play: nothing,
  told: ['final'],
  after: async (stage) => void (await stage.operate('keep', { index: true })),
}

/** Methods that ask by a height, and by one that the node no longer has. */
const BY_HEIGHT = new Set(['block', 'block_results'])

/**
 * Makes the scenes of transactions on a Cosmos chain.
 *
 * @param lookup method of its node by which a transaction is found
 * @param results whether its node keeps what came of blocks
 */
export function cosmosScenes<W extends SigningWallet>({
  lookup,
  results,
  chainId,
  algorithm,
}: SignedFor & {
  readonly lookup: 'tx' | 'tx_status'
  readonly results: boolean
}): FamilyLife<W> {
  return {
    tellsOutcome: results,
    loss,
    unindexed,
    restarted,
    scenes: [...scenes, ...(lookup === 'tx' ? [longAgo] : []), timeoutScene<W>({ chainId, algorithm })],
    async send(rpcUrl, { signed_tx_hex: tx }) {
      const answer = membersOf(await callOf(rpcUrl, 'broadcast_tx_sync', { tx: Buffer.from(bytesOf(String(tx))).toString('base64') }))
      if (answer.code !== 0) throw new TypeError(`broadcast_tx_sync: ${answer.log ?? 'refused'}`)
    },
    async has(rpcUrl, txHash) {
      const receipt = membersOf(await callOf(rpcUrl, lookup, { hash: Buffer.from(bytesOf(txHash)).toString('base64') }))
      return receipt.tx_result !== undefined || receipt.status === 'COMMITTED'
    },
    pruned(question, answer) {
      const [method, params] = itemsOf(JSON.parse(question))
      const { result } = membersOf(JSON.parse(answer))
      const refusal = (data: string) => JSON.stringify({ jsonrpc: '2.0', error: { code: -32_603, message: 'Internal error', data } })
      const reply = (changed: unknown) => JSON.stringify({ jsonrpc: '2.0', result: changed })
      if (method === 'status') {
        const { sync_info: sync } = membersOf(result)
        const { latest_block_height: height, latest_block_time: time } = membersOf(sync)
        return reply({ ...membersOf(result), sync_info: { ...membersOf(sync), earliest_block_height: height, earliest_block_time: time } })
      }
      if (method === 'tx') return refusal('tx (00) not found')
      if (method === 'tx_search') return reply({ txs: [], total_count: '0' })
      if (method === 'tx_status' && membersOf(result).status === 'COMMITTED')
        // Recorded of celestia-appd v6.2.5: it knows the hash still, and calls it rejected for nothing.
        return reply({ height: '0', index: 0, execution_code: 0, error: '', status: 'REJECTED' })
      const { height, maxHeight } = membersOf(params)
      if (BY_HEIGHT.has(String(method))) return refusal(`height ${height} is not available, lowest height is 999999999`)
      if (method === 'blockchain') return refusal(`min height 999999999 can't be greater than max height ${maxHeight}`)
      return answer
    },
  }
}
