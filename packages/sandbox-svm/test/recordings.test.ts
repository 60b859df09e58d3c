import { recordings } from '@svc/testing/recordings'
import { svmKey } from '@svc/testing/svm-message'
import { svmPoolQuestions } from '@svc/testing/svm-pool-questions'
import { askSvm, prepareSvm, svmQuestions } from '@svc/testing/svm-questions'
import t from 'tap'
import { startSvmChain } from '../src/index.ts'
import { differenceOf, explainedIn } from './support-differences.ts'

/** Where the stand-in answers otherwise than the recorded validator: each line, as `-` recorded and `+` of the stand-in. The README says why. */
const EXPLAINED: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ['simulate', 'simulate-unsigned', 'simulate-replace', 'simulate-no-funds', 'simulate-accounts'].map((name) => [
      name,
      ['- .result.value.loadedAccountsDataSize: 213', '+ .result.value.loadedAccountsDataSize: 206'],
    ]),
  ),
  'simulate-below-rent': ['- .result.value.loadedAccountsDataSize: 149', '+ .result.value.loadedAccountsDataSize: 142'],
  'send-no-funds': ['- .error.data.loadedAccountsDataSize: 213', '+ .error.data.loadedAccountsDataSize: 206'],
  'send-below-rent': ['- .error.data.loadedAccountsDataSize: 149', '+ .error.data.loadedAccountsDataSize: 142'],
}
/** Blocks until what was sent is final, and some more. */
const FINAL_BLOCKS = 40

t.test('the stand-in answers as a validator did, but where the README says otherwise', async (t) => {
  const chain = await startSvmChain({ chainId: 'localnet' })
  t.teardown(() => chain.close())
  const payer = svmKey('payer')
  await chain.fund(payer.address, '500000000')
  const { vote } = await chain.createValidator({ name: 'operator', commissionBps: 500 })
  const settle = async () => void (await chain.mine(FINAL_BLOCKS))
  const facts = await prepareSvm({ url: chain.rpcUrl, payer, vote, settle })
  const recorded = recordings('solana')
  const differences: Record<string, readonly string[]> = {}
  for (const { name, http, body } of svmQuestions) {
    const answer = await askSvm(chain.rpcUrl, { http, ...(body ? { body: body(facts) } : {}) })
    const differing = differenceOf(recorded.get(name)?.response, answer, name)
    if (differing.length > 0) differences[name] = differing
  }
  t.same(differences, EXPLAINED)
  const asked = [...svmQuestions, ...svmPoolQuestions].map(({ name }) => name)
  t.same([...recorded.keys()].sort(), asked.sort(), 'every recording is asked about')
})

t.test('the README explains each difference, and nothing that is none', async (t) => {
  t.same(explainedIn('## The stand-in against a validator'), Object.keys(EXPLAINED).sort())
})
