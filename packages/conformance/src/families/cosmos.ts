import type { CosmosCraft } from '@svc/verify'
import { keccak256, SigningKey, toUtf8Bytes } from 'ethers'
import type { Family, Wallet } from '../family.ts'
import { badPrepares, garble } from './cosmos-faults.ts'
import { type ForgedChain, fieldForgeries, forgeries } from './cosmos-forgeries.ts'
import { addressOf, bech32, bytesOf } from './cosmos-wire.ts'

export interface CosmosWallet extends Wallet {
  readonly key: SigningKey
}

/** What the driver has to know of the chain of a scenario. */
export interface CosmosFamilyOptions extends ForgedChain {
  /** Method of its node by which a transaction is found. @default 'tx' */
  readonly lookup?: 'tx' | 'tx_status'
}

/** How long a transaction may take into a block of the local chain, in milliseconds. */
const LANDING_MS = 10_000

/** Driver of the Cosmos family on one chain: SIGN_MODE_DIRECT, secp256k1, CometBFT's RPC. It shares no code with the kit, nor its library. */
export function cosmosFamily(chain: CosmosFamilyOptions): Family<CosmosCraft, CosmosWallet> {
  const { prefix, chainId, lookup = 'tx' } = chain
  return {
    family: 'cosmos',
    otherChainId: `${chainId}-other`,
    wallet(index) {
      const key = new SigningKey(keccak256(toUtf8Bytes(`conformance wallet ${index}`)))
      // Every second one is named by the uncompressed form of its key.
      const signer = (index % 2 === 0 ? key.compressedPublicKey : key.publicKey).slice(2)
      return { address: addressOf(prefix, key.compressedPublicKey.slice(2)), signer, key }
    },
    async sign(unsigned, { key }) {
      const { r, s } = key.sign(`0x${unsigned.unsigned_tx_hash_hex}`)
      return {
        ...unsigned,
        tx_body_hex: unsigned.unsigned_tx_hex,
        tx_auth_info_hex: unsigned.tx_auth_info_hex,
        signature_hex: r.slice(2) + s.slice(2),
      }
    },
    async landed(rpcUrl, hash) {
      const until = Date.now() + LANDING_MS
      while (Date.now() < until) {
        const found = await outcome(rpcUrl, lookup, hash)
        if (found?.code === 0) return
        if (found) throw new TransactionFailed(`transaction ${hash} is in a block and failed there with code ${found.code}: ${found.why}`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      throw new TransactionFailed(`transaction ${hash} was not in a block within ${LANDING_MS} ms`)
    },
    spellings: (address) => [address.toUpperCase()],
    malformedAddresses: [
      prefix,
      `${prefix}1`,
      '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
      bech32('otherchain', new Uint8Array(20).fill(0x11)),
      bech32(`${prefix}valoper`, new Uint8Array(20).fill(0x11)),
      bech32(`${prefix}valcons`, new Uint8Array(20).fill(0x11)),
      bech32(prefix, new Uint8Array(19).fill(0x11)),
      bech32(prefix, new Uint8Array(21).fill(0x11)),
      mistyped(bech32(prefix, new Uint8Array(20).fill(0x11))),
      capitalised(bech32(prefix, new Uint8Array(20).fill(0x11))),
    ],
    badPrepares,
    fields: (unsigned) => fieldForgeries(unsigned, chain),
    forgeries: (unsigned) => forgeries(unsigned, chain),
    garble,
  }
}

class TransactionFailed extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TransactionFailed'
  }
}

/** What came of a transaction; null while it is in no block. */
async function outcome(url: string, method: 'tx' | 'tx_status', hash: string): Promise<{ code: number; why: string } | null> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { hash: Buffer.from(bytesOf(hash)).toString('base64') } }),
  })
  const { result } = (await response.json()) as {
    result?: { tx_result?: { code: number; log: string }; status?: string; execution_code?: number; error?: string }
  }
  if (result?.tx_result) return { code: Number(result.tx_result.code), why: result.tx_result.log }
  if (result?.status === 'COMMITTED') return { code: Number(result.execution_code), why: String(result.error) }
  return null
}

/** One character after the separator changed, so that the checksum is wrong. */
function mistyped(address: string): string {
  return address.slice(0, -1) + (address.endsWith('q') ? 'p' : 'q')
}

function capitalised(address: string): string {
  return address[0]!.toUpperCase() + address.slice(1)
}
