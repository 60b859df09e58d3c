import { createServer, type IncomingMessage } from 'node:http'
import type { ChainOperation, SandboxChain } from './chain.ts'
import { isSandboxError, SandboxError } from './error.ts'
import { listen, namesLoopback, readBody, sendJson, shut } from './http.ts'
import { show } from './input.ts'
import { type AdvanceListener, chainNamed, checkBody, offeredBy, operationNamed, operationsOf, priceOperations } from './operations.ts'
import type { PricesServer } from './prices.ts'

/** A running control port. */
export interface Control {
  readonly url: string
  close(): Promise<void>
}

const bodyLimit = 16_384

/**
 * Opens the control port of the sandbox: plain HTTP and JSON on 127.0.0.1.
 *
 * `GET /` lists the chains; `POST /chains/<family>/<chain id>/<operation>` runs an operation on one: those that every chain has, and those that this chain adds; `POST
 * /prices/set` and `/prices/fault` act on the prices. Refusals are `{ "error": sentence }`: 400 for an invalid body, 404 for an unknown chain or operation, 405 for another
 * method, 413 for more than 16 KiB, 403 for a request that does not come from this machine's own name.
 *
 * @param options.port 0 for any free one
 * @throws SandboxError `PORT_BUSY`
 */
export async function startControl(options: {
  port: number
  chains: readonly SandboxChain[]
  prices?: PricesServer
  advanced?: AdvanceListener
}): Promise<Control> {
  const chains = new Map<string, SandboxChain>(options.chains.map((chain) => [chain.id, chain]))
  const server = createServer(async (request, response) => {
    const answer = await handle(chains, options, request).catch((error: unknown) => toRefusal(error))
    // An answer may come before the whole body has: the rest is not waited for.
    const headers = { ...answer.headers, ...(request.complete ? {} : { connection: 'close' }) }
    sendJson(response, answer.statusCode, answer.body, headers)
  })
  const url = await listen(server, options.port, 'the control port')
  return { url, close: () => shut(server) }
}

interface Answer {
  readonly statusCode: number
  readonly body: unknown
  readonly headers?: Record<string, string>
}

async function handle(
  chains: ReadonlyMap<string, SandboxChain>,
  { prices, advanced }: { readonly prices?: PricesServer; readonly advanced?: AdvanceListener },
  request: IncomingMessage,
): Promise<Answer> {
  const { host, origin } = request.headers
  if (!namesLoopback(host)) return refusal(403, `host ${show(host)} is not this machine: use 127.0.0.1 or localhost`)
  if (origin !== undefined && !namesLoopback(origin)) return refusal(403, `a page of ${show(origin)} may not control the sandbox`)

  const path = new URL(request.url ?? '/', 'http://localhost').pathname
  if (path === '/')
    return request.method === 'GET' ? { statusCode: 200, body: overview(chains, prices) } : wrongMethod(request, path, 'GET')

  const [, top, family, chainId, name, ...rest] = path.split('/')
  if (top === 'prices' && prices && family && chainId === undefined) {
    const operations = priceOperations(prices)
    return operate(request, path, family, operations)
  }
  if (top !== 'chains' || !family || !chainId || !name || rest.length > 0) {
    return refusal(404, `nothing at ${path}: GET / lists the chains, POST /chains/<family>/<chain id>/<operation> acts on one`)
  }
  return operate(request, path, name, operationsOf(chainNamed(chains, `${family}:${chainId}`), advanced))
}

async function operate(
  request: IncomingMessage,
  path: string,
  name: string,
  operations: Readonly<Record<string, ChainOperation>>,
): Promise<Answer> {
  const operation = operationNamed(operations, name)
  if (request.method !== 'POST') return wrongMethod(request, path, 'POST')

  const text = await readBody(request, bodyLimit)
  if (text === undefined) return refusal(413, `the body is longer than ${bodyLimit} bytes`)
  return { statusCode: 200, body: await operation.run(checkBody(parseBody(text, name, operation), name, operation)) }
}

function parseBody(text: string, name: string, { example }: ChainOperation): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text)
  } catch {
    throw new SandboxError('INVALID_INPUT', `the body is not JSON: ${name} takes an object, such as ${JSON.stringify(example)}`)
  }
}

function overview(chains: ReadonlyMap<string, SandboxChain>, prices: PricesServer | undefined): unknown {
  return {
    chains: [...chains.values()].map((chain) => ({
      id: chain.id,
      rpcUrl: chain.rpcUrl,
      operations: Object.fromEntries(
        Object.entries(offeredBy(chain)).map(([name, { example }]) => [`POST /chains/${chain.id.replace(':', '/')}/${name}`, example]),
      ),
    })),
    ...(prices ? { prices: { url: prices.url, usd: prices.prices(), operations: examplesOf('/prices', priceOperations(prices)) } } : {}),
  }
}

function examplesOf(path: string, operations: Readonly<Record<string, ChainOperation>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(operations).map(([name, { example }]) => [`POST ${path}/${name}`, example]))
}

function wrongMethod(request: IncomingMessage, path: string, allow: string): Answer {
  return { ...refusal(405, `${request.method} ${path}: use ${allow}`), headers: { allow } }
}

function refusal(statusCode: number, error: string): Answer {
  return { statusCode, body: { error } }
}

function toRefusal(error: unknown): Answer {
  if (!isSandboxError(error)) return refusal(500, `the sandbox failed: ${error instanceof Error ? error.message : String(error)}`)
  if (error.code === 'NOT_FOUND') return refusal(404, error.message)
  return refusal(error.code === 'INVALID_INPUT' || error.code === 'NOT_SUPPORTED' ? 400 : 500, error.message)
}
