import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import type { TrustDocument } from '@svc/client'
import { run } from '@svc/client/cli'
import type { Intent } from '@svc/verify/intent'
// By its path: as a dependency it would close a circle of packages, since it is itself tested on a plugin.
import { createMcp } from '../../mcp/src/index.ts'

// Of conformance, as far as it matters here: it is built with what this package tests.

interface Seat {
  readonly intent: Intent
  readonly trust: TrustDocument
  readonly apiKey: string
  readonly fetch: typeof fetch
}

interface Exchange {
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string }
  readonly response: { readonly headers: Readonly<Record<string, string>>; readonly body: string }
}

type Verdict =
  | { readonly taken: true; readonly sentence: string; readonly assumed: readonly unknown[] }
  | { readonly taken: false; readonly refusal: string }

type Members = Readonly<Record<string, unknown>>

/** Seconds that an answer may be old here: a test asks at once. */
const MOST_AGE = '300'

/**
 * Makes the callers that a test tries besides `@svc/client`: the command `svc-verify`, which reads request and answer from files and checks the answer's signature, and the
 * server for agents, which makes requests itself. They run in this process, since a start of Node for each attack would take longer than the attack.
 *
 * @param test `import.meta.url` of a plugin's test: svc-verify takes the intent from the plugin's folder
 */
export function callers(test: string) {
  const home = resolve(dirname(fileURLToPath(test)), '..')
  return [
    { name: 'svc-verify', sit: (seat: Seat) => commandLine(seat, home) },
    { name: 'MCP', sit: agents },
  ]
}

async function commandLine({ trust }: Seat, home: string) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-attacks-'))
  const file = (name: string) => join(folder, `${name}.json`)
  const write = (name: string, content: string | object) =>
    writeFile(file(name), typeof content === 'string' ? content : JSON.stringify(content))
  await write('trust', trust)
  const protocol = basename(home)
  const files = ['trust', 'request', 'craft', 'headers', 'sent'].flatMap((name) => [`--${name}`, file(name)])
  return {
    async craft(action: string, _body: Members, { request, response }: Exchange): Promise<Verdict> {
      await Promise.all([
        write('request', request.body),
        write('craft', response.body),
        write('headers', response.headers),
        write('sent', request.headers),
      ])
      const { code, lines, errors } = await run([...files, '--protocol', protocol, '--action', action, '--max-age', MOST_AGE], home)
      const [sentence = '', ...rest] = lines
      if (code === 0) return { taken: true, sentence, assumed: rest.filter((line) => line.startsWith("On the service's word: ")) }
      // Anything but 1 is no refusal of the transaction.
      return { taken: false, refusal: code === 1 ? (errors[0] ?? '') : `exit ${code}: ${errors.join(' ')}` }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

async function agents({ intent, trust, apiKey, fetch }: Seat) {
  const server = await createMcp({ trust, apiKey, fetch, protocols: { it: intent }, retries: 0 })({ era: 'legacy' })
  const client = new Client({ name: 'attacks', version: '0.0.0' })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(theirs), client.connect(ours)])
  return {
    async craft(action: string, body: Members): Promise<Verdict> {
      const { isError, structuredContent, content } = await client.callTool({ name: `staking_draft_it_${action}`, arguments: { ...body } })
      const text = JSON.stringify(content)
      if (!isError) {
        const { sentence, assumed } = structuredContent as { readonly sentence: string; readonly assumed: readonly unknown[] }
        return { taken: true, sentence, assumed }
      }
      const [first] = content
      const { error } = JSON.parse(first?.type === 'text' ? first.text : '{}')
      // A refusal by anybody but the client of this process, or one that hands out bytes, is none.
      const isRefusal = error.by === 'client' && structuredContent === undefined && !/"(craft|payload)\\*":/.test(text)
      return { taken: false, refusal: isRefusal ? error.sentence : text }
    },
    async close() {
      await client.close()
      await server.close()
    },
  }
}
