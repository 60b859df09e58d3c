import type { AnyProtocol } from '@svc/contract/host'
import { memoryLog } from '@svc/testing/paper'
import t from 'tap'
import { agreementOf, assertGroups, oneOperator, parseConfig } from '../../src/index.ts'
import type { NetworkSettings } from '../../src/plugins/services.ts'
import { operatorOf } from '../../src/rpc/operators.ts'
import { createUpstreams } from '../../src/rpc/upstreams.ts'

const PLUGIN = '@svc/plugin-example'
const protocol = (agrees: boolean) => ({ kit: { endpoints: 'rpc', family: 'EXAMPLE', agrees } }) as unknown as AnyProtocol
const network = { chainId: '7', name: 'main', path: `plugins.${PLUGIN}.networks.7`, settings: {} } as NetworkSettings
const configOf = (rpc: readonly string[], more: object = { agreement: 2 }) =>
  parseConfig({ plugins: { [PLUGIN]: { networks: { '7': { name: 'main', endpoints: { rpc }, ...more } } } }, accounts: {} })

t.test('two endpoints have to be named where two have to agree, and a family has to be able to compare them', (t) => {
  const two = ['https://a.example.org', 'https://b.example.com']
  t.equal(agreementOf(configOf(two), PLUGIN, '7'), 2)
  t.equal(agreementOf(configOf(two, {}), PLUGIN, '7'), 1)
  assertGroups(configOf(two), PLUGIN, protocol(true), network)
  assertGroups(configOf(two.slice(1), { agreement: 1 }), PLUGIN, protocol(false), network)
  t.throws(() => assertGroups(configOf(two.slice(1)), PLUGIN, protocol(true), network), {
    code: 'SETTINGS_INVALID',
    message: `plugins.${PLUGIN}.networks.7.agreement is 2, and endpoints.rpc names one endpoint; name another one, of another operator.`,
  })
  t.throws(() => assertGroups(configOf(two), PLUGIN, protocol(false), network), {
    code: 'SETTINGS_INVALID',
    message: `plugins.${PLUGIN}.networks.7.agreement is 2, and the family EXAMPLE cannot compare what two endpoints say; take the setting out.`,
  })
  for (const wrong of [0, 3, 1.5, '2', true]) t.throws(() => configOf(two, { agreement: wrong }), /agreement/, String(wrong))
  t.throws(() => configOf(two, { hedge: 'no' }), /hedge/)
  t.end()
})

t.test('endpoints of one operator are warned of once, where two have to agree', (t) => {
  const one = ['https://eu.rpc.example.org/key', 'https://us.rpc.example.org/key']
  const warning = oneOperator(configOf(one), PLUGIN, protocol(true), '7')
  t.match(warning, /agreement is 2, and all of endpoints\.rpc are of example\.org: .*Name one of another operator\.$/)
  t.notMatch(warning, /key/)
  t.equal(oneOperator(configOf(one, {}), PLUGIN, protocol(true), '7'), null)
  t.equal(oneOperator(configOf([...one, 'https://rpc.example.com']), PLUGIN, protocol(true), '7'), null)

  const log = memoryLog()
  const upstreams = createUpstreams({ config: configOf(one), log })
  upstreams.assertGroups(PLUGIN, protocol(true), network)
  upstreams.assertGroups(PLUGIN, protocol(true), network)
  t.match(log.lines, [{ level: 'warn', details: { upstream: 'example 7 rpc' }, message: warning }])
  t.equal(log.lines.length, 1)
  t.equal(upstreams.upstream(PLUGIN, '7', 'rpc').agreement, 2)
  upstreams.close()
  t.end()
})

t.test('an operator is known by the name that somebody registered', (t) => {
  for (const [host, operator] of [
    ['rpc.example.org', 'example.org'],
    ['example.org:8545', 'example.org'],
    ['a.b.EXAMPLE.org.', 'example.org'],
    ['rpc.example.co.uk', 'example.co.uk'],
    ['rpc.example.com.au:443', 'example.com.au'],
    ['rpc.ankr.com', 'ankr.com'],
    ['rpc.abc.com', 'abc.com'],
    ['rpc.abcd.uk', 'abcd.uk'],
    ['node.company.io', 'company.io'],
    ['localhost:3000', 'localhost'],
    ['10.1.2.3:8545', '10.1.2.3'],
    ['10.1.2.4', '10.1.2.4'],
    ['[2001:db8::1]:8545', '[2001:db8::1]'],
    ['[2001:db8::1]', '[2001:db8::1]'],
  ] as const)
    t.equal(operatorOf(host), operator, host)
  t.end()
})
