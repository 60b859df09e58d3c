import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import type { Random } from './random.ts'
import type { FuzzRequest } from './requests.ts'
import { bytesOf } from './values.ts'

/** An answer as it came. */
export interface FuzzReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
}

/** Longest that an answer may take, in milliseconds; what is not answered by then hangs. */
const HANG_MS = 15_000

/** Nothing came in time. */
export class Hang extends Error {}

/** Sends requests on connections that stay open. */
export function createClient(port: number, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const send = ({ method, path, headers, body }: FuzzRequest): Promise<FuzzReply> =>
    new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, agent, method, path, headers: withLength(headers, body) }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.once('error', reject)
        response.once('end', () => {
          clearTimeout(timer)
          resolve({ status: response.statusCode ?? 0, headers: response.headers as FuzzReply['headers'], body: Buffer.concat(chunks) })
        })
      })
      const timer = setTimeout(() => sent.destroy(new Hang(`${method} ${path}`)), HANG_MS)
      sent.once('error', (error) => {
        clearTimeout(timer)
        reject(error)
      })
      sent.end(body)
    })
  return { send, close: () => agent.destroy() }
}

function withLength(headers: FuzzRequest['headers'], body: Buffer | undefined): Record<string, string> {
  return body === undefined ? { ...headers } : { ...headers, 'content-length': String(body.length) }
}

/** Bytes that are a request no more, or another one than they seem. */
export function brokenBytes(random: Random, { method, path, headers, body = Buffer.alloc(0) }: FuzzRequest): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const extra = random.pick([
    `Content-Length: ${body.length + random.below(3) - 1}`,
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: gzip, chunked',
    'Content-Length: 1\r\nContent-Length: 2',
    'Content-Length: -1',
    'Content-Length: 99999999999999999999',
    'Host: a\r\nHost: b',
    'Connection: upgrade\r\nUpgrade: websocket',
    'Connection: close, keep-alive',
    ' folded',
    'no-colon',
    ': no name',
    `X-Long: ${'x'.repeat(20_000)}`,
    'X-Null: a\u0000b',
  ])
  const version = random.pick(['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'HTTP/1.1 ', ''])
  const host = random.oneIn(4) ? [] : ['Host: svc']
  const end = random.oneIn(10) ? '\n' : '\r\n'
  const head = [`${method} ${path} ${version}`, ...host, ...lines, extra, '', ''].join(end)
  const bytes = Buffer.concat([Buffer.from(head, 'latin1'), body])
  for (let times = random.below(4); times > 0; times--) bytes[random.below(bytes.length)] = random.below(256)
  if (random.oneIn(10)) return bytesOf(random, 1 + random.below(300))
  if (random.oneIn(10)) return Buffer.concat([bytes, bytes])
  return random.oneIn(5) ? bytes.subarray(0, random.below(bytes.length)) : bytes
}

/** Sends bytes on a connection of its own, says that no more come, and reads what is answered until the server closes. */
export function sendBytes(port: number, bytes: Buffer): Promise<FuzzReply[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Hang(JSON.stringify(bytes.subarray(0, 300).toString('latin1'))))
    }, HANG_MS)
    socket.on('data', (chunk) => chunks.push(chunk))
    // A server that refuses what it has not read whole ends the connection at once.
    socket.on('error', () => undefined)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(repliesIn(Buffer.concat(chunks)))
    })
    socket.end(bytes)
  })
}

/** Answers one after the other; one whose body does not come was to a HEAD. */
function repliesIn(bytes: Buffer): FuzzReply[] {
  const replies: FuzzReply[] = []
  let rest = bytes
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) break
    const [first = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const headers = Object.fromEntries(lines.map((line) => [line.split(':')[0]!.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]))
    const status = Number(first.split(' ')[1])
    rest = rest.subarray(end + 4)
    if (status < 200) continue
    const length =
      status === 204 || status === 304 || rest.subarray(0, 5).toString('latin1') === 'HTTP/' ? 0 : Number(headers['content-length'] ?? 0)
    replies.push({ status, headers, body: rest.subarray(0, length) })
    rest = rest.subarray(length)
  }
  return replies
}
