import { membersOf } from '@svc/contract'
import { literalOf, parseJson } from '@svc/contract/host'

/** A response, read to its end. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The exact bytes of the body. */
  readonly bytes: Buffer
  readonly text: string
  /** The body parsed, with the source text of its numbers kept (`literalOf`); undefined when it is not JSON. */
  readonly json: unknown
  /** `code` of an error body. */
  readonly code: string | undefined
  /** `error` of an error body: the sentence. */
  readonly sentence: string
}

/** A caller of the service under one prefix. */
export interface Client {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** @param body sent as JSON; a string is sent as it is */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  send(method: string, path: string, headers?: Readonly<Record<string, string>>, body?: string): Promise<Answer>
}

/**
 * Makes an HTTP client of the service.
 *
 * @param base URL that paths are appended to
 * @param always headers of every request
 */
export function createClient(base: string, key: string | null, always: Readonly<Record<string, string>> = {}): Client {
  const credential: Readonly<Record<string, string>> = { ...always, ...(key === null ? {} : { 'x-api-key': key }) }

  async function send(method: string, path: string, headers: Readonly<Record<string, string>> = {}, body?: string): Promise<Answer> {
    const response = await fetch(base + path, {
      method,
      headers: { ...credential, ...headers },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const text = bytes.toString('utf8')
    const json = parsed(text)
    const { code, error } = membersOf(json)
    return {
      status: response.status,
      headers: response.headers,
      bytes,
      text,
      json,
      code: typeof code === 'string' ? code : undefined,
      sentence: typeof error === 'string' ? error : '',
    }
  }

  return {
    send,
    get: (path, headers) => send('GET', path, headers),
    post: (path, body, headers) =>
      send('POST', path, { 'content-type': 'application/json', ...headers }, typeof body === 'string' ? body : JSON.stringify(body)),
  }
}

/** Returns the source text of a number in a response; undefined when the member is no number. */
export function numberText(holder: unknown, key: string): string | undefined {
  return typeof holder === 'object' && holder !== null ? literalOf(holder, key) : undefined
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
