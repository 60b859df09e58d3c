import type { FamilyLife, Stage } from '@svc/conformance'
import { rpc } from '@svc/conformance/json-rpc'
import { membersOf } from '@svc/contract'
import type { NearTestWallet } from './wire.ts'

/** Blocks after which a transaction cannot land any more. @see https://docs.near.org/protocol/transaction-anatomy (read 2026-11-23) */
const LIFE = 86_400

/** @param signerOf who signed a transaction, by its hash: a node finds none without */
export const scenes = (signerOf: (hash: string) => string): FamilyLife<NearTestWallet> => ({
  async send(rpcUrl, { signed_tx_b64 }) {
    await rpc(rpcUrl, 'send_tx', { signed_tx_base64: signed_tx_b64, wait_until: 'NONE' })
  },
  async has(rpcUrl, hash) {
    const asked = { tx_hash: hash, sender_account_id: signerOf(hash), wait_until: 'NONE' }
    return rpc(rpcUrl, 'tx', asked).then(
      (result) => membersOf(result).final_execution_status === 'FINAL',
      () => false,
    )
  },
  pruned(question, answer) {
    const [method, params] = JSON.parse(question) as [string, unknown]
    const refused = (name: string) =>
      JSON.stringify({
        jsonrpc: '2.0',
        error: { name: 'HANDLER_ERROR', cause: { name, info: {} }, code: -32_000, message: 'Server error' },
      })
    if (method === 'tx') return refused('UNKNOWN_TRANSACTION')
    return method === 'block' && membersOf(params).block_id !== undefined ? refused('UNKNOWN_BLOCK') : answer
  },
  // Either may be made up by an only endpoint: there is nobody to ask. Another endpoint that tells the contrary is believed.
  believed: [
    { lie: /^view_access_key nonce /, bound: 'a nonce of the key that is as high as that of the transaction' },
    { lie: /^block header height /, bound: 'a height of the last final block, or of the one that the transaction names' },
    { lie: /^tx /, bound: 'that it does not know a transaction which it knows' },
  ],
  loss: {
    sends: /"send_tx"/,
    // A node shows what it has in a block.
    showsWaiting: () => false,
    before: async (stage) => void (await stage.another()),
    // A node answers when a block has it: one that loses it nevertheless has answered what is not so.
    taken: (_txHash, asked) => ({ type: 'application/json', body: Buffer.from(included(asked)) }),
    drop: async () => undefined,
    spoil: async (stage) => stage.send(await stage.another()),
    end: 'replaced',
    after: async () => undefined,
  },
  scenes: [
    { name: 'it was sent', given: 'broadcast', play: (stage) => stage.placed(stage), told: ['final'] },
    { name: 'somebody else sent it', given: 'tracked', play: (stage) => stage.send(stage), told: ['final'] },
    {
      name: 'it was sent, and its hash and its signer alone are known',
      given: 'hash',
      play: (stage) => stage.send(stage),
      told: ['final'],
    },
    { name: 'it was not sent', given: 'tracked', play: async () => undefined, told: ['pending'] },
    { name: 'nobody knows its hash', given: 'hash', play: async () => undefined, told: ['unknown'] },
    {
      name: 'the contract refused it',
      given: 'tracked',
      async play(stage) {
        await stage.operate('fail', { times: 1 })
        await stage.send(stage)
      },
      told: ['failed'],
      after: async (stage) => void (await stage.operate('fail', { times: 0 })),
    },
    {
      name: 'another transaction of its key was sooner',
      given: 'tracked',
      before: async (stage) => void (await stage.another()),
      play: async (stage) => stage.send(await stage.another()),
      told: ['replaced'],
    },
    {
      name: 'it waited, and landed late',
      given: 'tracked',
      async play(stage) {
        await waits(stage)
        await released(stage)
      },
      told: ['final'],
      after: released,
    },
    {
      name: 'it waited, and was forgotten',
      given: 'tracked',
      play: forgotten,
      told: ['pending'],
      after: released,
    },
    {
      name: 'it was forgotten, and another transaction of its key landed',
      given: 'tracked',
      before: async (stage) => void (await stage.another()),
      async play(stage) {
        await forgotten(stage)
        await stage.send(await stage.another())
      },
      told: ['replaced'],
      after: released,
    },
    {
      name: 'it was not sent until its block was as old as it may be',
      given: 'tracked',
      play: (stage) => passes(stage, LIFE),
      told: ['pending'],
    },
    { name: 'it was not sent until its block was too old', given: 'tracked', play: (stage) => passes(stage, LIFE + 1), told: ['expired'] },
  ],
})

/** Answer of a node that has a transaction in a block. @param asked the call, alone or in a batch */
function included(asked: string): string {
  const call: unknown = JSON.parse(asked)
  const answers = (Array.isArray(call) ? call : [call]).map((each) => ({
    jsonrpc: '2.0',
    id: membersOf(each).id,
    result: { final_execution_status: 'INCLUDED' },
  }))
  return JSON.stringify(Array.isArray(call) ? answers : answers[0])
}

/** Lets blocks pass: a node makes 10,000 at a time. */
async function passes(stage: Stage, blocks: number): Promise<void> {
  for (let left = blocks; left > 0; left -= 10_000) await stage.operate('mine', { blocks: Math.min(left, 10_000) })
}

async function waits(stage: Stage): Promise<void> {
  await stage.operate('hold', { on: true })
  await stage.send(stage)
}

async function forgotten(stage: Stage): Promise<void> {
  await waits(stage)
  await stage.operate('drop', { hash: stage.txHash })
  await released(stage)
}

async function released(stage: Stage): Promise<void> {
  await stage.operate('hold', { on: false })
}
