import t from 'tap'
import { evm } from '../src/evm/index.ts'
import { type ActionIntent, defineIntent, explain, type NetworkTerms, text } from '../src/intent/index.ts'
import type { Call } from '../src/types.ts'
import { transactions } from './support/vectors.ts'

const [, delegate] = transactions
if (!delegate) throw new Error('the second vector delegates')
const { craft, call, chainId } = delegate

/** Promises the one call of a transaction, whatever it is. */
const anything: ActionIntent<object, { readonly address: typeof text }, { readonly calls: readonly Call[] }> = {
  input: { address: text },
  effects: (_terms, { address }, { calls }) => ({ signers: [address], calls }),
  factsOf: ({ calls }) => ({ facts: { calls }, claimed: [] }),
  requestOf: (_decoded, address) => ({ address }),
}

const intent = defineIntent<Readonly<Record<never, never>>, Record<string, typeof anything>>({
  family: evm,
  path: '/toy/native',
  terms: {},
  actions: { anything },
  layouts: () => ({ methods: [call.method] }),
  describe: ({ method, value }) =>
    method === call.method ? { text: 'delegate some', moves: [{ kind: 'leaves', asset: 'native', amount: value }] } : null,
})
const terms: NetworkTerms = { chainId, caip2: `eip155:${chainId}`, decimals: 18, symbol: 'MON', max_fee: '1' }

t.test('a transaction is put into words by an intent', async (t) => {
  const read = await explain(intent, terms, craft.serialized_tx_hex)
  t.match(read.sentence, /^Delegate some on eip155:\d+; fee at most [\d.]+ MON; valid while the nonce of the account is \d+\.$/)
  t.equal(read.validity, `valid while the nonce of the account is ${read.decoded.terms.nonce}`)
  t.strictSame(read.moves, [{ kind: 'leaves', asset: 'native', amount: BigInt(call.value) }])
  t.equal(read.known, true)
  t.equal((await explain({ ...intent, actions: {} }, terms, craft.serialized_tx_hex)).known, false, 'what no action makes is not known')
})

t.test('what the intent does not know is said, and known is false', async (t) => {
  const read = await explain({ ...intent, layouts: () => ({}) }, terms, craft.serialized_tx_hex)
  t.match(read.sentence, /^Make a call that this protocol does not know, unknown 0x/)
  t.equal(read.known, false)
})

t.test('a transaction for another chain is refused, since the sentence would name the wrong one', async (t) => {
  const message = `the transaction is for the chain ${chainId}; it must be for 5`
  await t.rejects(explain(intent, { ...terms, chainId: '5' }, craft.serialized_tx_hex), { code: 'DECODE_FAILED', message })
})

t.test('a family that reads answers only says so', async (t) => {
  const { explain: _none, ...family } = evm
  const message = 'transactions of the family evm can be read only as the answer to a craft'
  await t.rejects(explain({ ...intent, family }, terms, craft.serialized_tx_hex), { code: 'DECODE_FAILED', message })
})
