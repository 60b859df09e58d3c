import type { Life } from '@svc/contract'
import { HEIGHT } from '../assemble.ts'
import { from32Base58, toBase58 } from '../base58.ts'
import type { NearClient } from '../client.ts'
import { badRequest } from '../codes.ts'
import type { NearSettings } from '../settings.ts'
import { readSigned } from '../signed.ts'
import type { NearWire } from '../wire.ts'
import { BLOCK_SECONDS, endsOf, LIFE_BLOCKS } from './ends.ts'
import { look, type NearReceipt } from './look.ts'

/** What becomes of a transaction of NEAR: it is looked up by its hash and its signer, and ends by a nonce or by a height. */
export const nearLife: Life<NearClient, NearWire, NearSettings, NearReceipt> = {
  byWallet: true,
  hash(text) {
    if (from32Base58(text) !== null) return text
    throw badRequest('TX_HASH_INVALID', `"${text.slice(0, 80)}" is not the hash of a transaction of NEAR: base58 of 32 bytes.`)
  },
  bounds(body) {
    const { signer, key, nonce, blockHash } = readSigned(body).transaction
    const facts = { signer, public_key: `ed25519:${toBase58(key)}`, nonce: String(nonce), block_hash: toBase58(blockHash) }
    return { wallet: signer, validUntil: endsOf(facts.nonce, null, null), facts }
  },
  validUntil(_unsigned, _network, { nonce, [HEIGHT]: height }, now) {
    if (height === undefined) return endsOf(String(nonce), null, null)
    return endsOf(String(nonce), BigInt(height) + LIFE_BLOCKS, new Date(now.getTime() + Number(LIFE_BLOCKS) * BLOCK_SECONDS * 1000))
  },
  look,
  // Two blocks. https://docs.near.org/protocol/network/epoch (read 2026-11-23)
  inclusionMs: () => 1_300,
}
