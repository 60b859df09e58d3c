// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a config's texts name variables of the environment in this form
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { configProblems } from '../src/config/load.ts'
import { loadConfig, parseConfig } from '../src/index.ts'

const network = { name: 'one', endpoints: { rpc: ['https://node.example/key'] } }
const minimal = { plugins: { p: { networks: { 1: network, 2: network } } }, accounts: { acme: { name: 'Acme' } } }

t.test('what may be left out has its default', async (t) => {
  t.match(parseConfig(minimal, {}), {
    listen: { host: '127.0.0.1', port: 3000 },
    trusted_proxies: [],
    limits: { key_per_minute: 200, address_per_minute: 60, body_bytes: 327_680 },
    upstream: { timeout_ms: 5000, deadline_ms: 12_000 },
    data_dir: '.svc',
    log_level: 'info',
  })
  t.equal(parseConfig(minimal, { PORT: '8081' }).listen.port, 8081, 'as hosts of programs say it')
  t.match(parseConfig({ ...minimal, listen: { host: '0.0.0.0' } }, { PORT: '65535' }).listen, { host: '0.0.0.0', port: 65_535 })
  t.equal(parseConfig({ ...minimal, listen: { port: 8080 } }, { PORT: 'none' }).listen.port, 8080, 'the config counts before it')
  for (const PORT of ['none', '65536', '-1', '80 ', '1e3'])
    t.throws(
      () => parseConfig(minimal, { PORT }),
      { name: 'SettingsError', message: `PORT of the environment is ${JSON.stringify(PORT)}; it must be a number` },
      PORT,
    )
  t.match(parseConfig({ ...minimal, listen: { port: 8080 }, limits: { key_per_minute: 5 } }, {}), {
    listen: { host: '127.0.0.1', port: 8080 },
    limits: { key_per_minute: 5, address_per_minute: 60 },
  })
})

t.test("a plugin's own settings pass as they are, and what was given is left alone", async (t) => {
  const given = { ...minimal, plugins: { p: { networks: { 1: { ...network, validator_id: 12, deep: { a: [1] } } } } } }
  const copy = structuredClone(given)
  t.match(parseConfig(given, {}).plugins.p?.networks[1], { validator_id: 12, deep: { a: [1] } })
  t.same(given, copy)
})

