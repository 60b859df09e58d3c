import { createVerify } from 'node:crypto'
import { Refused } from './sandbox-file.ts'

/** Calls of one protocol of the service. Every answer was signed by the operator, or it is not returned. */
export interface Service {
  get<T>(path: string): Promise<T>
  post<T>(path: string, body: object): Promise<T>
}

/**
 * A client in thirty lines: the key goes along, the signature of every answer is checked, and a refusal is thrown with its sentence.
 *
 * @param options.prefix path of the protocol, such as `/api/v1/evm-three/native`
 * @param options.publicKeyPem the operator's key, from a channel you trust: pin it, and do not ask the service itself for it each time
 */
export function connect(options: { baseUrl: string; prefix: string; apiKey: string; publicKeyPem: string }): Service {
  return { get: (path) => call('GET', path), post: (path, body) => call('POST', path, body) }

  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${options.baseUrl}${options.prefix}${path}`, {
      method,
      headers: { 'x-api-key': options.apiKey, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    // The signature covers the bytes as they came, so it is checked before they are read as text.
    const bytes = Buffer.from(await response.arrayBuffer())
    const signature = response.headers.get('x-signature') ?? ''
    if (!createVerify('RSA-SHA256').update(bytes).verify(options.publicKeyPem, signature, 'base64'))
      throw new Refused(`${method} ${path}: the answer does not carry the operator's signature, so it is not used.`)

    const answer = parseExact(bytes.toString('utf8'))
    if (response.ok) return answer as T
    const { code, error } = answer as { code: string; error: string }
    throw new Refused(`${method} ${path} was refused with ${response.status} ${code}: ${error}`)
  }
}

/**
 * Parses JSON and keeps a number that a double cannot hold as its text: amounts have up to 18 decimals, a double carries about 16 digits.
 * What is left a number is exactly the number that was written.
 */
function parseExact(text: string): unknown {
  // Source text access is part of ECMAScript 2026; the type library does not describe it yet.
  const parse = JSON.parse as (text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown) => unknown
  return parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? source : value,
  )
}
