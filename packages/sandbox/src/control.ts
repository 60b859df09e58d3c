import { createServer, type IncomingMessage } from 'node:http'
import type { ChainOperation, SandboxChain } from './chain.ts'
import { isSandboxError, SandboxError } from './error.ts'
import { parseFault } from './fault.ts'
import { listen, namesLoopback, readBody, sendJson, shut } from './http.ts'
import { parseBlocks, parseCount, parseStep, show } from './input.ts'
import { membersOf } from './members.ts'
import type { PricesServer } from './prices.ts'

/** A running control port. */
export interface Control {
  readonly url: string
  close(): Promise<void>
}

const bodyLimit = 16_384

type Body = Readonly<Record<string, unknown>>

/** What every chain can do, and after it what this one can do besides. */
function operationsOf(chain: SandboxChain): Readonly<Record<string, ChainOperation>> {
  const common: Readonly<Record<string, ChainOperation>> = {
    advance: {
      example: { epochs: 1 },
      members: ['epochs', 'seconds'],
      run: (body) => chain.advance(parseStep(body)),
    },
    fund: {
      example: { address: '…', amount: '1.5' },
      members: ['address', 'amount'],
      async run({ address, amount }) {
        if (typeof address !== 'string') throw new SandboxError('INVALID_INPUT', `address is ${show(address)}: it must be text`)
        if (typeof amount !== 'string') throw new SandboxError('INVALID_INPUT', `amount is ${show(amount)}: it must be text, such as "1.5"`)
        return chain.fund(address, amount)
      },
    },
    fault: {
      example: { kind: 'delay', ms: 1000, times: 1 },
      members: ['kind', 'ms', 'times'],
      async run(body) {
        const fault = parseFault(body)
        chain.fault(fault)
        return { fault }
      },
    },
    mine: {
      example: { blocks: 1 },
      members: ['blocks'],
      async run({ blocks }) {
        if (chain.mine === undefined) throw new SandboxError('NOT_SUPPORTED', `${chain.id} makes its blocks by itself`)
        return chain.mine(blocks === undefined ? 1 : parseBlocks(blocks))
      },
    },
  }
  // The second time keeps the order and lets what is common win.
  return { ...common, ...chain.operations, ...common }
}

/** What the stand-in for a price service can do. */
function priceOperations(prices: PricesServer): Readonly<Record<string, ChainOperation>> {
  return {
    set: {
      example: { id: 'monad', usd: '0.05' },
      members: ['id', 'usd', 'updated_at'],
      async run({ id, usd, updated_at }) {
        if (typeof id !== 'string') throw new SandboxError('INVALID_INPUT', `id is ${show(id)}: it must be text, such as "monad"`)
        if (usd !== undefined && typeof usd !== 'string')
          throw new SandboxError('INVALID_INPUT', `usd is ${show(usd)}: it must be text, such as "0.05"; left out, the id becomes unknown`)
        prices.set(id, usd, updated_at === undefined ? undefined : parseCount('updated_at', updated_at, Number.MAX_SAFE_INTEGER))
        return { usd: prices.prices() }
      },
    },
    fault: {
      example: { kind: 'delay', ms: 1000, times: 1 },
      members: ['kind', 'ms', 'times'],
      async run(body) {
        const fault = parseFault(body)
        prices.fault(fault)
        return { fault }
      },
    },
  }
}

/**
 * Opens the control port of the sandbox: plain HTTP and JSON on 127.0.0.1.
 *
 * `GET /` lists the chains; `POST /chains/<family>/<chain id>/<operation>` does something to one: what
 * every chain can do, and what a chain offers besides; `POST /prices/set` and `/prices/fault` act on the prices. Refusals are
 * `{ "error": sentence }`: 400 for a body that does not fit, 404 for an unknown chain or operation, 405 for another method,
 * 413 for more than 16 KiB, 403 for a request that does not come from this machine's own name.
 *
 * @param options.port 0 for any free one
 * @throws SandboxError `PORT_BUSY`
 */
export async function startControl(options: { port: number; chains: readonly SandboxChain[]; prices?: PricesServer }): Promise<Control> {
  const chains = new Map<string, SandboxChain>(options.chains.map((chain) => [chain.id, chain]))
  const server = createServer(async (request, response) => {
    const answer = await handle(chains, options.prices, request).catch((error: unknown) => toRefusal(error))
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
  prices: PricesServer | undefined,
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
  const chain = chains.get(`${family}:${chainId}`)
  if (chain === undefined) return refusal(404, `no chain ${family}:${chainId} here; there are: ${[...chains.keys()].join(', ')}`)
  return operate(request, path, name, operationsOf(chain))
}

async function operate(
  request: IncomingMessage,
  path: string,
  name: string,
  operations: Readonly<Record<string, ChainOperation>>,
): Promise<Answer> {
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined
  if (operation === undefined) return refusal(404, `no operation ${name}; there are: ${Object.keys(operations).join(', ')}`)
  if (request.method !== 'POST') return wrongMethod(request, path, 'POST')

  const text = await readBody(request, bodyLimit)
  if (text === undefined) return refusal(413, `the body is longer than ${bodyLimit} bytes`)
  return { statusCode: 200, body: await operation.run(parseBody(text, name, operation)) }
}

function parseBody(text: string, name: string, operation: ChainOperation): Body {
  const example = `such as ${JSON.stringify(operation.example)}`
  let body: unknown
  try {
    body = JSON.parse(text === '' ? '{}' : text)
  } catch {
    throw new SandboxError('INVALID_INPUT', `the body is not JSON: ${name} takes an object, ${example}`)
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new SandboxError('INVALID_INPUT', `the body is ${show(body)}: ${name} takes an object, ${example}`)
  }
  const stranger = Object.keys(body).find((member) => !operation.members.includes(member))
  if (stranger === undefined) return membersOf(body)
  throw new SandboxError('INVALID_INPUT', `${name} knows no member ${show(stranger)}: it takes ${operation.members.join(', ')}`)
}

function overview(chains: ReadonlyMap<string, SandboxChain>, prices: PricesServer | undefined): unknown {
  return {
    chains: [...chains.values()].map((chain) => ({
      id: chain.id,
      rpcUrl: chain.rpcUrl,
      operations: Object.fromEntries(
        Object.entries(operationsOf(chain))
          .filter(([name]) => name !== 'mine' || chain.mine !== undefined)
          .map(([name, { example }]) => [`POST /chains/${chain.id.replace(':', '/')}/${name}`, example]),
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
  return refusal(error.code === 'INVALID_INPUT' || error.code === 'NOT_SUPPORTED' ? 400 : 500, error.message)
}
