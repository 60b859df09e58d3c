import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TrustDocument } from '@svc/client'

type List<T> = readonly [T, ...T[]]

interface EvmWallet {
  readonly address: string
  readonly privateKey: string
}

/** One key, with an address for each chain. */
interface CosmosWallet {
  readonly mnemonic: string
  /** 32 bytes in hex: what a custodian holds in place of words. */
  readonly privateKey: string
  /** Compressed, in hex. */
  readonly publicKey: string
  /** Addresses by chain, as in `cosmos:cosmoshub-4`. */
  readonly addresses: Readonly<Record<string, string>>
}

/** Wallet of Solana, where the key is base58 of 64 bytes, or of Sui, where it is `suiprivkey1…`: as wallets export it. */
interface KeyedWallet {
  readonly address: string
  readonly secretKey: string
}

/** A running sandbox: what programs need of it, and what a caller would have from an operator. */
export interface Sandbox {
  readonly apiKey: string
  /** For what the dashboard does too: keys, webhooks, the list of events. */
  readonly managementToken: string
  readonly controlUrl: string
  readonly wallets: {
    readonly evm: List<EvmWallet>
    readonly cosmos: List<CosmosWallet>
    readonly svm: List<KeyedWallet>
    readonly move: List<KeyedWallet>
  }
  readonly chains: Readonly<Record<string, { readonly rpcUrl: string }>>
  readonly trust: TrustDocument
}

/** One sentence for the person at the terminal; nothing else about it is of use to him. */
export class Refused extends Error {}

/**
 * Reads `sandbox.json` and `trust.json` in the data folder: `SVC_DATA`, or `.svc` at the root of the repository.
 *
 * @throws Refused when no sandbox was ever started, or it has ended
 */
export async function findSandbox(): Promise<Sandbox> {
  const folder = process.env.SVC_DATA ?? fileURLToPath(new URL('../../../.svc', import.meta.url))
  const path = resolve(folder, 'sandbox.json')
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Refused(`No sandbox is running: there is no ${path}. Run \`npm start\` at the root of the repository first.`)
  })
  const { baseUrl, ...file } = JSON.parse(text) as Omit<Sandbox, 'trust'> & { readonly baseUrl: string }
  await fetch(`${baseUrl}/api/v1/health`).catch(() => {
    throw new Refused(`The sandbox of ${path} has ended: nothing listens on ${baseUrl}. Run \`npm start\` at the root first.`)
  })
  return { ...file, trust: JSON.parse(await readFile(resolve(folder, 'trust.json'), 'utf8')) as TrustDocument }
}
