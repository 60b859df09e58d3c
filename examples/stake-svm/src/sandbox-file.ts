import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What a running sandbox tells programs about itself. */
export interface SandboxFile {
  readonly baseUrl: string
  readonly controlUrl: string
  readonly apiKey: string
  readonly publicKeyPem: string
  readonly wallets: { readonly svm: readonly SvmWallet[] }
  readonly chains: Readonly<Record<string, { readonly rpcUrl: string }>>
}

/** A wallet. `secretKey` is base58 of 64 bytes, seed and public key, as wallets export it. */
export interface SvmWallet {
  readonly address: string
  readonly secretKey: string
}

/** One sentence for the person at the terminal; nothing else about it is of use to him. */
export class Refused extends Error {}

/**
 * Reads `sandbox.json` in the data folder: `SVC_DATA`, or `.svc` at the root of the repository.
 *
 * @throws Refused when no sandbox was ever started, or it has ended
 */
export async function findSandbox(): Promise<SandboxFile> {
  const folder = process.env.SVC_DATA ?? fileURLToPath(new URL('../../../.svc', import.meta.url))
  const path = resolve(folder, 'sandbox.json')
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Refused(`No sandbox is running: there is no ${path}. Run \`npm start\` at the root of the repository first.`)
  })
  const file = JSON.parse(text) as SandboxFile
  await fetch(`${file.baseUrl}/api/v1/health`).catch(() => {
    throw new Refused(`The sandbox of ${path} has ended: nothing listens on ${file.baseUrl}. Run \`npm start\` at the root first.`)
  })
  return file
}
