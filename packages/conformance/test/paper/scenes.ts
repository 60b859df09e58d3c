import type { FamilyLife } from '../../src/index.ts'
import { fromHex } from './wire.ts'

async function call(rpcUrl: string, method: string, params: readonly string[]): Promise<unknown> {
  const response = await fetch(rpcUrl, { method: 'POST', body: JSON.stringify({ method, params }) })
  return ((await response.json()) as { result: unknown }).result
}

/** What becomes of transactions on paper. */
export const paperScenes: FamilyLife = {
  async send(rpcUrl, { signed_hex }) {
    const said = String(await call(rpcUrl, 'submit', [fromHex(String(signed_hex))]))
    if (said.startsWith('refused')) throw new TypeError(said)
  },
  has: async (rpcUrl, txHash) => (await call(rpcUrl, 'landed', [txHash])) === true,
  pruned(question, answer) {
    const { method } = JSON.parse(question) as { method: string }
    const nothing: Readonly<Record<string, string>> = { record: 'none', used: 'nobody' }
    return method in nothing ? JSON.stringify({ result: nothing[method] }) : answer
  },
  loss: {
    sends: /"method":"submit"/,
    showsWaiting: () => true,
    before: async (stage) => void (await stage.another()),
    taken: (txHash) => ({ type: 'application/json', body: Buffer.from(JSON.stringify({ result: txHash })) }),
    drop: async () => undefined,
    spoil: async (stage) => stage.send(await stage.another()),
    end: 'replaced',
    after: async () => undefined,
  },
  scenes: [
    { name: 'it was sent', given: 'broadcast', play: (stage) => stage.placed(stage), told: ['final'] },
    { name: 'it was sent by others', given: 'tracked', play: (stage) => stage.send(stage), told: ['final'] },
    { name: 'it was not sent', given: 'tracked', play: async () => undefined, told: ['pending'] },
    { name: 'nobody knows it', given: 'hash', play: async () => undefined, told: ['unknown'] },
    {
      name: 'another used its sequence',
      given: 'tracked',
      before: async (stage) => void (await stage.another()),
      play: async (stage) => stage.send(await stage.another()),
      told: ['replaced'],
    },
  ],
}
