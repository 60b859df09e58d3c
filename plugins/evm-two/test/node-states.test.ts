import { evmFamily } from '@svc/conformance/evm'
import { membersOf } from '@svc/contract'
import { recording } from '@svc/testing/recordings'
import t from 'tap'

/** Question of a recording in the words of a liar, and what was answered. */
function recorded(name: string) {
  const { request, response } = recording('geth', name)
  const { method, params } = membersOf(request.body)
  const { result, error } = membersOf(response.body)
  return { question: JSON.stringify([method, params]), answer: error === undefined ? { result } : { error } }
}

/** An answer of a node that is well, which the state has to change. */
const WELL = JSON.stringify({ jsonrpc: '2.0', result: { hash: '0x00' } })

for (const [state, names] of [
  ['unindexed', ['tx-not-indexed', 'receipt-not-indexed']],
  ['restarted', ['block-finalized-none', 'count-finalized-none']],
] as const)
  t.test(`a node that is ${state} answers in conformance as a real one did`, async (t) => {
    const how = evmFamily.life?.[state]
    if (typeof how !== 'function') throw new TypeError(`no node is ${state}`)
    for (const name of names) {
      const { question, answer } = recorded(name)
      const { jsonrpc: _, ...told } = membersOf(JSON.parse(how(question, WELL)))
      t.same(told, answer, name)
    }
    t.equal(how(JSON.stringify(['eth_chainId', []]), WELL), WELL, 'and anything else as it was')
  })
