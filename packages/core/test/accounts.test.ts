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

t.test('a network is found by its CAIP-2 name too, and by none that two of an account share', async (t) => {
  const named = createAccounts(config)
  const of = (account: string, chain: string) => named.network(account, 'p', chain)
  for (const network of named.all('p')) named.announce(network, `paper:${network.chainId}`)
  t.equal(of('all', 'paper:2'), of('all', '2'))
  t.equal(of('own', 'paper:1'), of('own', '1'), 'an account with settings of its own gets these')
  t.throws(() => of('some', 'paper:1'), { code: 'NETWORK_NOT_ENABLED' }, 'one that is not enabled for the account')
  for (const name of ['paper:3', 'paper', ':1', 'PAPER:1', '']) t.throws(() => of('all', name), { code: 'NETWORK_NOT_ENABLED' }, name)
  for (const network of named.all('p')) named.announce(network, 'paper:same')
  t.throws(() => of('all', 'paper:same'), { code: 'NETWORK_NOT_ENABLED' })
  t.equal(of('some', 'paper:same'), of('some', '2'), 'the only one of its account')
  named.announce(of('all', '1'), '2')
  t.equal(of('all', '2').chainId, '2', 'a chain id comes before a name')
})
