import type { CosmosCraft } from '@svc/verify/cosmos'
import type { Family } from '../../family.ts'
import { awaitLanding, callOf, type Outcome } from '../../landing.ts'
import { foreignAddresses } from '../shared/foreign.ts'
import { badPrepares, garble } from './faults.ts'
import { type ChainFacts, fieldForgeries, forgeries } from './forgeries.ts'
import { hiddenMessages, signedBody, walletChanges } from './hidden.ts'
import { liar } from './lies.ts'
import { cosmosScenes } from './life.ts'
import { secp256k1Key } from './secp256k1.ts'
import { signedForm } from './signed.ts'
import type { SigningWallet } from './timeout.ts'
import { addressOf, bech32, bytesOf } from './wire.ts'

export { delegationControl } from './control.ts'

export type CosmosWallet = SigningWallet

/** Facts that the driver has to know of the chain of a scenario. */
export type CosmosFamilyOptions = ChainFacts & {
  /** Method of its node by which a transaction is found. @default 'tx' */
  readonly lookup?: 'tx' | 'tx_status'
  /** True if the scenario's node keeps the results of blocks. Without them, the moves of a transaction are not told. @default true */
  readonly results?: boolean
}

/** Makes the driver of the Cosmos family on one chain: SIGN_MODE_DIRECT, keys of either algorithm, CometBFT's RPC. It shares no code with the kit, nor with the kit's library. */
export function cosmosFamily(chain: CosmosFamilyOptions): Family<CosmosCraft, CosmosWallet> {
  const { prefix, chainId, lookup = 'tx', results = true } = chain
  return {
    family: 'cosmos',
    otherChainId: `${chainId}-other`,
    wallet(index) {
      const key = secp256k1Key(`conformance wallet ${index}`)
      // Every second one is named by the uncompressed form of its key.
      const signer = index % 2 === 0 ? key.compressed : key.uncompressed
      return { address: addressOf(chain, key.compressed), signer, key }
    },
    async sign(unsigned, { key }) {
      return {
        ...unsigned,
        tx_body_hex: unsigned.unsigned_tx_hex,
        tx_auth_info_hex: unsigned.tx_auth_info_hex,
        signature_hex: key.sign(bytesOf(unsigned.unsigned_tx_hash_hex)),
      }
    },
    landed: (rpcUrl, hash) => awaitLanding(hash, () => outcomeOf(rpcUrl, lookup, hash)),
    spellings: (address) => [address.toUpperCase()],
    malformedAddresses: [
      prefix,
      `${prefix}1`,
      ...foreignAddresses('cosmos'),
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
    hidden: (unsigned, random) => hiddenMessages(unsigned, chain, random),
    additions: (unsigned) => walletChanges(unsigned, chain),
    assembled: signedBody,
    signed: signedForm,
    thefts: ['call', 'validator', 'amount', 'fee', 'recipient', 'customer'],
    garble,
    liar,
    life: cosmosScenes({ lookup, results, chainId, algorithm: chain.algorithm }),
  }
}

interface Found {
  readonly tx_result?: { readonly code: number; readonly log: string }
  readonly status?: string
  readonly execution_code?: number
  readonly error?: string
}

async function outcomeOf(url: string, method: 'tx' | 'tx_status', hash: string): Promise<Outcome> {
  const receipt = await callOf<Found>(url, method, { hash: Buffer.from(bytesOf(hash)).toString('base64') })
  const outcome = (code: unknown, why: unknown): Outcome =>
    Number(code) === 0 ? 'landed' : { failed: `is in a block and failed there with code ${code}: ${why}` }
  if (receipt?.tx_result) return outcome(receipt.tx_result.code, receipt.tx_result.log)
  return receipt?.status === 'COMMITTED' ? outcome(receipt.execution_code, receipt.error) : null
}

/** One character after the separator changed, so that the checksum is wrong. */
function mistyped(address: string): string {
  return address.slice(0, -1) + (address.endsWith('q') ? 'p' : 'q')
}

function capitalised(address: string): string {
  return address.charAt(0).toUpperCase() + address.slice(1)
}
