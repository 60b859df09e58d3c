import { createVerify } from 'node:crypto'
import { Refused } from './sandbox-file.ts'

/** Calls of one protocol of the service. Every answer was signed by the operator, or it is not returned. */
export interface Service {
  get<T>(path: string): Promise<T>
  post<T>(path: string, body: object): Promise<T>
}

/**
 * A client in twenty lines: the key goes along, the signature of every answer is checked, and a refusal is thrown with its sentence.
 *
 * Amounts of the family have nine decimals. A double holds them exactly up to nine million SOL, so plain JSON will do.
 *
 * @param options.prefix path of the protocol, such as `/api/v1/svm-one/native`
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

    const answer = JSON.parse(bytes.toString('utf8')) as unknown
    if (response.ok) return answer as T
    const { code, error } = answer as { code: string; error: string }
    throw new Refused(`${method} ${path} was refused with ${response.status} ${code}: ${error}`)
  }
}
