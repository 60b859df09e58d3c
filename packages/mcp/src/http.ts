import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  type McpServerFactory,
} from '@modelcontextprotocol/server'
import { SetupError } from '@svc/client'

export interface HttpOptions {
  /** @default 127.0.0.1 */
  readonly host?: string
  /** 0 takes a free one. @default 8765 */
  readonly port?: number
  /** Origins of web pages that may call it, whole: `https://agent.example`. @default none */
  readonly origins?: readonly string[]
  /** Names by which it may be asked, without a port, besides those of this machine. */
  readonly hosts?: readonly string[]
  /** Token that a caller must send as `Authorization: Bearer …`; required where others than this machine reach the server. */
  readonly token?: string
}

export interface HttpServer {
  /** `http://127.0.0.1:8765/mcp` */
  readonly url: string
  close(): Promise<void>
}

const PATH = '/mcp'
const LOOPBACK = ['127.0.0.1', '::1', 'localhost']
/** A transaction in hex, and what stands around it. */
const MOST_BYTES = 1024 * 1024

/**
 * Serves MCP by Streamable HTTP. A foreign Origin is 403, a foreign Host 403, a wrong token 401.
 *
 * @throws SetupError when it would listen to others than this machine without a token
 */
export async function serveHttp(factory: McpServerFactory, options: HttpOptions = {}): Promise<HttpServer> {
  const { host = '127.0.0.1', port = 8765, origins = [], hosts = [], token } = options
  if (!LOOPBACK.includes(host) && !token)
    throw new SetupError(`${host} is reached by others than this machine, so a token is needed: set SVC_MCP_TOKEN.`)
  const handler = createMcpHandler(factory, { maxRequestBodySize: MOST_BYTES, onerror: (error) => console.error(error.message) })
  const names = [...localhostAllowedHostnames(), ...hosts]

  async function answer(request: Request): Promise<Response> {
    const foreignHost = hostHeaderValidationResponse(request, names)
    if (foreignHost) return foreignHost
    const origin = request.headers.get('origin')
    if (origin !== null && !origins.includes(origin)) return refusal(403, 'This origin may not call this server.')
    if (token && !isSame(request.headers.get('authorization') ?? '', `Bearer ${token}`))
      return refusal(401, 'The token is missing or wrong.')
    return new URL(request.url).pathname === PATH ? handler.fetch(request) : refusal(404, `The server is at ${PATH}.`)
  }

  const server = createServer((incoming, outgoing) => {
    exchange(incoming, outgoing, answer).catch((error: unknown) => {
      if (!outgoing.destroyed) console.error(error)
      outgoing.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: `http://${openable(host)}:${bound}${PATH}`,
    async close() {
      await handler.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** One request of Node as one of the web, and back. */
async function exchange(incoming: IncomingMessage, outgoing: ServerResponse, answer: (request: Request) => Promise<Response>) {
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  const { method = 'GET', url = '/', headers: rawHeaders } = incoming
  const headers = new Headers(Object.entries(rawHeaders).map(([name, value]): [string, string] => [name, [value ?? ''].flat().join(', ')]))
  const body = method === 'GET' || method === 'HEAD' ? null : Readable.toWeb(incoming)
  // Whatever the Host header says is judged by itself; the address is only looked at for its path.
  const request = new Request(new URL(url, 'http://localhost'), { method, headers, body, duplex: 'half', signal: gone.signal })
  const response = await answer(request)
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  if (response.body) await pipeline(Readable.fromWeb(response.body), outgoing)
  else outgoing.end()
}

function refusal(status: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }, { status })
}

/** Without telling by its time how much was right. */
function isSame(token: string, secret: string): boolean {
  const [left, right] = [token, secret].map((text) => createHash('sha256').update(text).digest())
  return left !== undefined && right !== undefined && timingSafeEqual(left, right)
}

/** A host as a URL has it; of an address that stands for all of a machine's, the one that reaches it from the machine itself. */
function openable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return host.includes(':') ? `[${host === '::' ? '::1' : host}]` : host
}
