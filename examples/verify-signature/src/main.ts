// Checks that an answer of the service is the operator's, byte for byte, with nothing but Node.
//
//   node src/main.ts [base URL]        without one: the sandbox that `npm start` runs

import { createVerify } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const baseUrl = process.argv[2] ?? (await sandboxUrl())
if (baseUrl === undefined) {
  console.error('No sandbox is running: run `npm start` at the root of the repository first, or give the base URL of a service.')
  process.exit(1)
}

// The operator's public key. Fetch it once, compare it with what the operator published elsewhere, and keep it: a key that comes
// with every answer from the same place proves nothing.
const publicKeyPem = await (await fetch(`${baseUrl}/api/v1/public-key`)).text()

// Any answer will do; they are all signed, refusals too. This one needs no API key.
const response = await fetch(`${baseUrl}/api/v1/health`)
const signature = response.headers.get('x-signature') ?? ''
// The signature covers the bytes as they came. Parsing and writing the JSON again would change them.
const body = Buffer.from(await response.arrayBuffer())

const genuine = isSigned(body)
console.log(`the answer as it came: ${genuine ? 'signed by the operator' : 'NOT signed by the operator'}`)

const changed = Buffer.from(body)
changed.writeUInt8(changed.readUInt8(0) ^ 1, 0)
const forged = isSigned(changed)
console.log(`with one bit changed:  ${forged ? 'STILL ACCEPTED' : 'refused'}`)

process.exitCode = genuine && !forged ? 0 : 1

/** RSASSA-PKCS1-v1_5 with SHA-256, base64 in `x-signature`. */
function isSigned(bytes: Buffer): boolean {
  return createVerify('RSA-SHA256').update(bytes).verify(publicKeyPem, signature, 'base64')
}

/** `sandbox.json` in the data folder: `SVC_DATA`, or `.svc` at the root of the repository. */
async function sandboxUrl(): Promise<string | undefined> {
  const folder = process.env.SVC_DATA ?? fileURLToPath(new URL('../../../.svc', import.meta.url))
  const text = await readFile(resolve(folder, 'sandbox.json'), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as { baseUrl: string }).baseUrl
}
