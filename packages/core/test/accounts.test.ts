import t from 'tap'
import { createAccounts } from '../src/index.ts'

const network = (name: string, settings: object = {}) => ({ name, endpoints: { rpc: ['http://x.invalid'] }, ...settings })
const config = {
  plugins: {
    p: { networks: { 1: network('one', { validator_id: 1, ink: 'blue' }), 2: network('two', { validator_id: 2 }) } },
    q: { networks: { 1: network('one') } },
  },
  accounts: {
    all: { name: 'All' },
    none: { name: 'None', plugins: {} },
    some: { name: 'Some', plugins: { p: { networks: { 2: {} } } } },
    own: { name: 'Own', plugins: { p: { networks: { 1: { validator_id: 7 }, 2: {} } } } },
    empty: { name: 'Empty', plugins: { p: { networks: {} } } },
    any: { name: 'Any', broadcast: 'any' },
  },
} as const
const accounts = createAccounts(config)

t.test('an account that names no plugins uses all, one that names some uses those', async (t) => {
  t.same(
    Object.keys(config.accounts).map((account) => [account, accounts.allows(account, 'p'), accounts.allows(account, 'q')]),
    [
      ['all', true, true],
      ['none', false, false],
      ['some', true, false],
      ['own', true, false],
      ['empty', false, false],
      ['any', true, true],
    ],
  )
  t.same(accounts.ids, Object.keys(config.accounts))
})

t.test('an account that says nothing has known transactions sent alone', async (t) => {
  t.same([accounts.sends('all'), accounts.sends('any'), accounts.sends('__proto__')], ['known', 'any', 'known'])
})

t.test('names of the prototype are not accounts', async (t) => {
  for (const name of ['constructor', 'toString', '__proto__']) t.notOk(accounts.has(name))
  t.ok(accounts.has('all'))
})

t.test('an account that changes nothing shares the network of the operator, and one that changes something gets its own', async (t) => {
  const of = (account: string, chain: string) => accounts.network(account, 'p', chain)
  t.equal(of('all', '2'), of('some', '2'), 'the same object, hence the same snapshot')
  t.equal(of('all', '2'), of('own', '2'))
  t.not(of('all', '1'), of('own', '1'))
  t.match(of('own', '1'), {
    chainId: '1',
    name: 'one',
    path: 'accounts.own.plugins.p.networks.1',
    settings: { validator_id: 7, ink: 'blue' },
  })
  t.match(of('all', '1'), { path: 'plugins.p.networks.1', settings: { validator_id: 1, ink: 'blue' } })
  t.notOk('endpoints' in of('all', '1').settings, 'endpoints are not a setting of a plugin')
})

t.test('every distinct network of a plugin is announced once', async (t) => {
  t.same(
    accounts.all('p').map(({ path }) => path),
    ['plugins.p.networks.1', 'plugins.p.networks.2', 'accounts.own.plugins.p.networks.1'],
  )
  t.same(accounts.all('nothing'), [])
})

t.test('what is not enabled is refused with what is', async (t) => {
  t.throws(() => accounts.network('some', 'p', '1'), {
    statusCode: 400,
    code: 'NETWORK_NOT_ENABLED',
    message: 'X-NETWORK "1" is not enabled for this account; enabled: 2.',
  })
  t.throws(() => accounts.network('all', 'p', 'constructor'), { code: 'NETWORK_NOT_ENABLED' })
})
