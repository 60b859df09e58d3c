import { cosmosFamily } from '@svc/conformance/cosmos'
import { membersOf } from '@svc/contract'
import { type RecordedNode, recording } from '@svc/testing/recordings'
import t from 'tap'

const family = cosmosFamily({ prefix: 'cosmos', denom: 'uatom', algorithm: 'secp256k1', chainId: 'cosmoshub-4' })

/** Question of a recording in the words of a liar, and what was answered. */
function recorded(node: RecordedNode, name: string) {
  const { request, response } = recording(node, name)
  const { method, params } = membersOf(request.body)
  const { result, error } = membersOf(response.body)
  return { question: JSON.stringify([method, params]), answer: error === undefined ? { result } : { error } }
}

/** An answer of a node that is well, which the state has to change. */
const WELL = JSON.stringify({ jsonrpc: '2.0', result: { hash: '0x00' } })

for (const [state, node, names] of [
  ['unindexed', 'celestia', ['tx-unknown-hash', 'tx-search-none']],
  ['restarted', 'hub', ['unconfirmed-txs']],
] as const)
  t.test(`a node that is ${state} answers in conformance as a real one did`, async (t) => {
    const how = family.life?.[state]
    if (typeof how !== 'function') throw new TypeError(`no node is ${state}`)
    for (const name of names) {
      const { question, answer } = recorded(node, name)
      const { jsonrpc: _, ...told } = membersOf(JSON.parse(how(question, WELL)))
      t.same(told, answer, name)
    }
    t.equal(how(JSON.stringify(['abci_info', []]), WELL), WELL, 'and anything else as it was')
  })

t.test('a node without peers answers a broadcast in conformance, and shows its pool, as a real one did', async (t) => {
  const { question, answer } = recorded('hub', 'broadcast-accepted')
  const { txs, ...pool } = membersOf(membersOf(recorded('hub', 'unconfirmed-txs-one').answer).result)
  const [bytes = ''] = txs as readonly string[]
  const { result } = membersOf(answer)
  const deaf = family.life?.loss?.deaf
  if (typeof deaf !== 'function') throw new TypeError('no node is without peers')
  const node = deaf({
    txHash: String(membersOf(result).hash),
    body: { signed_tx_hex: Buffer.from(bytes, 'base64').toString('hex') },
  })
  const ofPool = () => node(JSON.stringify(['unconfirmed_txs', {}]), WELL)
  t.equal(ofPool(), WELL, 'before it has taken one, its pool is what it was')
  t.same(membersOf(JSON.parse(node(question, ''))).result, result)
  t.same(membersOf(JSON.parse(ofPool())).result, { ...pool, txs: [bytes] })
})
