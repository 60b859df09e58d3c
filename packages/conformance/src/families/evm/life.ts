import { itemsOf, membersOf } from '@svc/contract'
import type { FamilyLife, Loss, Scene, Stage } from '../../life/family.ts'
import { rpc } from '../json-rpc/call.ts'
import { deaf, restarted, unindexed } from './nodes.ts'
import type { EvmWallet } from './wallet.ts'

type EvmStage = Stage<EvmWallet>

/** Blocks until one is final on the local chain, which calls its head minus two final, and for a protocol that waits for some more. */
const FINAL = 16
/** Code that refuses every call, without a word. */
const REFUSES = '0x60006000fd'

const hold = (stage: EvmStage, on: boolean) => stage.operate('hold', { on })
const bury = (stage: EvmStage) => stage.operate('mine', { blocks: FINAL })
const drop = (stage: EvmStage) => stage.operate('drop', { hash: stage.txHash })
const released = async (stage: EvmStage) => void (await hold(stage, false))
const standstill = async (stage: EvmStage) => {
  await stage.another()
  await hold(stage, true)
}

/** Lets the other transaction of the same nonce land, under blocks that make it final. */
async function rival(stage: EvmStage): Promise<void> {
  const other = await stage.another()
  await stage.send(other)
  await hold(stage, false)
  await stage.placed(other)
  await bury(stage)
}

/** Runs it against code that refuses it. */
async function refused(stage: EvmStage): Promise<void> {
  const { to } = membersOf(await rpc(stage.rpcUrl, 'eth_getTransactionByHash', [stage.txHash]))
  const code = await rpc(stage.rpcUrl, 'eth_getCode', [to, 'latest'])
  await rpc(stage.rpcUrl, 'anvil_setCode', [to, REFUSES])
  await hold(stage, false)
  await stage.placed(stage)
  await rpc(stage.rpcUrl, 'anvil_setCode', [to, code])
  await bury(stage)
}

const scenes: readonly Scene<EvmWallet>[] = [
  { name: 'it is in the newest block', given: 'broadcast', play: (stage) => stage.placed(stage), told: ['included'] },
  {
    name: 'it is in a final block',
    given: 'broadcast',
    async play(stage) {
      await stage.placed(stage)
      await bury(stage)
    },
    told: ['final'],
  },
  {
    name: 'it was sent by others',
    given: 'tracked',
    async play(stage) {
      await stage.send(stage)
      await stage.placed(stage)
      await bury(stage)
    },
    told: ['final'],
  },
  {
    name: 'its hash alone is known, and it is in a final block',
    given: 'hash',
    async play(stage) {
      await stage.send(stage)
      await stage.placed(stage)
      await bury(stage)
    },
    told: ['final'],
  },
  { name: 'the contract refused it', given: 'broadcast', before: standstill, play: refused, told: ['failed'], after: released },
  {
    name: "it waits in a node's pool",
    given: 'broadcast',
    before: standstill,
    play: async () => undefined,
    told: ['pending'],
    after: released,
  },
  {
    name: 'it vanished from the pool',
    given: 'broadcast',
    before: standstill,
    play: async (stage) => void (await drop(stage)),
    told: ['pending'],
    after: released,
  },
  {
    name: 'it vanished, and another used its nonce',
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
    name: 'another used its nonce before it was sent',
    given: 'tracked',
    before: async (stage) => void (await stage.another()),
    play: rival,
    told: ['replaced'],
  },
  {
    name: 'another used its nonce in the newest block',
    given: 'broadcast',
    before: standstill,
    async play(stage) {
      await drop(stage)
      await stage.send(await stage.another())
      await hold(stage, false)
    },
    told: ['pending'],
    after: released,
  },
  {
    name: 'its block was taken back',
    given: 'broadcast',
    async play(stage) {
      await stage.placed(stage)
      await stage.operate('reorganise', { blocks: 1 })
    },
    told: ['pending'],
  },
  {
    name: 'its block was taken back, and another used its nonce',
    given: 'broadcast',
    before: async (stage) => void (await stage.another()),
    async play(stage) {
      await stage.placed(stage)
      await stage.operate('reorganise', { blocks: 1 })
      await rival(stage)
    },
    told: ['replaced'],
  },
  { name: 'nobody has sent it', given: 'tracked', play: async () => undefined, told: ['unknown'] },
  {
    name: 'its hash alone is known, and another used its nonce',
    given: 'hash',
    before: async (stage) => void (await stage.another()),
    play: rival,
    told: ['unknown'],
  },
]

const loss: Loss<EvmWallet> = {
  sends: /"eth_sendRawTransaction"/,
  deaf,
  // A chain whose nodes have a method of their own for it shows nothing else.
  showsWaiting: ({ txpool_status: isAsked }) => isAsked !== true,
  before: standstill,
  async drop(stage) {
    await drop(stage)
    await hold(stage, false)
  },
  bury: async (stage) => void (await bury(stage)),
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

/** Scenes of transactions on an EVM chain. */
export const evmScenes: FamilyLife<EvmWallet> = {
  scenes,
  loss,
  unindexed,
  restarted,
  send: async (rpcUrl, { signed_tx_hex }) => void (await rpc(rpcUrl, 'eth_sendRawTransaction', [signed_tx_hex])),
  has: async (rpcUrl, txHash) => (await rpc(rpcUrl, 'eth_getTransactionReceipt', [txHash])) !== null,
  // A node that is pruned, or looks up recent transactions only: the block of a number is null, the newest ones by their names are there.
  pruned(question, answer) {
    const [method, params] = JSON.parse(question) as [string, unknown]
    const [first] = itemsOf(params)
    const forgotten =
      method === 'eth_getTransactionReceipt' ||
      method === 'eth_getTransactionByHash' ||
      (method === 'eth_getBlockByNumber' && String(first).startsWith('0x'))
    return forgotten ? JSON.stringify({ jsonrpc: '2.0', result: null }) : answer
  },
}
