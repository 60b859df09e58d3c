import type { Scene, Signed, Stage } from '../life/family.ts'
import type { Wallet } from '../wallet.ts'
import { base58, blake2b256 } from './move-hash.ts'

/** Signs the bytes of a transaction, as `signatures` of prepare takes it. */
export type SignBytes<W extends Wallet> = (bytes: Uint8Array, wallet: W) => string

/** Tags of TransactionExpiration. https://github.com/MystenLabs/sui/blob/main/crates/sui-types/src/transaction.rs (read 2026-11-22) */
const NONE = 0
const EPOCH = 1
/** What a digest is made of begins with it. */
const DIGEST = new TextEncoder().encode('TransactionData::')

/** Its last epoch ended. What is crafted from coins names none, so that the scene puts one into it and signs it anew. */
export function expiryScene<W extends Wallet>(sign: SignBytes<W>): Scene<W> {
  return {
    name: 'its last epoch ended',
    given: 'tracked',
    instead: (stage) => withEpoch(stage, sign),
    play: async (stage) => void (await stage.operate('advance', { epochs: 1 })),
    told: ['expired'],
  }
}

async function withEpoch<W extends Wallet>({ wallet, body, operate }: Stage<W>, sign: SignBytes<W>): Promise<Signed> {
  const { epoch } = await operate('advance', { seconds: 1 })
  const sent = JSON.parse(Buffer.from(String(body.signed_tx_b64), 'base64').toString()) as { bytes: string }
  const crafted = Buffer.from(sent.bytes, 'base64')
  // The expiration stands last.
  if (crafted.at(-1) !== NONE) throw new RangeError('what was crafted expires by itself')
  const last = Buffer.alloc(8)
  last.writeBigUInt64LE(BigInt(String(epoch)))
  const bytes = Buffer.concat([crafted.subarray(0, -1), Uint8Array.of(EPOCH), last])
  const signed = { ...sent, bytes: bytes.toString('base64'), signatures: [sign(bytes, wallet)] }
  return {
    body: { ...body, signed_tx_b64: Buffer.from(JSON.stringify(signed)).toString('base64') },
    txHash: base58(blake2b256(DIGEST, bytes)),
  }
}
