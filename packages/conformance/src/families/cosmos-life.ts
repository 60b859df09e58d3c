import { itemsOf, membersOf } from '@svc/contract'
import type { FamilyLife, Scene, Stage } from '../life/family.ts'
import { type SigningWallet, timeoutScene } from './cosmos-timeout.ts'
import { bytesOf } from './cosmos-wire.ts'
import { callOf } from './landing.ts'

const hold = (stage: Stage, on: boolean) => stage.operate('hold', { on })
const drop = (stage: Stage) => stage.operate('drop', { hash: stage.txHash })
const released = async (stage: Stage) => void (await hold(stage, false))
const held = async (stage: Stage) => {
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
    before: held,
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
    before: held,
    play: async (stage) => void (await stage.operate('mine', { blocks: 3 })),
    told: ['pending'],
    after: released,
  },
  {
    name: 'it vanished from the mempool',
    given: 'broadcast',
    before: held,
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
    before: held,
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
    before: held,
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

/** What is asked by a height, and of one that the node no longer has. */
const BY_HEIGHT = new Set(['block', 'block_results'])

/**
 * What becomes of transactions on a Cosmos chain.
 *
 * @param lookup method of its node by which a transaction is found
 */
export function cosmosScenes<W extends SigningWallet>(lookup: 'tx' | 'tx_status', chainId: string): FamilyLife<W> {
  return {
    scenes: [...scenes, timeoutScene<W>(chainId)],
    async send(rpcUrl, { signed_tx_hex: tx }) {
      const answer = membersOf(await callOf(rpcUrl, 'broadcast_tx_sync', { tx: Buffer.from(bytesOf(String(tx))).toString('base64') }))
      if (answer.code !== 0) throw new TypeError(`broadcast_tx_sync: ${answer.log ?? 'refused'}`)
    },
    async has(rpcUrl, txHash) {
      const found = membersOf(await callOf(rpcUrl, lookup, { hash: Buffer.from(bytesOf(txHash)).toString('base64') }))
      return found.tx_result !== undefined || found.status === 'COMMITTED'
    },
    pruned(question, answer) {
      const [method, params] = itemsOf(JSON.parse(question))
      const { result } = membersOf(JSON.parse(answer))
      const refused = (data: string) => JSON.stringify({ jsonrpc: '2.0', error: { code: -32_603, message: 'Internal error', data } })
      const told = (changed: unknown) => JSON.stringify({ jsonrpc: '2.0', result: changed })
      if (method === 'status') {
        const { sync_info: sync } = membersOf(result)
        const { latest_block_height: height, latest_block_time: time } = membersOf(sync)
        return told({ ...membersOf(result), sync_info: { ...membersOf(sync), earliest_block_height: height, earliest_block_time: time } })
      }
      if (method === 'tx') return refused('tx (00) not found')
      if (method === 'tx_search') return told({ txs: [], total_count: '0' })
      if (method === 'tx_status' && membersOf(result).status === 'COMMITTED')
        return told({ ...membersOf(result), status: 'UNKNOWN', height: '0', index: 0, execution_code: 0, error: '', signers: [] })
      const { height, maxHeight } = membersOf(params)
      if (BY_HEIGHT.has(String(method))) return refused(`height ${height} is not available, lowest height is 999999999`)
      if (method === 'blockchain') return refused(`min height 999999999 can't be greater than max height ${maxHeight}`)
      return answer
    },
  }
}
