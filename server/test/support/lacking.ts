import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { itemsOf, membersOf } from '@svc/contract'
import { type RecordedNode, recording } from '@svc/testing/recordings'
import type { Test } from 'tap'

/** One call of JSON-RPC. */
export interface Question {
  readonly id?: unknown
  readonly method: string
  readonly params: unknown
}

/** What a node answers otherwise than the local chain: the members of its answer beside the id; undefined where it answers the same. */
export interface Lack {
  /** In place of the chain's answer. @param told what the chain answers */
  one?(question: Question, told: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined
  /** To a whole batch, in place of asking the chain. */
  batch?(questions: readonly Question[]): unknown
  /** Calls that never get an answer. */
  silent?(question: Question): boolean
  /** Milliseconds before each answer. */
  readonly late?: number
  /** True for one that has no WebSocket. */
  readonly isUnpushed?: boolean
  /** To a call of gRPC-web: the status, and the words. */
  grpc?(method: string): readonly [status: number, message: string] | undefined
}

/** What a real node answered, to be given again: the members beside the id. */
export function recorded(node: RecordedNode, name: string): Readonly<Record<string, unknown>> {
  const { response } = recording(node, name)
  const { id: _, ...rest } = membersOf(itemsOf(response.body)[0] ?? response.body)
  return rest
}

/**
 * Starts an endpoint before a local chain that lacks something a node may lack.
 *
 * @param pushOffset number that is added to its port for its WebSocket, as to the chain's
 * @returns its address
 */
export async function startLacking(t: Test, rpcUrl: string, lack: Lack, pushOffset = 0): Promise<string> {
  const server = createServer(async (request, response) => {
    const answer = await answerTo(rpcUrl, lack, request, await bodyOf(request))
    if (lack.late !== undefined) await setTimeout(lack.late)
    if (answer !== null) response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()))
  })
  const pushes = pushOffset === 0 ? server : createServer((request) => request.socket.destroy())
  pushes.on('upgrade', (request, socket, first) => {
    socket.on('error', () => socket.destroy())
    if (lack.isUnpushed) return socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')
    if (lack.silent) return
    // As it is, with its headers: the chain serves it.
    const { hostname, port } = new URL(rpcUrl)
    const passed = connect(Number(port) + pushOffset, hostname, () => {
      const pairs = request.rawHeaders.map((part, index) => (index % 2 === 0 ? `${part}: ` : `${part}\r\n`))
      passed.write(`GET ${request.url} HTTP/1.1\r\n${pairs.join('')}\r\n`)
      passed.write(first)
      socket.pipe(passed).pipe(socket)
    })
    passed.on('error', () => socket.destroy())
  })
  t.teardown(() => {
    for (const each of new Set([server, pushes])) {
      each.closeAllConnections()
      each.close()
    }
  })
  await listenAt(server, 0)
  // Until the port beside its own is free as well.
  while (pushes !== server && !(await listenAt(pushes, (server.address() as AddressInfo).port + pushOffset))) {
    await new Promise((resolve) => server.close(resolve))
    await listenAt(server, 0)
  }
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** @returns false: somebody else has the port */
function listenAt(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const busy = () => resolve(false)
    server.once('error', busy)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', busy)
      resolve(true)
    })
  })
}

async function answerTo(
  rpcUrl: string,
  lack: Lack,
  { url = '/', method, headers }: IncomingMessage,
  body: Buffer,
): Promise<Response | null> {
  const refused = lack.grpc?.(url.split('/').at(-1) ?? '')
  const type = { 'content-type': headers['content-type'] ?? '' }
  // An answer of headers alone, as gRPC-web has them.
  if (refused) return new Response(null, { headers: { ...type, 'grpc-status': String(refused[0]), 'grpc-message': refused[1] } })
  const pass = (content: string | Uint8Array<ArrayBuffer>) =>
    fetch(new URL(url, rpcUrl), { method: method ?? 'POST', headers: type, body: content })
  if (!lack.one && !lack.batch && !lack.silent) return read(await pass(new Uint8Array(body)))
  const asked: unknown = JSON.parse(String(body))
  if (Array.isArray(asked)) {
    const whole = lack.batch?.(asked as Question[])
    if (whole !== undefined) return Response.json(whole)
  }
  const questions = (Array.isArray(asked) ? asked : [asked]) as Question[]
  if (questions.some((question) => lack.silent?.(question))) return null
  const told = await (await pass(String(body))).json()
  const answers = (Array.isArray(told) ? told : [told]).map((each: unknown) => {
    const question = questions.find(({ id }) => id === membersOf(each).id)
    const instead = question && lack.one?.(question, membersOf(each))
    return instead ? { id: question.id, ...instead } : each
  })
  return Response.json(Array.isArray(told) ? answers : answers[0])
}

/**
 * Reads an answer to its end, and leaves out the headers of a body that was decoded on the way. The body's stream is not passed on: `fetch` cancels the stream of an answer
 * that is collected as garbage, also where another answer reads it.
 */
async function read(answer: Response): Promise<Response> {
  const body = await answer.arrayBuffer()
  const kept = [...answer.headers].filter(
    ([name]) => !/^(content-encoding|content-length|transfer-encoding|connection|keep-alive)$/.test(name),
  )
  return new Response(body, { status: answer.status, headers: kept })
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
