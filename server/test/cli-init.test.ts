import { spawn } from 'node:child_process'
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { emptyFolder, folder, launch, svc } from './cli-process.ts'

const URL_OF = 'https://rpc.example.org'
const monad = ['--endpoint', `evm-three/143=${URL_OF}`, '--set', 'evm-three/143/validator_id=12']
const variable = (name: string) => `$${`{${name}}`}`

t.test('options alone write the config, its network is the first that the plugin is made for, and nothing is written over', async (t) => {
  const cwd = await folder(t)
  const { code, stdout, stderr } = await svc(['init', '--yes', ...monad], { cwd })
  t.match({ code, stderr }, { code: 0, stderr: '' })
  t.match(await configIn(cwd), {
    plugins: { '@svc/plugin-evm-three': { networks: { 143: { name: 'Monad', endpoints: { rpc: [URL_OF] }, validator_id: 12 } } } },
    accounts: { own: { name: 'own' } },
    signing_key: variable(`file:${join(cwd, 'secrets/signing_key')}`),
    response_keys: [{ key: variable(`file:${join(cwd, 'secrets/response_key')}`), state: 'active' }],
    peppers: [variable(`file:${join(cwd, 'secrets/pepper')}`)],
  })
  t.match(stdout, /^ {2}svc\.config\.json: evm-three; account own$/m)
  t.match(stdout, /^ {2}npx svc check\n {2}npx svc tokens create --account own --name admin\n {2}npx svc start$/m)
  const before = await contents(cwd)
  refused(t, await svc(['init', '--yes', ...monad], { cwd }), /^svc: .*svc\.config\.json is there, and svc init writes over nothing/)
  const other = await svc(['init', '--yes', ...monad, '--config', 'other.json'], { cwd })
  t.equal(other.code, 0, other.stderr)
  t.match(other.stdout, /^Used as they are:\n {2}secrets\/pepper\n {2}secrets\/signing_key\n {2}secrets\/response_key$/m)
  t.match(other.stdout, /npx svc check --config other\.json/)
  t.same({ ...(await contents(cwd)), 'other.json': undefined }, { ...before, 'other.json': undefined }, 'and no secret was made anew')
  const ts = await folder(t)
  await writeFile(join(ts, 'svc.config.ts'), '')
  refused(t, await svc(['init', '--yes', ...monad], { cwd: ts }), /svc\.config\.ts is there/)
  refused(t, await svc(['init', '--yes', '--config', 'x.ts'], { cwd: ts }), /its name has to end in \.json/)
})

t.test('with --yes what has no default is named, each with its option', async (t) => {
  const cwd = await folder(t, ['@svc/plugin-evm-three', '@svc/plugin-hub-one'])
  refused(
    t,
    await svc(['init', '--yes'], { cwd }),
    /^svc: With --yes nothing is asked, and these have no default:\n {2}--endpoint evm-three\/143=<url>\n {2}--set evm-three\/143\/validator_id=<integer>\n {2}--endpoint hub-one\/cosmoshub-4=<url>\n {2}--set hub-one\/cosmoshub-4\/validator=<string>\n/,
  )
  t.same(await written(cwd), [])
})

