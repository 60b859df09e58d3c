// The walk of an integrator: in a folder of his own, with the packed client and four intents, a trust document that `svc trust` has printed, and a custodian that
// signs hashes, he stakes on each of four families. The service is the repository's own, on its local chains: that it can be installed is proved elsewhere.
import { spawn } from 'node:child_process'
import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { install, operatorFolder, outsideEnvironment, root, run, withDependencies } from './registry.mjs'
import { openCustodian } from './walk/custodian.mjs'

const PLUGINS = ['evm-three', 'hub-one', 'svm-native', 'move-native']

/** What the integrator installs. */
export const INTEGRATOR = ['@svc/client', '@svc/intent-evm-three', '@svc/intent-hub', '@svc/intent-svm-native', '@svc/intent-move-native']

/** How long a start may take on a busy machine, in milliseconds. */
const START_MS = 120_000
const MAIN = ['--conditions=@svc/source', join(root, 'server/src/main.ts')]

/**
 * @param folder where it is done
 * @param files tarballs of the packages of this repository, by name
 */
export async function walk(folder, files) {
  const operator = join(folder, 'operator')
  const data = join(operator, '.svc')
  await mkdir(operator, { recursive: true })
  const dependencies = Object.fromEntries(PLUGINS.map((name) => [`@svc/plugin-${name}`, 'workspace:^']))
  await writeFile(join(operator, 'package.json'), JSON.stringify({ name: 'operator', private: true, dependencies }))
  await symlink(join(root, 'node_modules'), join(operator, 'node_modules'))
  const env = { ...outsideEnvironment(), SVC_PORT: '0', SVC_DATA: data, SVC_LOG_LEVEL: 'warn' }
  const service = spawn(process.execPath, [...MAIN, 'start'], { cwd: operator, env })
  let said = ''
  for (const stream of [service.stdout, service.stderr]) stream.on('data', (text) => (said += text))
  const ended = new Promise((done) => service.once('exit', done))
  let custodian
  try {
    // While the chains start.
    const home = await operatorFolder(join(folder, 'integrator'))
    install(
      home,
      withDependencies(INTEGRATOR).map((name) => files.get(name)),
    )
    await copyFile(join(root, 'scripts/walk/integrator.mjs'), join(home, 'stake.mjs'))
    const sandbox = await started(data, service)
    const trust = run(
      operator,
      process.execPath,
      ...MAIN,
      'trust',
      '--config',
      join(data, 'sandbox.config.json'),
      '--account',
      'demo',
      '--url',
      sandbox.baseUrl,
    )
    await writeFile(join(home, 'acme.trust.json'), trust)
    custodian = await openCustodian(sandbox.wallets)
    await writeFile(join(home, 'keys.json'), JSON.stringify({ apiKey: sandbox.apiKey, custodian: custodian.url, keys: custodian.keys }))
    for (const node of [process.execPath, process.env.SVC_NODE_20].filter(Boolean)) {
      const told = await finished(node, home)
      if (told.split('\n').filter((line) => /^\w+: .*\.$/.test(line)).length !== PLUGINS.length)
        throw new Error(`Not each of ${PLUGINS.length} stakes was told:\n${told}`)
      console.log(`${run(home, node, '--version').trim()}\n${told.trim()}`)
    }
  } catch (error) {
    throw new Error(`${error.message}\nThe service said:\n${said}`, { cause: error })
  } finally {
    await custodian?.close()
    service.kill('SIGTERM')
    await ended
  }
}

/** The integrator's program. The custodian answers from this process, so that it must not stand still meanwhile. */
async function finished(node, home) {
  const child = spawn(node, ['stake.mjs'], { cwd: home, env: outsideEnvironment() })
  let [out, err] = ['', '']
  child.stdout.on('data', (text) => (out += text))
  child.stderr.on('data', (text) => (err += text))
  const code = await new Promise((done) => child.once('close', done))
  if (code !== 0) throw new Error(`The integrator's program ended with ${code}:\n${out}${err}`)
  return out
}

async function started(data, service) {
  for (const until = Date.now() + START_MS; Date.now() < until; await wait(100)) {
    if (service.exitCode !== null) break
    const text = await readFile(join(data, 'sandbox.json'), 'utf8').catch(() => undefined)
    if (text?.endsWith('}\n')) return JSON.parse(text)
  }
  throw new Error('the service did not start')
}
