import t from 'tap'
import type { AuditRecord } from '../src/api/audit.ts'
import { againOf, againText } from '../src/pages/activity/again.ts'
import { accountConfig, pluginConfig } from '../src/text/config.ts'
import { mainAmount } from '../src/text/moves.ts'
import { inBrief } from '../src/text/sentence.ts'
import { sample } from './support/records.ts'

const NOW = new Date('2026-11-25T12:00:00.000Z')
/** A transaction of a place, which says what that of place 1 does, with a nonce of its own. */
const alike = (id: string, changes: object = {}) => {
  const { sentence, ...rest } = sample(1, NOW, { id, unsigned_hash: `0x${id}` }) as unknown as AuditRecord
  return {
    ...rest,
    sentence: String(sentence).replace(/nonce of the account is \d+/, `nonce of the account is ${id.length}`),
    ...changes,
  } as AuditRecord
}
const marks = (...rows: readonly AuditRecord[]) => [...againOf(rows)].map(([id, again]) => `${id} ${againText(again)}`)

t.test('the same transaction in a row is marked, each with its place, and none is hidden', async (t) => {
  t.same(marks(alike('c'), alike('bb'), alike('aaa')), ['c 3rd of 3', 'bb 2nd of 3'], 'the first has no mark')
  t.same(marks(alike('a')), [])
  t.same(marks(), [])
  const other = (changes: object) => marks(alike('b', changes), alike('a'))
  for (const changes of [
    { wallet: '0x1' },
    { account: 'beta' },
    { network: '1' },
    { protocol: 'own' },
    { sentence: 'Withdraw the slot 1 on eip155:143; fee at most 1 MON; valid.' },
  ])
    t.same(other(changes), [], JSON.stringify(changes))
  const refused = { sentence: null, unsigned_hash: null }
  t.same(marks(alike('b', refused), alike('a', refused)), [], 'of what was refused nothing can land')
  t.same(marks(alike('e'), alike('d'), alike('x', refused), alike('b'), alike('a')), ['e 2nd of 2', 'b 2nd of 2'], 'in a row')
  t.same(
    [1, 2, 3, 4, 11, 12, 13, 21, 102, 111].map((nth) => againText({ nth, of: 200 }).split(' ')[0]),
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '102nd', '111th'],
  )
})

t.test('a deed in a list leaves out the contract, and the amount where a column has it', async (t) => {
  const contract = '0x0000000000000000000000000000000000001000'
  t.equal(inBrief(`Delegate 25.5 MON to validator 12 through ${contract}`, '25.5 MON'), 'Delegate to validator 12')
  t.equal(inBrief(`Delegate 25.5 MON to validator 12 through ${contract}`, null), 'Delegate 25.5 MON to validator 12')
  t.equal(
    inBrief(`Delegate 25.5 MON to validator 12 through ${contract}`, '5.5 MON'),
    'Delegate 25.5 MON to validator 12',
    'of another amount nothing',
  )
  const vault = '0xac0f906e433d58fa868f936e8a43230473652885'
  t.equal(
    inBrief(`Stake 2.5 ETH in the vault ${vault} for ${contract}`, '2.5 ETH'),
    'Stake in the vault for 0x0000…1000',
    'whoever gets it stays',
  )
  t.equal(inBrief(`Send 1 MON to ${contract}, a plain transfer`, null), 'Send 1 MON to 0x0000…1000, a plain transfer')
})

t.test('of what a transaction moves the list shows what leaves, else what is freed, staked or arrives', async (t) => {
  const token = { decimals: 2, symbol: 'TOY' }
  const move = (kind: 'leaves' | 'staked' | 'freed' | 'arrives', amount: string | null, asset = 'native') => ({ kind, asset, amount })
  t.equal(mainAmount([move('arrives', '1'), move('staked', '150'), move('leaves', '151')], token), '1.51')
  t.equal(mainAmount([move('staked', '150'), move('freed', '7')], token), '0.07')
  t.equal(mainAmount([move('leaves', '9', '0xabc'), move('arrives', '1')], token), '0.01', 'of another token nobody knows the decimals')
  t.equal(mainAmount([move('leaves', null), move('staked', '2')], token), '0.02')
  t.equal(mainAmount([move('arrives', null)], token), null)
  t.equal(mainAmount(null, token), null)
  t.equal(mainAmount([move('leaves', '1')], null), null, 'without decimals it is not guessed')
})

t.test('what enables a protocol is a sample that names none', async (t) => {
  const { plugins } = JSON.parse(`{${pluginConfig()}}`)
  t.match(plugins, { '@acme/plugin-own': { networks: { '1': { name: 'mainnet', endpoints: { rpc: [/^https:/] } } } } })
  t.match(pluginConfig(), '{ "rpc": ["https://rpc.example.com"] }', 'what fits on a line stands on one')
  const { acme } = JSON.parse(`{${accountConfig('acme', 'A "name"')}}`).accounts
  t.match(acme, { name: 'A "name"', plugins: { '@acme/plugin-own': { networks: { '1': { validator: String } } } } })
})
