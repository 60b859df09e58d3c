import { createHash } from 'node:crypto'
import { chmod, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { Intent } from '@svc/verify/intent'
import { parseExact } from '../json.ts'
import type { ServeAsked } from './arguments.ts'
import { isTrust, readBytes } from './files.ts'
import type { BuiltIntents, IntentFinder } from './intents.ts'
import { answerLine, type PinnedTrust, type Seat } from './lines/desk.ts'
import { MAX_LINE, VERSION } from './lines/question.ts'
import { Mistake } from './outcome.ts'

/** Intents that a program can find, and those that it has in itself; null: none. */
interface Program {
  readonly find: IntentFinder
  readonly built: BuiltIntents | null
}

/** Streams by which questions come and answers go. */
interface Streams {
  readonly input: Readable
  readonly output: Writable
}

/**
 * Answers questions, one line of JSON each, with one line each, in their order, until the input ends; on standard streams, or on a socket that only its owner may use. It
 * makes no connection.
 *
 * @throws Mistake
 */
export async function serve(options: ServeAsked, folder: string, program: Program, streams: Streams): Promise<void> {
  const seat = await seatOf(options, folder, program)
  if (options.socket === undefined) return answerAll(streams, seat)
  const path = resolve(folder, options.socket)
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    answerAll({ input: socket, output: socket }, seat).catch(() => socket.destroy())
  })
  await rm(path, { force: true })
  await new Promise<void>((done, failed) => {
    server.once('error', failed)
    // Nobody else connects between the making of the socket and the change of its mode.
    const mask = process.umask(0o177)
    server.listen(path, () => done())
    process.umask(mask)
  }).catch((error: unknown) => {
    throw new Mistake(`The socket ${path} cannot be made: ${error instanceof Error ? error.message : String(error)}.`)
  })
  await chmod(path, 0o600)
  streams.output.write(`${JSON.stringify({ v: VERSION, socket: path })}\n`)
  // Whoever started it ends it by closing its input.
  for await (const _ of streams.input);
  server.close()
  await rm(path, { force: true })
}

async function seatOf({ trusts }: ServeAsked, folder: string, { find, built }: Program): Promise<Seat> {
  const pinned: PinnedTrust[] = []
  for (const [name, file] of trusts) {
    const bytes = await readBytes(folder, file)
    const document = jsonOf(bytes, file)
    if (!isTrust(document as never))
      throw new Mistake(`${file} is no trust document: it has no list of protocols with their networks. \`svc trust\` prints one.`)
    pinned.push({ name, document: document as never, sha256: createHash('sha256').update(bytes).digest('hex') })
  }
  const loaded = new Map<string, Promise<Intent>>()
  return {
    version: built?.version ?? 'source',
    trusts: pinned,
    paths: built?.intents.map(({ intent }) => intent.path.slice(1)) ?? [],
    async intent(protocol) {
      const intent = loaded.get(protocol) ?? find(protocol)
      loaded.set(protocol, intent)
      // One that is not there now may be installed later.
      intent.catch(() => loaded.delete(protocol))
      return intent
    },
  }
}

function jsonOf(bytes: Uint8Array, file: string): unknown {
  try {
    return parseExact(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    throw new Mistake(`${file} is not JSON, or has a member twice in one object, of which every reader takes another.`)
  }
}

const NEWLINE = 0x0a
const TOO_LONG = `{"v":${VERSION},"id":null,"ok":false,"code":"ASKED_WRONG","sentence":"The line has more than ${MAX_LINE} bytes, or does not end.","mismatches":[]}\n`

/**
 * Answers one question after another: what is not read yet waits in the pipe. A line that does not end closes the connection, since nobody knows where the next one
 * begins.
 */
async function answerAll({ input, output }: Streams, seat: Seat): Promise<void> {
  let rest = Buffer.alloc(0)
  for await (const chunk of input) {
    rest = Buffer.concat([rest, typeof chunk === 'string' ? Buffer.from(chunk) : chunk])
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      if (end > MAX_LINE) return endWith(output, TOO_LONG)
      const line = rest.subarray(0, end).toString('utf8')
      rest = rest.subarray(end + 1)
      if (line.trim() !== '') await written(output, `${await answerLine(line, seat)}\n`)
    }
    if (rest.length > MAX_LINE) return endWith(output, TOO_LONG)
  }
  if (rest.toString('utf8').trim() !== '') await written(output, `${await answerLine(rest.toString('utf8'), seat)}\n`)
}

async function endWith(output: Writable, line: string): Promise<void> {
  await written(output, line)
  output.end()
}

async function written(output: Writable, line: string): Promise<void> {
  if (output.write(line) || output.destroyed) return
  await new Promise<void>((done) => {
    output.once('drain', done)
    output.once('close', done)
  })
}
