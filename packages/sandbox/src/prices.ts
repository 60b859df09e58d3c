import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { SandboxError } from './error.ts'
import { type Fault, FaultSwitch, parseFault } from './fault.ts'
import { listen, sendJson, shut } from './http.ts'
import { show } from './input.ts'

/** Prices in US dollars that the stand-in begins with, by id; made up, and never those of a market. */
export const sandboxPrices: Readonly<Record<string, string>> = {
  cosmos: '4.5',
  celestia: '1.25',
  monad: '0.0345',
  'pharos-network': '0.75',
  solana: '150.123456789',
  sui: '3.2',
}

/** A price service that stands in for any with CoinGecko's `simple/price`. */
export interface PricesServer {
  readonly url: string
  /** Returns the prices by id, as they stand in the answer. */
  prices(): Readonly<Record<string, string>>
  /**
   * @param usd JSON text that stands in the answer as it is, so that a source can lie: `3.5`, `-1`, `"3.5"`, `null`, `1e99`; undefined: the id
   *   is unknown
   * @param updatedAt Unix seconds; undefined: now, whenever it is asked
   * @throws SandboxError `INVALID_INPUT`
   */
  set(id: string, usd: string | undefined, updatedAt?: number): void
  /** @throws SandboxError `INVALID_INPUT` */
  fault(fault: Fault): void
  /** Number of requests that came. */
  readonly asked: number
  close(): Promise<void>
}

const mostIds = 1_000

/**
 * Starts a stand-in for CoinGecko. It answers `GET /simple/price?ids=a,b&vs_currencies=usd` by an object with a member for each known id; `include_last_updated_at=true`
 * adds when the price was last seen.
 *
 * @param options.port 0 for any free one
 * @see https://docs.coingecko.com/v3.0.1/reference/simple-price (read 2026-11-22)
 */
export async function startPrices(options: { readonly port: number }): Promise<PricesServer> {
  const faults = new FaultSwitch()
  const quotes = new Map<string, { usd: string; updatedAt: number | undefined }>(
    Object.entries(sandboxPrices).map(([id, usd]) => [id, { usd, updatedAt: undefined }]),
  )
  let requests = 0

  const server = createServer((request, response) => {
    requests++
    request.resume()
    const fault = faults.take()
    if (fault.kind === 'drop') return void request.socket.destroy()
    if (fault.kind === 'error') return sendJson(response, 500, { error: 'a fault is switched on: every request fails' })
    if (fault.kind === 'none') return answer(request, response)
    const timer = setTimeout(() => answer(request, response), fault.ms)
    response.once('close', () => clearTimeout(timer))
  })

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (request.method !== 'GET' || pathname !== '/simple/price') return void sendJson(response, 404, { error: `nothing at ${pathname}` })
    if (searchParams.get('vs_currencies') !== 'usd')
      return void sendJson(response, 422, { error: 'Missing parameter vs_currencies: only usd here' })
    const dated = searchParams.get('include_last_updated_at') === 'true'
    const entries = [...new Set((searchParams.get('ids') ?? '').split(','))].slice(0, mostIds).flatMap((id) => {
      const price = quotes.get(id)
      const time = dated ? `,"last_updated_at":${price?.updatedAt ?? Math.floor(Date.now() / 1000)}` : ''
      return price ? [`${JSON.stringify(id)}:{"usd":${price.usd}${time}}`] : []
    })
    const text = `{${entries.join(',')}}`
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text)
  }

  const url = await listen(server, options.port, 'the prices')
  return {
    url,
    prices: () => Object.fromEntries([...quotes].map(([id, { usd }]) => [id, usd])),
    set(id, usd, updatedAt) {
      if (!/^[A-Za-z0-9._-]{1,100}$/.test(id))
        throw new SandboxError('INVALID_INPUT', `id is ${show(id)}: it must be a word such as "monad"`)
      if (usd === undefined) return void quotes.delete(id)
      if (usd.length > 100 || !isJson(usd))
        throw new SandboxError('INVALID_INPUT', `usd is ${show(usd)}: it must be JSON as text, such as "3.5", of 100 characters at most`)
      quotes.set(id, { usd, updatedAt })
    },
    fault: (fault) => faults.set(parseFault(fault)),
    get asked() {
      return requests
    },
    close: () => shut(server),
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
