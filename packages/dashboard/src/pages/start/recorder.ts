/** A request as it left this page. */
export interface RecordedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Headers that say nothing about what is asked. */
const QUIET = new Set(['accept-encoding', 'content-digest', 'x-nonce'])

/** Makes a `fetch` that notes what it sends. */
export function recording(note: (sent: RecordedRequest) => void, send: typeof fetch = (...all) => fetch(...all)): typeof fetch {
  return (input, init = {}) => {
    const headers = Object.fromEntries(new Headers(init.headers))
    note({ method: init.method ?? 'GET', url: String(input), headers, body: typeof init.body === 'string' ? init.body : null })
    return send(input, init)
  }
}

/** Writes a recorded request as a line for a shell. */
export function curlOf({ method, url, headers, body }: RecordedRequest): string {
  const lines = [
    `curl -s ${quoted(url)}`,
    ...Object.entries(headers).flatMap(([name, value]) => (QUIET.has(name) ? [] : [`-H ${quoted(`${name}: ${value}`)}`])),
    ...(body === null ? (method === 'GET' ? [] : [`-X ${method}`]) : [`-d ${quoted(body)}`]),
  ]
  return lines.join(' \\\n  ')
}

function quoted(text: string): string {
  return /^[\w:/.?=&-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
