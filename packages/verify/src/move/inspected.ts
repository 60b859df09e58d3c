// Subpath `@svc/verify/move/inspected`: what the Inspector knows of Sui besides how its transactions are read.
import { base64, bytesOfBase64 } from '../bytes/base64.ts'
import type { InspectedFamily, JoinedParts, KnownNetwork, Risk } from '../intent/inspected.ts'
import { move } from './family.ts'
import { writeSigned } from './signing.ts'

/** Its first checkpoint, by which transactions name it: https://docs.sui.io/references/sui-api (read 2026-11-22) */
const MAINNET: KnownNetwork = {
  name: 'Sui',
  terms: {
    chainId: 'mainnet',
    caip2: 'sui:mainnet',
    decimals: 9,
    symbol: 'SUI',
    chain_identifier: '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S',
  },
  usualFee: '0.02',
}

/** Describes a network of Sui by its identifier, which is not the mainnet's in the bytes of another one. */
function network(chainId: string): KnownNetwork {
  if (chainId === '' || chainId === 'mainnet') return MAINNET
  const identifier = chainId.replace(/^unknown /, '')
  return { ...MAINNET, name: `Sui, network ${identifier}`, terms: { ...MAINNET.terms, caip2: `sui:${identifier}` } }
}

// https://docs.sui.io/concepts/transactions/prog-txn-blocks (read 2026-11-22).
const RISKS: Readonly<Record<string, Risk>> = {
  'unknown Publish': { name: 'publishing of code', why: 'It puts new code on the chain.' },
  'unknown Upgrade': { name: 'upgrade of code', why: 'It replaces code on the chain.' },
}

/** Reads the body of a prepare request, or a transaction with its signatures as wallets and explorers pass them on: there may be one signature only, as text. */
function joined({ unsigned_tx_b64: unsigned, bytes, signatures, signature }: Readonly<Record<string, unknown>>): JoinedParts | null {
  if (typeof unsigned === 'string' && Array.isArray(signatures)) return written(unsigned, signatures, 'the body of a prepare request')
  if (typeof bytes !== 'string') return null
  if (signatures !== undefined)
    return written(bytes, Array.isArray(signatures) ? signatures : [signatures], 'a transaction with its signatures')
  return signature === undefined ? null : written(bytes, [signature], 'a transaction with its signature')
}

function written(transaction: string, signatures: readonly unknown[], what: string): JoinedParts {
  const texts = signatures.flatMap((each) => (typeof each === 'string' ? (normal(each) ?? []) : []))
  const data = normal(transaction)
  if (data === null || texts.length < signatures.length) return { why: 'The bytes or a signature of this are no base64.' }
  return { text: writeSigned(data, texts), what }
}

/** Writes base64 in its one form. */
function normal(text: string): string | null {
  const bytes = bytesOfBase64(text.replace(/\s+/g, ''))
  return bytes && base64(bytes)
}

const inspected: InspectedFamily = {
  title: 'Sui',
  called: 'Module',
  network,
  risk: ({ method }) => RISKS[method.split('<')[0] ?? ''] ?? null,
  joined,
}

/** Family of Sui for inspection, with the facts known without any protocol. */
export const inspectedMove: typeof move = { ...move, inspected }
