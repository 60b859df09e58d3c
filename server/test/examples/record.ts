import { writeFile } from 'node:fs/promises'
import type { ProtocolExamples } from '@svc/contract'
import type { ExampleExchange } from '@svc/contract/host'
import type { Stage } from '@svc/sandbox'
import type { SandboxService } from '../../src/sandbox.ts'
import { startExamples } from '../support/examples-service.ts'
import { ownServers } from '../support/servers.ts'
import { signed, withNonce } from './sign.ts'

// Records, against the sandbox, what the document shows of each protocol, into `src/examples.generated.json` of its plugin.
// `pnpm examples` after a change that makes `server/test/spec/examples.test.ts` say so.

type Members = Readonly<Record<string, any>>

/** Nobody's wallets, one for each family, as an action names its signer. */
const STRANGERS: Readonly<Record<string, string>> = {
  evm: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
  cosmos: '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
  svm: 'AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9',
  move: `0x${'11'.repeat(32)}`,
}

const LOOK = '/transaction/{tx_hash}'

const shared = await ownServers()
const running = await startExamples()
try {
  const document = (await (await fetch(`${running.file.baseUrl}/openapi.json`)).json()) as Members
  for (const { name, plugin } of running.service.plugins) {
    const staged = running.stages.find((each) => each.plugin === name)
    if (!staged) continue
    const examples = await record(running, { ...staged, protocol: plugin.protocol }, document)
    const file = new URL(`../../../plugins/${name.replace('@svc/plugin-', '')}/src/examples.generated.json`, import.meta.url)
    await writeFile(file, `${JSON.stringify(examples, null, 2)}\n`)
    console.log(`${name}: ${Object.keys(examples.exchanges).length} exchanges`)
  }
} finally {
  await running.close()
  await shared.release()
}

interface Staged {
  readonly chainId: string
  readonly chain: string
  readonly stage: Stage
  readonly protocol: SandboxService['service']['plugins'][number]['plugin']['protocol']
}

async function record({ file }: SandboxService, { chainId, chain, stage, protocol }: Staged, document: Members): Promise<ProtocolExamples> {
  const { kit } = protocol
  const prefix = `/api/v1${protocol.prefix}`
  const exchanges: Record<string, ExampleExchange> = {}
  // A key each, as 200 requests a minute are not enough for all.
  const apiKey = await mintKey(file)

  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(file.baseUrl + prefix + path, {
      method,
      headers: { 'x-api-key': apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, json: (await response.json()) as Members }
  }
  async function succeed(method: string, path: string, body?: unknown): Promise<Members> {
    const { status, json } = await call(method, path, body)
    if (status !== 200) throw new Error(`${method} ${prefix}${path} ${JSON.stringify(body)}: ${status} ${JSON.stringify(json)}`)
    return json
  }
  /** The first refusal of each status that a client could have avoided. */
  async function refusals(path: string, bodies: readonly unknown[]): Promise<NonNullable<ExampleExchange['refusals']>> {
    const found: Record<string, any> = {}
    for (const body of bodies) {
      const { status, json } = await call('POST', path, body)
      if (status >= 400 && status < 500) found[status] ??= json
    }
    return found
  }
  const post = async (path: string, request: Members, refused: readonly unknown[]) => {
    const response = await succeed('POST', path, request)
    exchanges[`post ${path}`] = { request, response, refusals: await refusals(path, refused) }
    return response
  }

  for (const [action, body] of Object.entries(stage.bodies))
    await post(`/action/${action}`, body, [
      { ...body, [kit.signer]: STRANGERS[kit.family] },
      'amount' in body ? { ...body, amount: 1e12 } : {},
      {},
    ])
  for (const [path, item] of Object.entries<Members>(document.paths)) {
    // What was sent is looked at when it was sent.
    if (!item.get || !path.startsWith(`${prefix}/`) || path.includes(LOOK)) continue
    const behind = path.slice(prefix.length)
    const filled = behind.replace(/\{(\w+)\}/g, (_, name: string) => String(stage.parameters[name]))
    const malformed = behind.replace(/\{(\w+)\}/g, (_, name: string) =>
      name === 'address' ? 'not-an-address' : String(stage.parameters[name]),
    )
    const { status, json } = behind === filled ? await call('GET', filled, undefined, { 'x-network': '7' }) : await call('GET', malformed)
    const response = await succeed('GET', filled)
    exchanges[`get ${behind}`] = { response: named(response), ...(status === 400 ? { refusals: { 400: json as never } } : {}) }
  }

  const { action, body, nonce } = stage.sent
  const signer = body[kit.signer] as string
  const crafted = await succeed('POST', `/action/${action}`, body)
  const unsigned = nonce === undefined ? crafted : await withNonce(crafted, signer, nonce, file.chains[chain]!.rpcUrl)
  const signatures = await signed(kit.family, signer, unsigned)
  const prepared = await post('/action/prepare', signatures, [withoutSignature(signatures)])
  const { tx_hash } = await post('/action/broadcast', prepared, [broadcastOf(signatures)])
  if (protocol.intent?.family.explain) {
    const { signed_tx_hex, signed_tx_b64 } = prepared
    await post('/action/inspect', { transaction: signed_tx_hex ?? signed_tx_b64 }, [{ transaction: '00' }])
  }
  if (!kit.life) return { network: chainId, parameters: stage.parameters, exchanges }
  await post('/transaction/track', prepared, [{ tx_hash: 'not-a-hash' }])
  const { json: malformed } = await call('GET', LOOK.replace('{tx_hash}', 'not-a-hash'))
  const response = await succeed('GET', LOOK.replace('{tx_hash}', tx_hash))
  exchanges[`get ${LOOK}`] = { response, refusals: { 400: malformed as never } }
  if (kit.life.signed) exchanges[`get ${LOOK}/signed`] = { response: prepared, refusals: { 400: malformed as never } }
  return { network: chainId, parameters: { ...stage.parameters, tx_hash }, exchanges }
}

async function mintKey({ baseUrl, managementToken }: SandboxService['file']): Promise<string> {
  const response = await fetch(`${baseUrl}/api/v1/apikeys`, {
    method: 'POST',
    headers: { token: managementToken, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'examples' }),
  })
  return ((await response.json()) as { key: string }).key
}

/** What the operator calls a network is not the sandbox's business. */
function named(response: Members): Members {
  if (!Array.isArray(response) || response[0]?.is_default === undefined) return response
  return response.filter(({ is_default }) => is_default).map((network) => ({ ...network, name: 'mainnet' }))
}

/** The signature replaced by zeros. */
function withoutSignature(body: Members): Members {
  const zeros = (text: string) => text.replace(/^(0x)?.*$/s, (_, mark = '') => mark + '0'.repeat(text.length - mark.length))
  if (body.signatures) return { ...body, signatures: [body.unsigned_tx_b64 ? 'AAAA' : zeros(body.signatures[0])] }
  return body.signature_hex ? { ...body, signature_hex: zeros(body.signature_hex) } : { ...body, r: zeros(body.r) }
}

/** The unsigned transaction where a signed one is wanted. */
function broadcastOf(body: Members): Members {
  if (body.unsigned_tx_b64) return { unsigned_tx_b64: body.unsigned_tx_b64, signatures: [] }
  return { signed_tx_hex: body.serialized_tx_hex ?? body.tx_body_hex ?? body.unsigned_tx_hex }
}