t.test('an answer that does not fit is refused with what would be right, and nothing is written', async (t) => {
  const cwd = await folder(t, ['@svc/plugin-evm-three', '@svc/plugin-svm-liquid'])
  const only = ['--protocols', 'evm-three']
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [
      ['--protocols', 'evm-there'],
      /--protocols <names>: evm-there is no installed plugin \(evm-three, svm-liquid\); .* such as @svc\/plugin-evm-there\./,
    ],
    [
      [...only, '--endpoint', 'evm-three/143=ftp://user:hidden@example.org'],
      /ftp:\/\/…@example\.org is no address of an endpoint; it has to be like https:\/\/rpc\.example\.org\./,
    ],
    [[...only, '--endpoint', `evm-tree/143=${URL_OF}`], /--endpoint evm-tree\/143=.*: it has to begin with one of evm-three\/\./],
    [[...only, '--endpoint', `evm-three/144=${URL_OF}`], /network 144 is not enabled; enabled here: 143\./],
    [[...only, ...monad, '--endpoint', `evm-three/143/subgrph=${URL_OF}`], /subgrph/],
    [[...only, ...monad, '--set', 'evm-three/143/validator_id=0'], /validator_id: .*1/],
    [[...only, ...monad, '--set', 'evm-three/143/validator_id=9007199254740993'], /validator_id: must be integer/],
    [[...only, ...monad, '--set', 'evm-three/143/txpool_status=no'], /txpool_status: must be boolean/],
    [[...only, ...monad, '--set', 'evm-three/143/validator=1'], /validator: there is no such setting\. Known here: .*validator_id/],
    [[...only, ...monad, '--set', 'evm-three/143/staking=0x12'], /staking: /],
    [[...only, ...monad, '--set', 'evm-three/143'], /143 is no setting; it has to be like 143\/validator=<address>\./],
    [[...only, ...monad, '--account', 'Acme'], /An account's id is 1 to 63 small letters/],
    [[...only, ...monad, '--database', 'mysql://hidden@x/y'], /--database <address>: It has to be embedded, or like postgres:\/\//],
    [[...only, ...monad, '--redis', 'http://x'], /--redis <address>: It has to be none, or like redis:\/\/host:6379/],
    [[...only, ...monad, '--workers', '2'], /workers: 2 processes need PostgreSQL/],
    [[...only, ...monad, '--trusted-proxies', 'proxy'], /trusted_proxies\.0: "proxy" is not an address/],
    [[...only, ...monad, '--public-url', 'staking.example'], /public_url/],
    [
      ['--protocols', 'svm-liquid', '--network', 'svm-liquid/devnet', '--endpoint', `svm-liquid/devnet=${URL_OF}`],
      /network devnet: its settings have to name pool, mint/,
    ],
  ]
  for (const [options, sentence] of cases) {
    const run = await svc(['init', '--yes', ...options], { cwd })
    refused(t, run, sentence)
    t.notMatch(run.stderr, 'hidden')
  }
  const database = await svc(['init', '--yes', ...only, ...monad, '--database', 'embedded'], {
    cwd,
    env: { DATABASE_URL: 'postgres://x/y' },
  })
  refused(t, database, /DATABASE_URL is set, and the service would use it: unset it, or answer \$\{DATABASE_URL\}\./)
  const redis = await svc(['init', '--yes', ...only, ...monad, '--redis', 'none'], { cwd, env: { REDIS_URL: 'redis://x' } })
  refused(t, redis, /REDIS_URL is set, and the service would use it/)
  t.same(await written(cwd), [])
})

t.test('where the state is stands in the config, and an address with a password in a file of its own', async (t) => {
  const options = ['init', '--yes', ...monad, '--redis', 'redis://:hid%2Fden@cache:6379', '--database', 'postgres://svc:hidden@db/svc']
  const cwd = await folder(t)
  const made = await svc([...options, '--workers', '2', '--secrets-at', '/run/secrets', '--port', '8080', '--metrics-port', '9464'], {
    cwd,
  })
  t.equal(made.code, 0, made.stderr)
  const config = await configIn(cwd)
  t.match(config, {
    database_url: variable('file:/run/secrets/database_url'),
    redis_url: variable('file:/run/secrets/redis_url'),
    peppers: [variable('file:/run/secrets/pepper')],
    listen: { host: '0.0.0.0', port: 8080 },
    metrics: { port: 9464 },
    workers: 2,
  })
  t.notMatch(JSON.stringify(config) + made.stdout + made.stderr, /hidden|hid%2Fden/)
  t.equal(await readFile(join(cwd, 'secrets/database_url'), 'utf8'), 'postgres://svc:hidden@db/svc\n')
  const other = await svc([...options.slice(0, -1), 'postgres://svc:other@db/svc', '--config', 'other.json'], { cwd })
  refused(t, other, /secrets\/database_url is there and holds another address/)

  const plain = await folder(t)
  const typed = ['--set', 'evm-three/143/txpool_status=false', '--set', 'evm-three/143/max_fee=0.5']
  const open = ['init', '--yes', ...monad, ...typed, '--database', variable('MY_DATABASE'), '--redis', 'redis://cache:6379']
  t.equal((await svc(open, { cwd: plain })).code, 0)
  t.match(await configIn(plain), { database_url: variable('MY_DATABASE'), redis_url: 'redis://cache:6379' })
  const [network] = Object.values<any>((await configIn(plain)).plugins['@svc/plugin-evm-three'].networks)
  t.match({ txpool_status: network.txpool_status, max_fee: network.max_fee }, { txpool_status: false, max_fee: '0.5' })
  t.equal(typeof network.max_fee, 'string', 'money stays a text')
  const environment = await folder(t)
  const env = { DATABASE_URL: 'postgres://x/y' }
  const named = await svc(['init', '--yes', ...monad, '--secrets', 'environment'], { cwd: environment, env })
  t.equal(named.code, 0, named.stderr)
  t.match(await configIn(environment), { database_url: variable('DATABASE_URL'), peppers: [variable('SVC_PEPPER')] })
  t.match(named.stdout, /\(set -a; \. \.\/svc\.env; npx svc check\)/)
})

t.test('secrets for the environment are in a file that a shell reads', async (t) => {
  const cwd = await folder(t)
  const made = await svc(['init', '--yes', ...monad, '--secrets', 'environment', '--database', "postgres://svc:it's@db/svc"], { cwd })
  t.equal(made.code, 0, made.stderr)
  t.match(await configIn(cwd), {
    signing_key: variable('SVC_SIGNING_KEY'),
    response_keys: [{ key: variable('SVC_RESPONSE_KEY') }],
    database_url: variable('DATABASE_URL'),
  })
  const program = 'console.log(JSON.stringify([process.env.SVC_SIGNING_KEY, process.env.SVC_PEPPER, process.env.DATABASE_URL]))'
  const child = spawn('sh', ['-c', `set -a; . ./svc.env; set +a; exec "${process.execPath}" -e '${program}'`], { cwd })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  await new Promise((done) => child.once('close', done))
  const [signing, pepper, database] = JSON.parse(text)
  t.match(signing, /^-----BEGIN PRIVATE KEY-----\n[\s\S]*-----END PRIVATE KEY-----$/)
  t.match(pepper, /^[\w-]{43}$/)
  t.equal(database, "postgres://svc:it's@db/svc")
  refused(t, await svc(['init', '--yes', ...monad, '--secrets', 'environment', '--config', 'x.json'], { cwd }), /svc\.env is there/)
})

t.test('on a terminal each question says its default, and one that was answered wrongly is asked again', async (t) => {
  const cwd = await folder(t, ['@svc/plugin-evm-three', '@svc/plugin-svm-liquid'])
  const address = (digit: string) => `1111111111111111111111111111111${digit}`
  const choice = ['evm-four', 'svm-liquid', 'devnet', 'nowhere', `${URL_OF} ${URL_OF}/2`]
  const settings = ['pool', 'pool=0O', `pool=${address('2')}`, `mint=${address('3')}`]
  const { code, stderr } = await answered(cwd, [...choice, ...settings, 'A', 'acme', '', '', '', 'held'])
  t.equal(code, 0, stderr)
  t.match(stderr, /Protocols to serve, or all \[all\]: {3}evm-four is no installed plugin/)
  t.match(stderr, /Networks \(mainnet-beta: Solana, devnet: Solana devnet\) \[mainnet-beta\]: /)
  t.match(stderr, / {2}nowhere is no address of an endpoint/)
  t.match(stderr, /networks\.devnet: network devnet: its settings have to name pool, mint\./)
  t.match(stderr, /devnet\/pool is no setting/)
  t.match(stderr, /pool: /)
  t.match(stderr, /Account of the first customer \[own\]: {3}An account's id is/)
  t.match(await configIn(cwd), {
    plugins: {
      '@svc/plugin-svm-liquid': {
        networks: { devnet: { endpoints: { rpc: [URL_OF, `${URL_OF}/2`] }, pool: address('2'), mint: address('3') } },
      },
    },
    accounts: { acme: { name: 'acme' } },
    peppers: [variable(`file:${join(cwd, 'held/pepper')}`)],
  })
  await rm(join(cwd, 'svc.config.json'))
  const rest = ['evm-three', '', URL_OF, 'twelve', '12', 'acme', 'Acme', '', '', '']
  const whole = await answered(cwd, rest)
  t.equal(whole.code, 0, whole.stderr)
  t.match(whole.stderr, /validator_id of evm-three on 143: The operator's validator: its uint64 id: {3}validator_id: must be integer/)
  t.match(await configIn(cwd), { accounts: { acme: { name: 'Acme' } } })
  const group = launch(['init', ...monad, '--endpoint', `evm-three/143/subgrph=${URL_OF}`], {
    cwd: await folder(t),
    input: 'evm-three\n\n',
  })
  const unknown = await group.ended
  refused(t, unknown, /subgrph/)
  t.notMatch(unknown.stderr, /as name=value/, 'no setting could mend it')
  const none = await answered(await folder(t), [])
  refused(
    t,
    none,
    /There was no answer to "Protocols to serve, or all"\. Give it as --protocols <names>; with --yes what has a default takes it\./,
  )
})

t.test('a plugin of somebody else is offered as ours are, and a manifest that says nonsense of its networks is asked about', async (t) => {
  const cwd = await folder(t)
  const home = join(cwd, 'stranger')
  await mkdir(join(home, 'node_modules/@stranger'), { recursive: true })
  const template = fileURLToPath(new URL('../../examples/plugin-template', import.meta.url))
  const name = JSON.parse(await readFile(join(template, 'package.json'), 'utf8')).name
  await mkdir(join(home, 'node_modules', name, '..'), { recursive: true })
  await symlink(template, join(home, 'node_modules', name))
  await writeFile(join(home, 'package.json'), JSON.stringify({ dependencies: { [name]: '*' } }))
  const help = await svc(['init', '--yes'], { cwd: home })
  const [, alias] = /--endpoint (\S+)\/31337=<url>/.exec(help.stderr) ?? []
  t.ok(alias, help.stderr)
  const settings = [...help.stderr.matchAll(/--set (\S+)=<string>/g)].flatMap(([, key]) => ['--set', `${key}=0x${'1'.repeat(40)}`])
  const made = await svc(['init', '--yes', '--endpoint', `${alias}/31337=${URL_OF}`, ...settings], { cwd: home })
  t.equal(made.code, 0, made.stderr)
  t.match(await configIn(home), { plugins: { [name]: { networks: { 31337: { endpoints: { rpc: [URL_OF] } } } } } })
})

t.test('what is not installed is named with the command, and an empty folder gets its package.json', async (t) => {
  const cwd = await folder(t)
  refused(
    t,
    await svc(['init', '--yes', '--protocols', 'evm-three,@stranger/plugin-x'], { cwd }),
    /^svc: @stranger\/plugin-x is not installed in .*\. Run there:\n {2}npm install @stranger\/plugin-x\nand then svc init again/,
  )
  const empty = await emptyFolder(t)
  const first = await svc(['init', '--yes', '--protocols', '@svc/plugin-hub-one,@stranger/plugin-x'], { cwd: empty })
  refused(t, first, /package\.json is written, and no config yet\. Run in .*:\n {2}npm install\n/)
  t.same(JSON.parse(await readFile(join(empty, 'package.json'), 'utf8')), {
    name: 'staking',
    private: true,
    type: 'module',
    dependencies: { '@svc/server': '^0.0.0', '@svc/plugin-hub-one': '*', '@stranger/plugin-x': '*' },
  })
  refused(t, await svc(['init', '--yes'], { cwd: await emptyFolder(t) }), /no default:\n {2}--protocols <names>/)
})

async function configIn(cwd: string): Promise<any> {
  return JSON.parse(await readFile(join(cwd, 'svc.config.json'), 'utf8'))
}

/** Files that a run has made. */
async function written(cwd: string): Promise<readonly string[]> {
  return (await readdir(cwd)).filter((name) => !['node_modules', 'package.json'].includes(name))
}

async function contents(cwd: string): Promise<Record<string, string>> {
  const names = [...(await readdir(join(cwd, 'secrets'))).map((name) => `secrets/${name}`), 'svc.config.json']
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await readFile(join(cwd, name), 'utf8')] as const)))
}

/** A run whose questions are answered by these lines, after which no more come. */
async function answered(cwd: string, lines: readonly string[]) {
  const { child, ended } = launch(['init'], { cwd, input: lines.map((line) => `${line}\n`).join('') })
  t.ok(child.pid)
  return await ended
}

function refused(t: Test, { code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }, sentence: RegExp): void {
  t.match({ code, stdout }, { code: 1, stdout: '' }, stderr)
  t.match(stderr, sentence)
}
