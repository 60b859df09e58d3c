import { itemsOf, membersOf } from '@svc/contract'
import type { FamilyLife, Loss, Scene, Stage } from '../../life/family.ts'
import { refusal, result } from '../json-rpc/nodes.ts'
import { advance, durable, failing, has, submit } from './life-wire.ts'
import type { SvmWallet } from './wallet.ts'

type SvmStage = Stage<SvmWallet>

/** Blocks on top of one until it is rooted. @see agave vote-interface, MAX_LOCKOUT_HISTORY (read 2026-11-22) */
const ROOTED_AFTER = 32
/** Blocks for which a block hash is taken. @see https://docs.rs/solana-clock/latest/solana_clock/constant.MAX_PROCESSING_AGE.html (read 2026-11-22) */
const LIFE = 150
/** Blocks by which a node may be behind that does not know a block hash: max_block_age at five blocks a second. */
const MOST_BEHIND = 1500
/** Slots for which a node knows a signature without a look into its ledger, and more. */
const REMEMBERED = 400
/** A slot that no local chain has come to. */
const LATER = 4_000_000_000

const mine = async (stage: SvmStage, blocks: number) => void (await stage.operate('mine', { blocks }))
const bury = (stage: SvmStage) => mine(stage, ROOTED_AFTER)
const hold = async (stage: SvmStage) => void (await stage.operate('hold', { on: true }))
const released = async (stage: SvmStage) => void (await stage.operate('hold', { on: false }))
const nothing = async () => undefined

/** Vanishes without a trace, and so many blocks pass. */
const lost = (blocks: number) => async (stage: SvmStage) => {
  await stage.operate('drop')
  await mine(stage, blocks)
}

const sentAndBuried = async (stage: SvmStage) => {
  await stage.send(stage)
  await stage.placed(stage)
  await bury(stage)
}

const scenes: readonly Scene<SvmWallet>[] = [
  { name: 'it is in the newest block', given: 'broadcast', play: (stage) => stage.placed(stage), told: ['included'] },
  {
    name: 'it is in a rooted block',
    given: 'broadcast',
    async play(stage) {
      await stage.placed(stage)
      await bury(stage)
    },
    told: ['final'],
  },
  {
    name: 'it is in a block of long ago',
    given: 'broadcast',
    async play(stage) {
      await stage.placed(stage)
      await mine(stage, REMEMBERED)
    },
    told: ['final'],
  },
  { name: 'it was sent by others', given: 'tracked', play: sentAndBuried, told: ['final'] },
  { name: 'its hash alone is known, and it is in a rooted block', given: 'hash', play: sentAndBuried, told: ['final'] },
  {
    name: 'its program refused it',
    given: 'tracked',
    async play(stage) {
      await failing(stage)
      await bury(stage)
    },
    told: ['failed'],
  },
  { name: 'no block has taken it yet', given: 'broadcast', before: hold, play: nothing, told: ['pending'], after: released },
  {
    name: 'nobody has voted for its block yet',
    given: 'broadcast',
    before: async (stage) => void (await stage.operate('votes', { on: false })),
    play: (stage) => stage.placed(stage),
    told: ['pending'],
    after: async (stage) => void (await stage.operate('votes', { on: true })),
  },
  { name: 'it vanished a moment ago', given: 'broadcast', before: hold, play: lost(LIFE), told: ['pending'], after: released },
  {
    name: 'it vanished, and its block hash is too old',
    given: 'broadcast',
    before: hold,
    play: lost(LIFE + ROOTED_AFTER + 1),
    told: ['expired'],
    after: released,
  },
  { name: 'nobody has sent it', given: 'tracked', play: nothing, told: ['unknown'] },
  {
    name: 'nobody has sent it, and its block hash is too old',
    given: 'tracked',
    play: (stage) => mine(stage, LIFE + ROOTED_AFTER + 1),
    told: ['expired'],
  },
  {
    name: 'its block hash was too old when it was seen first',
    given: 'tracked',
    before: (stage) => mine(stage, LIFE + 1),
    play: (stage) => mine(stage, MOST_BEHIND + LIFE + ROOTED_AFTER + 1),
    told: ['expired'],
  },
  {
    name: 'its hash alone is known, and its block hash is too old',
    given: 'hash',
    play: (stage) => mine(stage, LIFE + ROOTED_AFTER + 1),
    told: ['unknown'],
  },
  {
    name: 'its nonce was used by another, which is final',
    given: 'tracked',
    instead: durable,
    async play(stage) {
      await advance(stage)
      await bury(stage)
    },
    told: ['replaced'],
  },
  { name: 'its nonce was used by another a moment ago', given: 'tracked', instead: durable, play: advance, told: ['unknown'] },
  {
    name: 'it has used its nonce itself',
    given: 'broadcast',
    instead: durable,
    async play(stage) {
      await stage.placed(stage)
      await mine(stage, REMEMBERED)
    },
    told: ['final'],
  },
]

const loss: Loss<SvmWallet> = {
  sends: /"sendTransaction"/,
  deaf({ txHash }) {
    return (question, answer) => (itemsOf(JSON.parse(question))[0] === 'sendTransaction' ? result(txHash) : answer)
  },
  showsWaiting: () => false,
  before: hold,
  async drop(stage) {
    await stage.operate('drop')
    await released(stage)
  },
  bury,
  spoil: (stage) => mine(stage, LIFE + ROOTED_AFTER + 1),
  end: 'expired',
  after: released,
}

/**
 * Methods that a node refuses that was started without --enable-rpc-transaction-history, which is the default; the other one, getSignatureStatuses, only where its history is asked for.
 *
 * @see https://github.com/anza-xyz/agave/blob/v3.1.0/rpc/src/rpc.rs and rpc-client-api/src/custom_error.rs (read 2026-11-28)
 */
const OF_HISTORY: ReadonlySet<string> = new Set(['getTransaction', 'getSignaturesForAddress', 'getBlock'])

/** Scenes of transactions on a Solana cluster. */
export const svmScenes: FamilyLife<SvmWallet> = {
  scenes,
  loss,
  unindexed(question, answer) {
    const [method, params] = itemsOf(JSON.parse(question))
    const isOfHistory =
      OF_HISTORY.has(String(method)) ||
      (method === 'getSignatureStatuses' && membersOf(itemsOf(params)[1]).searchTransactionHistory === true)
    return isOfHistory ? refusal(-32_011, 'Transaction history is not available from this node') : answer
  },
  restarted: 'a validator that was started a moment ago holds the present alone, and has forgotten the rest',
  send: (rpcUrl, { signed_tx_hex }) => submit(rpcUrl, String(signed_tx_hex)),
  has,
  // A node that was started a moment ago: accounts and heights as they are, and nothing of what happened.
  pruned(question, answer) {
    const [method] = itemsOf(JSON.parse(question))
    const reply = (result: unknown) => JSON.stringify({ jsonrpc: '2.0', result })
    if (method === 'getTransaction') return reply(null)
    if (method === 'getSignaturesForAddress') return reply([])
    if (method === 'getFirstAvailableBlock') return reply(LATER)
    if (method !== 'getSignatureStatuses') return answer
    return reply({ ...membersOf(membersOf(JSON.parse(answer)).result), value: [null] })
  },
}
