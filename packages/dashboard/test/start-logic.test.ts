import t from 'tap'
import type { Protocol } from '../src/api/protocols.ts'
import type { Sandbox } from '../src/api/sandbox.ts'
import { chainName, choicesOf, suggested, uncheckable, wrongAmount } from '../src/pages/start/choices.ts'
import { programOf } from '../src/pages/start/code.ts'
import { elsewhere } from '../src/pages/start/elsewhere.ts'
import { FAULTS, offeredOf } from '../src/pages/start/faults.ts'
import { sendKnown } from '../src/pages/start/maybe-sent.ts'
import { ownAddress } from '../src/pages/start/own-request.ts'
import { curlOf, type RecordedRequest, recording } from '../src/pages/start/recorder.ts'
import { faultOf, sentHash } from '../src/pages/start/sentences.ts'
import { partsOf, standing } from '../src/pages/start/standing.ts'
import { Far, Late } from '../src/realm/port.ts'

const entries = ['evm-three', 'evm-two', 'hub-two', 'svm-native'].map((name) => ({
  package: `@svc/intent-${name}`,
  plugins: [name],
  script: `intents/${name}.js`,
}))
const input = (name: string, required = true) => ({ name, required, type: 'string', amount: name === 'amount', description: null })
const terms = { chainId: '143', caip2: 'eip155:143', decimals: 18, symbol: 'MON', max_fee: '1', validator_id: 12 }
const network = (id: string, changes = {}) => ({
  network: id,
  name: id,
  caip2: `x:${id}`,
  default: true,
  terms,
  staking_info: null,
  staking_info_age_seconds: null,
  ...changes,
})
const protocol = (name: string, family: string, signer: string, networks: readonly unknown[], action = 'delegate') =>
  ({
    protocol: name,
    path: `/api/v1/${name}/native`,
    title: name,
    family,
    signer,
    symbol: 'MON',
    networks,
    actions: [
      { name: 'withdraw', input: [input(signer)] },
      { name: 'move', input: [input(signer), input('amount'), input('to')] },
      { name: action, path: `/api/v1/${name}/native/action/${action}`, input: [input(signer), input('amount'), input('memo', false)] },
      { name: 'unstake', input: [input(signer), input('amount')] },
    ],
  }) as unknown as Protocol
const { validator_id: _validator, ...elsewhereTerms } = terms
const sandbox = {
  chains: ['evm:143', 'cosmos:celestia', 'svm:devnet'].map((chain) => ({ chain })),
  wallets: [
    { family: 'evm', label: 'Wallet 1', addresses: { 'evm:143': '0x01' }, public_key: null },
    { family: 'evm', label: 'Wallet 2', addresses: { 'evm:143': '0x02' }, public_key: null },
    { family: 'cosmos', label: 'Wallet 1', addresses: { 'cosmos:celestia': 'celestia1' }, public_key: '02aa' },
  ],
  trust: {
    version: 1,
    baseUrl: 'http://127.0.0.1',
    account: 'demo',
    keys: [],
    protocols: [
      { path: '/evm-three/native', networks: [{ default: true, terms }] },
      { path: '/evm-two/native', networks: [{ default: true, terms: { ...elsewhereTerms, pool_id: '0xab' } }] },
    ],
  },
} as unknown as Sandbox

