import t from 'tap'
import { worded } from '../src/intent/index.ts'

const toy = { decimals: 3, symbol: 'TOY' }
const said = (path: string, expected: string, found: string, nativeArguments?: readonly string[]) => {
  const words = worded({ path, expected, found }, toy, nativeArguments ? { nativeArguments } : undefined)
  return `${words.path}: ${words.expected} | ${words.found}`
}

t.test('what is an amount of the native token is said in whole tokens, and nothing else', async (t) => {
  t.equal(said('maxFee', 'at most 500', '12500'), 'maxFee: at most 0.5 TOY | 12.5 TOY')
  t.equal(said('calls[0].value', '100000', '0'), 'calls[0].value: 100 TOY | 0 TOY')
  t.equal(said('calls[1].args.amount', '100000', 'nothing', ['amount']), 'calls[1].args.amount: 100 TOY | nothing')
  t.equal(said('calls[1].args.amounts[2]', '1', '2', ['amounts']), 'calls[1].args.amounts[2]: 0.001 TOY | 0.002 TOY')
  t.equal(said('calls[1].args.amount', '100000', '1'), 'calls[1].args.amount: 100000 | 1', 'which nobody calls native')
  t.equal(said('calls[1].args.shares', '100000', '1', ['amount']), 'calls[1].args.shares: 100000 | 1')
  t.equal(said('terms.gasLimit', '100000', '1', ['gasLimit']), 'terms.gasLimit: 100000 | 1')
  t.equal(said('calls[0].args.amount', 'unknown 12', '0x12', ['amount']), 'calls[0].args.amount: unknown 12 | 0x12')
})