t.test('what does not fit is one sentence with its path and what would be right', async (t) => {
  const cases: [object, string | RegExp][] = [
    [{ acounts: {} }, /^acounts: there is no such setting\. Known here: listen, plugins, accounts/],
    [{ listen: { port: 70_000 } }, 'listen.port: must be <= 65535, but it is 70000.'],
    [{ listen: { prot: 1 } }, 'listen.prot: there is no such setting. Known here: host, port.'],
    [{ limits: { key_per_minute: 0 } }, 'limits.key_per_minute: must be >= 1, but it is 0.'],
    [{ log_level: 'loud' }, /^log_level: must be equal to one of the allowed values.*but it is "loud"\.$/],
    [{ accounts: { 'Not an id': { name: 'x' } } }, /^accounts\.Not an id: an account's id is 1 to 63 small letters/],
    [
      { accounts: { Acme: { name: 'x', nmae: 'x' } } },
      'accounts.Acme.nmae: there is no such setting. Known here: name, max_keys, broadcast, own_addresses, plugins.',
    ],
    [{ accounts: { acme: { name: 'A', broadcast: 'all' } } }, /^accounts\.acme\.broadcast: .*"all"/],
    [{ accounts: { acme: { name: '' } } }, /^accounts\.acme\.name: .*but it is ""\.$/],
    [
      { accounts: { acme: { name: 'A', pluggins: {} } } },
      'accounts.acme.pluggins: there is no such setting. Known here: name, max_keys, broadcast, own_addresses, plugins.',
    ],
    [{ plugins: { p: { networks: {} } } }, 'plugins.p.networks is empty; name at least one network, or leave the plugin out.'],
    [{ plugins: { p: { networks: { 1: { endpoints: {} } } } } }, /^plugins\.p\.networks\.1: name is missing/],
    [{ plugins: { p: { networks: { 1: { name: 'one' } } } } }, /^plugins\.p\.networks\.1: endpoints is missing/],
    [
      { plugins: { p: { networks: { 1: { ...network, endpoints: { rpc: [] } } } } } },
      /^plugins\.p\.networks\.1\.endpoints\.rpc: must not have fewer than 1 items/,
    ],
    [
      { plugins: { p: { ...minimal.plugins.p, default_network: '3' } } },
      'plugins.p.default_network: "3" is not configured; known here: 1, 2.',
    ],
    [{ accounts: { acme: { name: 'A', plugins: { q: {} } } } }, 'accounts.acme.plugins.q: "q" is not configured; known here: p.'],
    [
      { accounts: { acme: { name: 'A', plugins: { p: { networks: { 3: {} } } } } } },
      'accounts.acme.plugins.p.networks.3: "3" is not configured; known here: 1, 2.',
    ],
    [
      { accounts: { acme: { name: 'A', plugins: { p: { networks: { 1: {} }, default_network: '2' } } } } },
      'accounts.acme.plugins.p.default_network: "2" is not configured; known here: 1.',
    ],
    [{ trusted_proxies: ['10.0.0.0/8', 'proxy.example'] }, /^trusted_proxies\.1: "proxy\.example" is not an address such as 10\.0\.0\.5/],
    [{ trusted_proxies: ['10.0.0.0/33'] }, /^trusted_proxies\.0: /],
    [{ trusted_proxies: ['10.0.0.5/'] }, /^trusted_proxies\.0: /],
  ]
  for (const [change, message] of cases) {
    const given = { ...minimal, ...change }
    t.throws(() => parseConfig(given, {}), { name: 'SettingsError', code: 'SETTINGS_INVALID', message }, JSON.stringify(change))
    t.match(configProblems(given, {}), [message], 'and the list of all problems has it')
  }
  t.throws(() => parseConfig({ plugins: {} }, {}), { message: /^the whole: accounts is missing\. Known here: listen, plugins, accounts/ })
  t.throws(() => parseConfig({ accounts: {} }, {}), { message: /^the whole: plugins is missing/ })
  for (const whole of [null, [], 'text', 7]) t.throws(() => parseConfig(whole, {}), { name: 'SettingsError' }, JSON.stringify(whole))
})

t.test('several things that do not fit are listed, one sentence each', async (t) => {
  const given = { ...minimal, log_level: 'loud', listen: { port: -1 }, more: 1 }
  t.same(configProblems(given, {}).length, 3)
  t.same(configProblems(minimal, {}), [])
})

t.test('addresses, networks and names of private networks are proxies', async (t) => {
  const trusted_proxies = ['10.0.0.5', '10.0.0.0/8', '::1', '2001:db8::/32', 'loopback', 'linklocal', 'uniquelocal']
  t.same(parseConfig({ ...minimal, trusted_proxies }, {}).trusted_proxies, trusted_proxies)
})

t.test('secrets that do not fit are not repeated in the sentence', async (t) => {
  const secrets: object[] = [
    { peppers: ['too short'] },
    { plugins: { p: { networks: { 1: { name: 'one', endpoints: { rpc: ['wss://node.example/too short'] } } } } } },
    {
      plugins: {
        p: {
          networks: { 1: { name: 'one', endpoints: { rpc: [{ url: 'https://x.example', headers: { authorization: ['too short'] } }] } } },
        },
      },
    },
  ]
  for (const change of secrets) {
    const problems = configProblems({ ...minimal, ...change }, {})
    t.not(problems.length, 0)
    t.notMatch(problems.join(), /too short/)
  }
})

t.test('texts are filled from the environment, wherever they stand', async (t) => {
  const given = {
    ...minimal,
    data_dir: '${HOME_OF_DATA}/state',
    peppers: ['${PEPPER}', '${OLD_PEPPER:-an old pepper of at least 32 characters}'],
    plugins: {
      p: {
        networks: {
          1: {
            ...network,
            endpoints: { rpc: ['https://${HOST}/${KEY}', { url: 'https://x.example', headers: { authorization: 'Bearer ${KEY}' } }] },
            tag: '${TAG:-}',
          },
        },
      },
    },
  }
  const env = { HOME_OF_DATA: '/data', PEPPER: 'a pepper of at least 32 characters', HOST: 'node.example', KEY: 'k' }
  t.match(parseConfig(given, env), {
    data_dir: '/data/state',
    peppers: ['a pepper of at least 32 characters', 'an old pepper of at least 32 characters'],
    plugins: {
      p: { networks: { 1: { endpoints: { rpc: ['https://node.example/k', { headers: { authorization: 'Bearer k' } }] }, tag: '' } } },
    },
  })
  t.throws(() => parseConfig({ ...minimal, data_dir: '${NOWHERE}' }, {}), {
    message: 'data_dir needs the environment variable NOWHERE, which is not set.',
  })
  t.throws(() => parseConfig({ ...minimal, data_dir: '${NOWHERE}' }, { NOWHERE: '' }), { message: /NOWHERE, which is not set/ })
  t.throws(() => parseConfig(given, { ...env, KEY: undefined }), {
    message: /^plugins\.p\.networks\.1\.endpoints\.rpc\.0 needs the environment variable KEY/,
  })
  t.equal(parseConfig({ ...minimal, data_dir: '$HOME and ${1} and $' }, {}).data_dir, '$HOME and ${1} and $')
  t.equal(configProblems({ ...minimal, data_dir: '${A}', accounts: { acme: { name: '${B}' } } }, {}).length, 2)
})

t.test('a value of the environment is text, not another template', async (t) => {
  t.equal(parseConfig({ ...minimal, data_dir: '${A}' }, { A: '${B}', B: 'x' }).data_dir, '${B}')
})

t.test('a setting may be what a file says, by its whole path, and is refused without a word of it', (t) => {
  const folder = t.testdir({ pepper: 'a pepper of at least 32 characters\n\n', env: '${B}', empty: ' \n', long: 'x'.repeat(65_537) })
  const read = (data_dir: string, env = {}) => parseConfig({ ...minimal, data_dir }, env).data_dir
  t.equal(read(`\${file:${folder}/pepper}`), 'a pepper of at least 32 characters')
  t.equal(read('a ${file:${HERE}/pepper} b ${X}', { HERE: folder, X: 'x' }), 'a a pepper of at least 32 characters b x')
  t.equal(read(`\${file:${folder}/env}`, { B: 'x' }), '${B}', 'what a file says is text, not another template')
  const refused = (setting: string, message: string | RegExp, env = {}) => t.throws(() => read(setting, env), { message })
  refused('${file:pepper}', 'data_dir names the file pepper; write its whole path, such as /run/secrets/pepper.')
  refused(`\${file:${folder}/none}`, `data_dir needs the file ${folder}/none, which cannot be read (ENOENT).`)
  refused(`\${file:${folder}/empty}`, `data_dir needs the file ${folder}/empty, which is empty.`)
  refused(`\${file:${folder}/long}`, /which has 65537 characters; 65536 are the most\.$/)
  refused('${file:${HERE}/pepper}', 'data_dir needs the environment variable HERE, which is not set.')
  t.match(configProblems({ ...minimal, data_dir: '${file:/nowhere/a}', redis_url: '${file:/nowhere/b}' }, {}), [
    /^redis_url needs the file|^data_dir needs the file/,
    /needs the file \/nowhere\/[ab], which cannot be read/,
  ])
  t.end()
})

t.test('several workers need a database and a Redis that they share, wherever these are named', (t) => {
  const problems = (more: object, env = {}) => configProblems({ ...minimal, workers: 2, ...more }, env)
  t.match(problems({}), [/^workers: 2 processes need PostgreSQL/, /^workers: 2 processes need Redis/])
  t.match(problems({ database_url: 'postgres://x' }), [/need Redis/])
  t.match(problems({ redis_url: 'redis://x' }), [/need PostgreSQL/])
  t.same(problems({}, { DATABASE_URL: 'postgres://x', REDIS_URL: 'redis://x' }), [])
  t.same(problems({ workers: 1 }), [])
  t.match(problems({ workers: 0 }), [/^workers: /])
  t.match(problems({ workers: 65 }), [/^workers: /])
  t.throws(() => parseConfig({ ...minimal, workers: 2 }, {}), { message: /need PostgreSQL/ })
  t.end()
})

t.test('a file on vulnerabilities has a contact that can be reached, and has not run out', (t) => {
  const problems = (settings: object) => configProblems({ ...minimal, security_txt: settings }, {})
  const contact = ['mailto:a@example.org']
  t.same(problems({ contact, expires: '2999-01-31' }), [])
  t.match(problems({ contact, expires: '2020-01-31' }), [
    /^security_txt\.expires: 2020-01-31 is past, or no date; write one ahead, such as \d{4}-/,
  ])
  t.match(problems({ contact, expires: '2999-13-31' }), [/is past, or no date/])
  t.match(problems({ contact: ['a@example.org'], expires: '2999-01-31' }), [/^security_txt\.contact\.0: /])
  t.match(problems({ contact: ['https://a\nPolicy: x'], expires: '2999-01-31' }), [/^security_txt\.contact\.0: /])
  t.match(problems({ contact: [], expires: '2999-01-31' }), [/^security_txt\.contact: /])
  t.end()
})

t.test('DATABASE_URL and REDIS_URL stand in where the config names none', async (t) => {
  const env = { DATABASE_URL: 'postgres://env', REDIS_URL: 'redis://env' }
  t.match(parseConfig(minimal, env), { database_url: 'postgres://env', redis_url: 'redis://env' })
  t.match(parseConfig({ ...minimal, database_url: 'postgres://own', redis_url: 'redis://own' }, env), {
    database_url: 'postgres://own',
    redis_url: 'redis://own',
  })
  const without = parseConfig(minimal, {})
  t.notOk('database_url' in without || 'redis_url' in without)
})

async function folder(t: Test, files: Record<string, string>): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'svc-config-'))
  t.teardown(() => rm(path, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text)
  return path
}