t.test('what is offered is what can be staked, checked and signed', (t) => {
  const protocols = [
    protocol('hub-two', 'cosmos', 'pubkey', [network('celestia')], 'stake'),
    protocol('evm-three', 'evm', 'address', [network('143'), network('9')]),
    protocol('evm-two', 'evm', 'address', [network('143', { terms: null })]),
    protocol('svm-native', 'svm', 'wallet_address', [network('devnet')], 'stake'),
    protocol('a-stranger', 'evm', 'address', [network('143')]),
  ]
  const [celestia, monad, ...others] = choicesOf(protocols, sandbox, entries)
  t.match(monad, { protocolPath: '/api/v1/evm-three/native', entry: { package: '@svc/intent-evm-three' } })
  t.same(uncheckable(protocols, entries), ['a-stranger'])
  t.match(monad, { id: 'evm-three 143', title: 'evm-three, 143', chain: 'evm:143', action: 'delegate', signer: 'address', signs: '0x01' })
  t.match(monad, { address: '0x01', other: '0x02', decimals: 18, symbol: 'MON' })
  t.match(celestia, { title: 'hub-two', signer: 'pubkey', signs: '02aa', address: 'celestia1', other: null, action: 'stake' })
  t.same(others, [], 'no chain, no terms, no wallet or no intent: not offered')
  t.same(
    ['evm:143', 'svm:devnet'].map((chain) => chainName(chain, monad ? [monad] : [])),
    ['MON · evm:143', 'svm:devnet'],
  )
  t.ok(monad && suggested(monad) === '100' && suggested({ ...monad, least: '3200' }) === '3200')
  const above = '100.000000000000000001'
  t.equal(monad && suggested({ ...monad, least: above }), above, 'to the last unit')
  t.same(
    ['', '1,000', '1e3', '-1', '0.000', ' 100.5 '].map((text) => wrongAmount(text) === null),
    [false, false, false, false, false, true],
  )
  t.end()
})

t.test('a program imports the intent that checks here', async (t) => {
  const [first] = choicesOf([protocol('evm-three', 'evm', 'address', [network('143')])], sandbox, entries)
  if (!first) throw new Error('not offered')
  const program = programOf('ask', { ...first, action: 'stake-more' }, '100', 'evmThree')
  t.match(program, "import { evmThree } from '@svc/intent-evm-three'")
  t.match(program, 'svc.chosen.stakeMore({', 'as the client calls it')
  const { evmThree } = await import('@svc/intent-evm-three')
  t.equal(`/api/v1${evmThree.path}`, first.protocolPath)
})

t.test('an error from where the intent runs is told as the client tells it', (t) => {
  const fault = { name: 'MismatchError', message: 'It is not as asked.', refusal: null, txHash: null }
  t.same(faultOf(new Far(fault)), { sentence: 'It is not as asked.', code: null })
  const refusal = { sentence: 'Later.', code: 'LIMITED', retryAfter: 3 }
  const sent = new Far({ ...fault, name: 'RateLimitError', refusal, txHash: '0xab' })
  t.match(faultOf(sent), { sentence: /^Later\. Try again in 3 s\. The transaction 0xab may have been sent: look it up/, code: 'LIMITED' })
  t.same([sentHash(sent), sentHash(new Far(fault)), sentHash(new Error('no'))], ['0xab', null, null])
  t.match(faultOf(new Late('No answer came within 70 s.')), { sentence: /^The intent of this protocol gave no answer/ })
  t.end()
})

t.test('a broadcast that the intent does not tell the end of keeps its hash', async (t) => {
  const ended = async (end: unknown) =>
    sendKnown('0xab', () => Promise.reject(end)).then(
      () => t.fail('it was taken for sent'),
      (error: unknown) => ({ hash: sentHash(error), ...faultOf(error) }),
    )
  for (const end of [
    new Late('No answer came within 70 s.'),
    new Error('The worker was ended.'),
    new TypeError('the hash of a transaction is of another shape.'),
    new DOMException('The page was left.', 'AbortError'),
    'no error at all.',
  ])
    t.match(await ended(end), { hash: '0xab', sentence: / The transaction 0xab may have been sent: look it up before/ }, String(end))
  t.match(await ended(new Late('No answer came within 70 s.')), { sentence: /^The intent of this protocol gave no answer\. No answer/ })
  const refused = new Far({ name: 'SvcError', message: 'It was sent before.', refusal: null, txHash: null })
  t.same(await ended(refused), { hash: null, sentence: 'It was sent before.', code: null }, 'the client knows that nothing has left')
  t.equal(await sendKnown('0xab', async () => '0xcd'), '0xcd')
})

