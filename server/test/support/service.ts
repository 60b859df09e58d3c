import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCredential } from '@svc/core'
import { eventually } from '@svc/testing/eventually'
import { Wallet as EthersWallet, SigningKey } from 'ethers'
import t from 'tap'
import { startWithSandbox } from '../../src/sandbox.ts'
import { ownServers } from './servers.ts'

const shared = await ownServers()
process.env.SVC_LOG_LEVEL ??= 'silent'

/** Where the protocol of these tests is served. */
export const P = '/api/v1/evm-three/native'
/** The version that the service of these tests says it has. */
export const VERSION = '0.0.0'
/** The address of the operator's validator in the sandbox, by its number. */
export const VALIDATOR = 12

/** Where the state of these tests' service is. */
export const dataDir = await mkdtemp(join(tmpdir(), 'svc-spec-'))
/** Where the plugins of these tests are installed: in the workspace's own folder, as for `npm start`. */
export const places = [fileURLToPath(new URL('../../../package.json', import.meta.url))] as const

const running = await startWithSandbox({
  host: '127.0.0.1',
  port: 0,
  dataDir,
  places,
  version: VERSION,
  progress: () => undefined,
})
t.teardown(async () => {
  await running.close()
  await shared.release()
  await rm(dataDir, { recursive: true, force: true })
})

export const { service } = running
/** The running sandbox: where it is, its keys and its wallets. Its key is another one after some calls, before the limit of 200 a minute. */
export const sandbox = { ...running.file }

export interface Reply {
  readonly status: number
  readonly headers: Headers
  /** The body's exact text. */
  readonly text: string
  /** The body read as JSON; undefined when it is none. */
  readonly json: any
}

/** Calls that a key makes before the next one is made. */
const CALLS_A_KEY = 100
let calls = 0

async function freshKey(): Promise<void> {
  if (++calls % CALLS_A_KEY === 0) sandbox.apiKey = (await mint('key')).value
}

/** A call with the sandbox's API key, unless other headers are given; a path that begins with no slash is the protocol's. */
export async function call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply> {
  await freshKey()
  const response = await fetch(sandbox.baseUrl + (path.startsWith('/') ? path : `${P}/${path}`), {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...(headers ?? { 'x-api-key': sandbox.apiKey }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parsed(text) }
}

export const get = (path: string, headers?: Record<string, string>) => call('GET', path, undefined, headers)
export const post = (path: string, body: unknown, headers?: Record<string, string>) => call('POST', path, body, headers)
/** Nobody's call. */
export const stranger = {}
/** A call with the sandbox's management token. */
export const manager = { token: sandbox.managementToken }

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Another API key, or management token, of the sandbox's account, or of another. */
export async function mint(
  kind: 'key' | 'token',
  changes: { account?: string; now?: Date; expirationDate?: string } = {},
): Promise<{ value: string; ulid: string }> {
  const { account = 'demo', now = new Date(), expirationDate } = changes
  const { store, secrets } = service
  const { value, record } = await createCredential(store, secrets.peppers, now, { kind, account, name: 'test', expirationDate })
  return { value, ulid: record.ulid }
}

export interface Wallet {
  readonly address: string
  readonly privateKey: string
}

/** A wallet of its own for a test, with a million tokens. */
export async function freshWallet(): Promise<Wallet> {
  const { address, privateKey } = EthersWallet.createRandom()
  await control('fund', { address, amount: '1000000' })
  return { address, privateKey }
}

/** The signature of a crafted transaction, made where the private key is. */
export function sign(unsigned_tx_hash_hex: string, { privateKey }: Wallet): { r: string; s: string; v: number } {
  const { r, s, v } = new SigningKey(privateKey).sign(unsigned_tx_hash_hex)
  return { r, s, v }
}

/** The four steps of one action, and the wait for its block. @returns the reply of the broadcast */
export async function land(action: string, body: object, wallet: Wallet): Promise<Reply> {
  const crafted = await post(`action/${action}`, { address: wallet.address, ...body })
  if (crafted.status !== 200) return crafted
  const prepared = await post('action/prepare', { ...crafted.json, ...sign(crafted.json.unsigned_tx_hash_hex, wallet) })
  if (prepared.status !== 200) return prepared
  const sent = await post('action/broadcast', prepared.json)
  if (sent.status === 200) await mined(sent.json.tx_hash)
  return sent
}

/** Waits until a transaction is in a block, which on a busy machine is a moment after it was sent. */
export async function mined(hash: string): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [hash] })
  await eventually(`a block with ${hash}`, async () => {
    const response = await fetch(sandbox.chains['evm:143']!.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    return ((await response.json()) as { result?: unknown }).result
  })
}

/** Acts on the local chain through the control port. */
export async function control(operation: 'advance' | 'fund' | 'fault' | 'mine', body: object): Promise<any> {
  const response = await fetch(`${sandbox.controlUrl}/chains/evm/143/${operation}`, { method: 'POST', body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}
