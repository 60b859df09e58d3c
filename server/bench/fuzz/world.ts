import { fileURLToPath } from 'node:url'
import { bech32 } from '@scure/base'
import { createCredential, createServer, discover, freshSigner, openStore, type Peppers, parseConfig, type Signer } from '@svc/core'
import type { FastifyInstance } from 'fastify'
import type { Random } from './random.ts'
import { anyJson } from './values.ts'

const quiet = { debug() {}, info() {}, warn() {}, error: console.error }
const ACCOUNT = 'fuzz'

/** Members that are read of a schema in an OpenAPI document. */
export interface Schema {
  readonly $ref?: string
  readonly type?: unknown
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

/** Members that are read of an operation. */
export interface Described {
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema?: Schema; readonly example?: unknown }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema?: Schema; example?: Record<string, unknown> }>> }
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** The service with all nine protocols, and limits out of the way. */
export interface FuzzWorld {
  readonly app: FastifyInstance
  readonly signer: Signer
  readonly document: Document
  readonly key: string
  readonly token: string
  /** Keys that were made, which may be looked at, changed and deleted. */
  readonly ulids: string[]
  close(): Promise<void>
}

const validator = (prefix: string) => bech32.encode(`${prefix}valoper`, bech32.toWords(Buffer.alloc(20, 7)))
const vote = 'CertusDeBmqN8ZawdkxK5kFGMwBXdudvWHYwtNgNhvLu'
const network = (settings: object) => ({ name: 'fuzz', endpoints: { rpc: ['http://upstream.invalid'] }, ...settings })

/** Networks as an operator would write them; what they name need not exist. */
const PLUGINS = {
  '@svc/plugin-hub-one': { 'cosmoshub-4': network({ validator: validator('cosmos') }) },
  '@svc/plugin-hub-two': { celestia: network({ validator: validator('celestia') }) },
  '@svc/plugin-evm-vault': { 1: network({ vault: '0xAC0F906E433d58FA868F936E8A43230473652885' }) },
  '@svc/plugin-evm-two': { 1672: network({ pool_id: `0x${'07'.repeat(32)}` }) },
  '@svc/plugin-evm-three': { 143: network({ validator_id: 12 }) },
  '@svc/plugin-evm-three-liquid': { 143: network({ validator_id: 12 }) },
  '@svc/plugin-svm-native': { 'mainnet-beta': network({ validator: vote }), devnet: network({ validator: vote }) },
  '@svc/plugin-svm-liquid': { 'mainnet-beta': network({}) },
  '@svc/plugin-move-native': { mainnet: network({ validator: `0x${'07'.repeat(32)}` }) },
}

/** Stand-in for the chains: nobody, or somebody who answers anything. */
export type Upstream = 'down' | 'nonsense'

/** Starts the service of a fuzz in this process, its state in memory. The caller closes it. */
export async function createFuzzWorld(random: Random, upstream: Upstream): Promise<FuzzWorld> {
  const peppers: Peppers = ['fuzz-fuzz-fuzz-fuzz-fuzz-fuzz-fuzz']
  const most = 1_000_000_000
  const config = parseConfig(
    {
      plugins: Object.fromEntries(Object.entries(PLUGINS).map(([name, networks]) => [name, { networks }])),
      accounts: { [ACCOUNT]: { name: 'Fuzz' } },
      trusted_proxies: ['loopback'],
      limits: { key_per_minute: most, address_per_minute: most, console_per_minute: most },
      log_level: 'silent',
    },
    {},
  )
  const store = await openStore({ dataDir: ':memory:', log: quiet })
  const signer = await freshSigner()
  const plugins = await discover(config, [fileURLToPath(new URL('../../../package.json', import.meta.url))])
  const app = await createServer({ config, plugins, store, signer, peppers, fetch: upstream === 'down' ? down : nonsense(random) })
  const mint = (kind: 'key' | 'token') => createCredential(store, peppers, new Date(), { kind, account: ACCOUNT, name: 'fuzz' })
  const [key, token] = [await mint('key'), await mint('token')]
  const document = (await app.inject('/openapi.json')).json<Document>()
  const close = async () => {
    await app.close()
    await store.close()
  }
  return { app, signer, document, key: key.value, token: token.value, ulids: [], close }
}

const down: typeof fetch = async () => {
  throw Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) })
}

/** Answers of the right form with anything in them, for JSON-RPC; of no form at all for others. */
function nonsense(random: Random): typeof fetch {
  const result = () => {
    const text = anyJson(random)
    try {
      return JSON.parse(text)
    } catch {
      return text
    }
  }
  return async (_url, init) => {
    if (random.oneIn(8)) return down('')
    if (random.oneIn(8)) return new Response(anyJson(random), { status: random.pick([200, 404, 429, 500, 503]) })
    let request: unknown
    try {
      request = JSON.parse(String(init?.body))
    } catch {
      return new Response(anyJson(random))
    }
    const answer = (call: { id?: unknown }) => ({ jsonrpc: '2.0', id: call?.id, result: result() })
    return Response.json(Array.isArray(request) ? request.map(answer) : answer(request as object))
  }
}