t.test('a config is a module or JSON', async (t) => {
  const text = JSON.stringify(minimal)
  const path = await folder(t, {
    'a.json': text,
    'b.mjs': `export default ${text}`,
    'c.ts': `const config: object = ${text}\nexport default config`,
  })
  for (const name of ['a.json', 'b.mjs', 'c.ts'])
    t.match(await loadConfig(join(path, name), {}), { file: join(path, name), config: { accounts: { acme: { name: 'Acme' } } } }, name)
})

t.test('a file that is none is refused with its path', async (t) => {
  const path = await folder(t, {
    'broken.json': '{',
    'twice.json': '{"accounts":{},"acc\\u006funts":{}}',
    'broken.mjs': 'export default {',
    'throws.mjs': "throw new Error('no such thing')",
    'empty.mjs': '',
    'a.yaml': 'a: 1',
    plain: '{}',
  })
  const refused = (name: string, message: RegExp) => t.rejects(loadConfig(join(path, name), {}), { name: 'SettingsError', message }, name)
  await refused('missing.json', /^There is no config file at .*missing\.json\.$/)
  await refused('broken.json', /broken\.json is not valid JSON: /)
  await refused('twice.json', /twice\.json is not valid JSON: the member "acc\\u006funts" stands twice in one object\./)
  await refused('broken.mjs', /broken\.mjs could not be loaded: /)
  await refused('throws.mjs', /throws\.mjs could not be loaded: no such thing/)
  await refused('empty.mjs', /empty\.mjs has no default export/)
  await refused('a.yaml', /is a \.ts, \.mts, \.js, \.mjs or \.json file, not \.yaml/)
  await refused('plain', /not one without an ending/)
})