t.test('a request is noted as it left, and can be pasted into a shell', async (t) => {
  const sent: RecordedRequest[] = []
  const answered = async () => new Response('{}')
  const send = recording((each) => sent.push(each), answered)
  await send('http://127.0.0.1/a?b=1')
  await send('http://127.0.0.1/a', { method: 'POST', headers: { 'x-api-key': "k'1", 'x-nonce': 'n' }, body: '{"amount":100}' })
  t.same(sent.map(curlOf), [
    'curl -s http://127.0.0.1/a?b=1',
    `curl -s http://127.0.0.1/a \\\n  -H 'x-api-key: k'\\''1' \\\n  -d '{"amount":100}'`,
  ])
})

t.test('with the page’s key goes what is the protocol’s own, and nothing else', (t) => {
  const base = 'http://127.0.0.1:3000/prefix'
  const asked = (url: string, method = 'POST') => ownAddress({ method, url: url.replace('~', base) }, base, '/api/v1/own/native')
  for (const path of ['~/api/v1/own/native/action/stake', '~/api/v1/own/native/balance?address=x', '~/api/v1/transactions/0xab'])
    t.equal(asked(path), path.replace('~', base))
  t.equal(asked('~/api/v1/transactions/0xab', 'GET'), `${base}/api/v1/transactions/0xab`)
  for (const path of [
    '~/api/v1/apikeys',
    '~/api/v1/own/native',
    '~/api/v1/own/native2/action/stake',
    '~/api/v1/own/native/../../apikeys',
    '~/api/v1/own/native/..%2f..%2fapikeys',
    '~/api/v1/own/native/%2e%2e%5capikeys',
    '~/api/v1/transactionsx/1',
    'http://127.0.0.1:3001/prefix/api/v1/own/native/action/stake',
    'http://127.0.0.1:3000/api/v1/own/native/action/stake',
    'http://evil.test/',
  ])
    t.throws(() => asked(path), /which is none of its protocol’s/, path)
  for (const method of ['DELETE', 'PATCH', 'PUT']) t.throws(() => asked('~/api/v1/own/native/action/stake', method), /none of its/, method)
  t.end()
})

t.test('a position is said by what still has to happen', (t) => {
  const amount = (text: string) => ({ text, units: BigInt(text) })
  const nothing = { staked: amount('0'), activating: null, deactivating: null, withdrawing: null, rewards: null, objects: null }
  t.match(standing(nothing, { ...nothing, activating: amount('100') }, '100', 'MON'), { kind: 'plain', sentence: /^100 MON wait .* epoch/ })
  t.match(standing(nothing, { ...nothing, activating: amount('0'), staked: amount('100') }, '100', 'MON'), {
    kind: 'ok',
    sentence: /active/,
  })
  t.match(standing(null, nothing, '100', 'MON'), { kind: 'plain', sentence: /may need a block/ })
  t.same(partsOf(nothing, { ...nothing, rewards: amount('0') }), ['staked', 'rewards'])
  t.end()
})

t.test('faults are offered in words, and the one that is on is shown', (t) => {
  t.same(offeredOf(null).id, 'none')
  t.same(offeredOf({ kind: 'drop', times: 2 }).id, 'drop')
  for (const { body, id } of FAULTS) t.equal(offeredOf(body).id, id)
  t.end()
})

t.test('another place is agreed to, a term at a time, and nothing else', (t) => {
  const [monad] = choicesOf([protocol('evm-three', 'evm', 'address', [network('143')])], sandbox, entries)
  if (!monad) throw new Error('not offered')
  const [other, ...more] = elsewhere(sandbox.trust, monad, ['not_pinned', 'validator_id'])
  t.same(more, [], 'only what is pinned')
  t.match(other?.protocols[0]?.networks[0]?.terms, { ...terms, validator_id: 13 })
  t.same(other?.protocols[1], sandbox.trust.protocols[1])
  const [two] = elsewhere(sandbox.trust, { ...monad, protocolPath: '/api/v1/evm-two/native' }, ['pool_id'])
  t.match(two?.protocols[1]?.networks[0]?.terms, { pool_id: '0xa1' })
  t.same(two?.protocols[0], sandbox.trust.protocols[0])
  t.same(elsewhere(sandbox.trust, { ...monad, network: '9' }, ['validator_id']), [])
  t.end()
})
