import t from 'tap'
import { isOld, meaningOf, worstOf } from '../src/pages/protocols/condition-words.ts'
import { beginning, bodyText, curlLine, missing } from '../src/pages/protocols/curl.ts'
import { infoText, minutesText, roundedPercent, termName, termsAsJson, termsInOrder } from '../src/pages/protocols/words.ts'

const member = { type: 'string', required: true, amount: false, description: null } as const
const INPUT = [
  { ...member, name: 'address' },
  { ...member, name: 'amount', type: 'number', amount: true },
  { ...member, name: 'withdrawId', type: 'integer' },
  { ...member, name: 'sign', type: 'boolean', required: false },
] as const

t.test('waits lose no minute', async (t) => {
  t.equal(minutesText(0), 'at once')
  t.equal(minutesText(30_240), '21\u00a0days')
  t.equal(minutesText(1501), '1\u00a0day 1\u00a0h 1\u00a0min')
  t.equal(minutesText(7.5), '7.5\u00a0min')
})

t.test('rates and amounts have every digit that the service gave', async (t) => {
  t.equal(infoText(14.1911989357, 'percent'), '14.1911989357\u00a0%')
  t.equal(infoText('0.0000001', 'percent'), '0.0000001\u00a0%')
  t.equal(roundedPercent(14.1911989357), '14.19\u00a0%', 'a list has two decimals')
  t.equal(infoText('3450031.05', 'dollars'), 'US$\u00a03,450,031.05')
})

t.test('what a stake goes to is told in words, and the one that needs attention stands for all', async (t) => {
  const active = { kind: 'validator', id: '12', state: 'active', reason: null, commission_percent: 10, terms: [] } as const
  const jailed = { ...active, id: '13', state: 'jailed', reason: 'is jailed', commission_percent: null } as const
  const paused = { ...active, kind: 'pool', id: '14', state: 'paused', reason: 'is paused' } as const
  t.equal(meaningOf(active), 'Stake is taken, and earns. It keeps 10\u00a0% of the rewards.')
  t.equal(meaningOf(jailed), 'It is jailed. Stake is refused. What is staked there can leave.')
  t.equal(meaningOf(paused), 'It is paused. Stake is refused. What is staked goes on as before. It keeps 10\u00a0% of the rewards.')
  const terms = [
    { name: 'owner', value: '0xB', accepted: false },
    { name: 'admin', value: '0xA', accepted: true },
    { name: 'approver', value: null, accepted: false },
  ]
  t.equal(
    meaningOf({ ...active, terms }),
    'Stake is refused until the operator of the service accepts who may change it: owner 0xB, approver nobody. What is staked there can leave. It keeps 10\u00a0% of the rewards.',
  )
  t.match(meaningOf({ ...jailed, terms }), /^It is jailed\. Stake is refused\./)
  t.equal(worstOf([active, paused, jailed]), jailed)
  t.equal(worstOf([active, paused]), paused)
  t.equal(worstOf([active]), active)
  t.equal(worstOf(null), null)
  const ages = [null, 0, 900, 901, 3600]
  t.same(
    ages.map((age) => isOld(age, 300)),
    [false, false, false, true, true],
  )
  t.same(
    ages.map((age) => isOld(age, 7200)),
    ages.map(() => false),
    'by its own interval',
  )
  t.same([isOld(176_400, 172_800), isOld(176_401, 172_800)], [false, true], 'and an hour over one of days')
})

t.test('terms begin with whom a stake goes to, and a plugin of a stranger has its own', async (t) => {
  const terms = { chainId: '143', caip2: 'eip155:143', decimals: 18, symbol: 'MON', max_fee: '1', own_term: 'x', validator_id: 12 }
  t.same(
    termsInOrder(terms, ['validator_id']).map(([name]) => name),
    ['validator_id', 'own_term', 'max_fee', 'chainId', 'caip2', 'symbol', 'decimals'],
    'the protocol’s own first, then what another plugin has besides, then the network’s',
  )
  t.equal(termName('max_fee'), 'Fee at most')
  t.equal(termName('own_term'), 'Own term')
  t.same(JSON.parse(termsAsJson(true, terms)), { default: true, terms })
})

t.test('the line asks for what was typed, digit by digit, whatever it is', async (t) => {
  const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  const values = { address, amount: ' 100.000000000000000001 ', withdrawId: '7' }
  t.equal(bodyText(INPUT, values), `{"address": "${address}", "amount": 100.000000000000000001, "withdrawId": 7}`)
  t.equal(bodyText(INPUT, { amount: '1e3' }), '{"address": "<address>", "amount": "1e3", "withdrawId": "<withdrawId>"}')
  t.equal(bodyText(INPUT.slice(3), { sign: 'true' }), '{"sign": true}')
  t.equal(bodyText(INPUT.slice(0, 1), { address: '7' }), '{"address": "7"}', 'a text of digits is a text')
  t.same(missing(INPUT, values), [])
  t.same(missing(INPUT, { amount: ' ' }), ['address', 'amount', 'withdrawId'])
  const asked = { address: 'https://stake.test/api', network: '143', apiKey: null, action: { input: INPUT } }
  const line = curlLine({ ...asked, values: { ...values, address: "it's; $(rm -rf /)" } })
  t.match(line, `-d '{"address": "it'\\''s; $(rm -rf /)", `, 'a shell runs none of it')
  t.match(line, '-H "X-API-KEY: $SVC_API_KEY"', 'no key is written out')
  t.match(curlLine({ ...asked, apiKey: 'svc_1', values }), "-H 'X-API-KEY: svc_1'")
})

t.test('in a sandbox the line works as it stands', async (t) => {
  const wallet = { family: 'cosmos', addresses: { 'cosmos:celestia': 'celestia1x' }, public_key: '02ab' }
  const evm = { family: 'evm', addresses: { 'evm:143': '0xf39F' }, public_key: null }
  const sandbox = { wallets: [wallet, evm], api_key: 'svc_1' }
  const network = (name: string, least: string | null) => ({ network: name, staking_info: { min_stake_amount: least } as never })
  const action = { input: INPUT }
  t.same(beginning({ family: 'cosmos', signer: 'pubkey' }, network('celestia', '0.000001'), action, sandbox), {
    pubkey: '02ab',
    amount: '1',
  })
  t.same(beginning({ family: 'evm', signer: 'address' }, network('143', '100'), action, sandbox), { address: '0xf39F', amount: '100' })
  t.same(beginning({ family: 'evm', signer: 'address' }, network('143', null), action, undefined), {}, 'elsewhere nobody is named')
})
