import { spawn } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Wallet } from 'ethers'
import { startedSandbox } from '../operator.mjs'
import { root } from '../registry.mjs'
import { AMOUNT, TOO_FINE } from './answers.mjs'

/** Stake whose balance is read: 18 decimals, of which a double keeps 15. */
const STAKE = '3.734567890123456789'
const MONAD = '/api/v1/evm-three/native'
const VAULT = '/api/v1/evm-one/vault-one'
/** Looks at what comes of a transaction, and the time between two, in milliseconds. */
const LOOKS = 300
const PAUSE_MS = 200

/**
 * Starts the service of this checkout on its local chains, with every plugin, and makes what the clients are to read: a stake of 18 decimals, and an entry of the vault's
 * history.
 *
 * @returns its text document; what the programs get by their environment; what they are to read, from the text of the answers; and its end
 */
export async function startService(folder) {
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const plugins = Object.keys(dependencies).filter((name) => name.startsWith('@svc/plugin-'))
  await mkdir(folder, { recursive: true })
  const manifest = { name: 'operator', private: true, dependencies: Object.fromEntries(plugins.map((name) => [name, 'workspace:^'])) }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...env } = process.env
  const child = spawn(process.execPath, ['--conditions=@svc/source', join(root, 'server/src/main.ts'), 'start'], {
    cwd: folder,
    env: { ...env, SVC_PORT: '0', SVC_DATA: join(folder, '.svc'), SVC_LOG_LEVEL: 'warn' },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  const ended = new Promise((done) => child.once('exit', done))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  try {
    const sandbox = await startedSandbox(folder, child)
    return { ...(await prepare(sandbox)), stop }
  } catch (error) {
    await stop()
    throw new Error(`${error.message}\nThe service said:\n${said}`, { cause: error })
  }
}

async function prepare({ baseUrl, apiKey, wallets }) {
  const base = `${baseUrl}/text`
  const [{ address, privateKey }, { address: staker, privateKey: stakerKey }] = wallets.evm
  const ask = async (path, body) => {
    const response = await fetch(base + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = await response.json()
    return { status: response.status, answer }
  }
  await stake(ask, `${MONAD}/action/delegate`, new Wallet(stakerKey), STAKE)
  await stake(ask, `${VAULT}/action/stake`, new Wallet(privateKey), '1.5')
  const { stake_activation_amount: balance } = await until('the stake', async () => {
    const { answer } = await ask(`${MONAD}/staking-balance/${staker}`)
    return answer.stake_activation_amount === STAKE ? answer : null
  })
  const { createdAt } = await until('the history of the vault', async () => (await ask(`${VAULT}/historic/${address}`)).answer[0] ?? null)
  const { status, answer } = await ask(`${MONAD}/action/delegate`, { address, amount: TOO_FINE })
  return {
    document: await (await fetch(`${base}/openapi.json`)).text(),
    env: { SVC_URL: base, SVC_API_KEY: apiKey, SVC_WALLET: address, SVC_STAKER: staker, SVC_AMOUNT: AMOUNT, SVC_TOO_FINE: TOO_FINE },
    expected: { balance, created: String(createdAt), refusal: { status, code: answer.code, error: answer.error } },
  }
}

/** Crafts, signs and sends. @throws Error with what was refused */
async function stake(ask, path, wallet, amount) {
  const { answer: craft, ...crafted } = await ask(path, { address: wallet.address, amount })
  if (crafted.status !== 200) throw new Error(`${path} answered ${crafted.status}: ${craft.error}`)
  const { to, value, data, nonce, gasLimit, gasPrice, chainId } = craft.payload
  const members = { type: 0, to, data, value, gasLimit, gasPrice, nonce: Number(nonce), chainId: BigInt(chainId) }
  const { status, answer } = await ask(path.replace(/[^/]+$/, 'broadcast'), { signed_tx_hex: await wallet.signTransaction(members) })
  if (status !== 200) throw new Error(`broadcast answered ${status}: ${answer.error}`)
}

async function until(what, look) {
  for (let count = 0; count < LOOKS; count++) {
    const answer = await look()
    if (answer !== null) return answer
    await wait(PAUSE_MS)
  }
  throw new Error(`${what} did not come in ${LOOKS} looks`)
}
