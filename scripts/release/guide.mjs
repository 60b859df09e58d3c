// Walks through docs/production.md: runs its commands in an empty folder, in one shell, and compares what they write with what is quoted there. Local chains stand in for
// nodes; PostgreSQL and Redis are those of DATABASE_URL and REDIS_URL, nginx this machine's.
import { spawn, spawnSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { startedSandbox } from '../operator.mjs'
import { outsideEnvironment, root } from '../registry.mjs'
import { endProcess } from './command.mjs'
import { isQuoted, namesIn, stepsOf } from './guide-text.mjs'
import { freePorts } from './ports.mjs'

const GUIDE = join(root, 'docs/production.md')

/**
 * @param folder where it is done, which is made
 * @param env variables that name the registry
 * @param step is told each step
 * @throws when a command fails, or writes something else than is quoted
 */
export async function walkGuide(folder, env, step) {
  const { DATABASE_URL, REDIS_URL } = process.env
  if (!DATABASE_URL || !REDIS_URL) throw new Error('The guide needs PostgreSQL and Redis: name them in DATABASE_URL and REDIS_URL.')
  for (const program of ['nginx', 'psql', 'pg_dump', 'openssl', 'curl'])
    if (spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)
      throw new Error(`The guide needs ${program}, which this machine does not have.`)
  const steps = stepsOf(await readFile(GUIDE, 'utf8'))
  await mkdir(join(folder, 'home'), { recursive: true })
  step('the guide: starting local chains in the place of nodes')
  const chains = await startChains(join(folder, 'chains'))
  const doomed = await relay(new URL(chains.config.plugins['@svc/plugin-evm-three'].networks['143'].endpoints.rpc[0]))
  try {
    const values = { ...valuesOf(chains, doomed.url), ...(await serversOf(DATABASE_URL, REDIS_URL)) }
    step('the guide: its commands')
    await runSteps({ folder, env, steps, values, doomed })
    for (const { line, reason } of steps.filter(({ kind }) => kind === 'not run')) console.log(`not run, line ${line}: ${reason}`)
  } finally {
    await doomed.close()
    await endProcess(chains.child)
    await dropDatabase(DATABASE_URL)
  }
}

/** Name of the role and the databases, so that walks at the same time do not meet. */
const DATABASE = `svc_guide_${process.pid}`

async function startChains(folder) {
  await mkdir(folder, { recursive: true })
  const env = { ...outsideEnvironment(), SVC_PORT: '0', SVC_DATA: join(folder, '.svc'), SVC_LOG_LEVEL: 'warn' }
  const main = ['--conditions=@svc/source', join(root, 'server/src/main.ts'), 'start']
  const child = spawn(process.execPath, main, { cwd: root, env })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  try {
    const { wallets } = await startedSandbox(folder, child)
    const config = JSON.parse(await readFile(join(folder, '.svc/sandbox.config.json'), 'utf8'))
    return { child, wallets, config }
  } catch (error) {
    await endProcess(child)
    throw new Error(`${error.message}\n${said}`, { cause: error })
  }
}

/** What the block of values says on this machine. */
function valuesOf({ config: { plugins }, wallets }, monad) {
  const network = (name, chain) => plugins[`@svc/plugin-${name}`].networks[chain]
  const first = (name, chain) => network(name, chain).endpoints.rpc[0]
  const [vault, pool] = [network('evm-vault', '1'), network('svm-liquid', 'mainnet-beta')]
  return {
    HUB_1: first('hub-one', 'cosmoshub-4'),
    HUB_VALIDATOR: network('hub-one', 'cosmoshub-4').validator,
    CELESTIA_1: first('hub-two', 'celestia'),
    CELESTIA_VALIDATOR: network('hub-two', 'celestia').validator,
    ETHEREUM_1: first('evm-vault', '1'),
    SUBGRAPH: vault.endpoints.subgraph[0],
    VAULT: vault.vault,
    PHAROS_1: first('evm-two', '1672'),
    POOL_ID: network('evm-two', '1672').pool_id,
    MONAD_1: monad,
    MONAD_2: first('evm-three', '143'),
    VALIDATOR_ID: network('evm-three', '143').validator_id,
    SOLANA_1: first('svm-native', 'mainnet-beta'),
    SOLANA_VALIDATOR: network('svm-native', 'mainnet-beta').validator,
    STAKE_POOL: pool.pool,
    STAKE_POOL_MINT: pool.mint,
    STAKE_POOL_PROGRAM: pool.program,
    SUI_1: first('move-native', 'mainnet'),
    SUI_VALIDATOR: network('move-native', 'mainnet').validator,
    // The local vault has events from its first block on, and its chain makes a block for each transaction.
    MORE: `--set evm-vault/1/first_block=${vault.first_block} --set evm-vault/1/inclusion_ms=${vault.inclusion_ms}`,
    DEPLOY: join(root, 'examples/deploy'),
    WALLET_KEY: wallets.evm[0].privateKey,
  }
}

async function serversOf(database, redis) {
  const admin = new URL(database)
  const [https, first, second, third, fourth] = await freePorts(5)
  return {
    POSTGRES: database,
    POSTGRES_HOST: admin.host,
    DATABASE,
    REDIS: redis,
    HOST: 'localhost',
    HTTPS_PORT: https,
    URL: `https://localhost:${https}`,
    PORT_1: first,
    PORT_2: second,
    METRICS_1: third,
    METRICS_2: fourth,
  }
}

/** All commands as one program of a shell, so that a variable of one block is there in the next, and each block with an output of its own. */
async function runSteps({ folder, env, steps, values, doomed }) {
  const outputs = join(folder, 'outputs')
  await mkdir(outputs, { recursive: true })
  const parts = ['set -euo pipefail', "trap 'kill $(jobs -p) 2>/dev/null || true; wait' EXIT", 'exec 3>&1']
  for (const each of steps) {
    if (each.kind === 'values') parts.push(assignments(each, values))
    if (each.kind === 'endpoint ends') parts.push(`kill -USR1 ${process.pid}; until [ -e "${join(folder, 'ended')}" ]; do sleep 0.1; done`)
    if (each.kind === 'run') parts.push(`exec >"${outputs}/${each.line}" 2>&1`, `echo 'line ${each.line}' >&3`, each.code)
  }
  const program = join(folder, 'guide.sh')
  await writeFile(program, `${parts.join('\n')}\n`)
  const end = async () => {
    await doomed.close()
    await writeFile(join(folder, 'ended'), '')
  }
  process.once('SIGUSR1', end)
  const child = spawn('bash', [program], {
    cwd: folder,
    env: { ...outsideEnvironment(), ...env, HOME: join(folder, 'home'), NPM_CONFIG_CACHE: npmCache() },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let last = ''
  child.stdout.on('data', (chunk) => {
    last = String(chunk).trim().split('\n').at(-1) ?? last
    process.stdout.write(chunk)
  })
  child.stderr.on('data', (chunk) => process.stderr.write(chunk))
  const code = await new Promise((done) => child.once('close', done))
  process.removeListener('SIGUSR1', end)
  if (code !== 0) {
    const line = Number(last.replace('line ', ''))
    const { code: commands } = steps.find((each) => each.line === line) ?? {}
    const output = await readFile(join(outputs, String(line)), 'utf8').catch(() => '')
    throw new Error(`docs/production.md, line ${line}: the commands ended with ${code}:\n${commands}\nThey wrote:\n${output}`)
  }
  await compare(steps, outputs)
}

async function compare(steps, outputs) {
  const wrong = []
  for (const { kind, line, output } of steps) {
    if (kind !== 'run' || output === undefined) continue
    const text = await readFile(join(outputs, String(line)), 'utf8')
    if (!isQuoted(output, text)) wrong.push(`docs/production.md, line ${line} quotes:\n${output}\nIts commands wrote:\n${text}`)
  }
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
  console.log(`${steps.filter(({ kind }) => kind === 'run').length} blocks of commands did what the guide says`)
}

/** The values in the guide's place. @throws when the guide names others */
function assignments({ line, code }, values) {
  const names = namesIn(code)
  const [unset, strange] = [names.filter((name) => !(name in values)), Object.keys(values).filter((name) => !names.includes(name))]
  if (unset.length + strange.length > 0)
    throw new Error(
      `docs/production.md, line ${line}: this machine has no value for ${unset.join(', ') || 'none'}; the guide has none for ${strange.join(', ') || 'none'}`,
    )
  return names.map((name) => `${name}='${String(values[name]).replaceAll("'", "'\\''")}'`).join('\n')
}

/** An address in front of another one, which can be ended as a provider's machine ends. */
async function relay(target) {
  const sockets = new Set()
  const server = createServer((caller) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const [one, other] of [
      [caller, upstream],
      [upstream, caller],
    ]) {
      sockets.add(one)
      one.on('error', () => other.destroy()).on('close', () => sockets.delete(one))
    }
    caller.pipe(upstream).pipe(caller)
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    async close() {
      if (!server.listening) return
      const closed = new Promise((done) => server.close(done))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** This machine's, so that nothing is fetched twice. */
function npmCache() {
  return spawnSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).stdout.trim()
}

async function dropDatabase(url) {
  const statements = [
    `drop database if exists "${DATABASE}_drill"`,
    `drop database if exists "${DATABASE}" with (force)`,
    `drop role if exists "${DATABASE}"`,
  ]
  for (const statement of statements) spawnSync('psql', [url, '--quiet', '--command', statement], { stdio: 'ignore' })
}
