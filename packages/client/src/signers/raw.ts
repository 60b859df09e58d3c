import type { GivenSignature } from '@svc/verify/intent'
import { serializeSignature } from '@svc/verify/move'
import { type Names, onlyKnown } from '../option-names.ts'
import type { Signer, ToSign } from '../transaction.ts'

/** A custodian, a hardware module, a key service: whatever signs bytes and knows nothing of chains. */
export interface RawSigner {
  /**
   * Signs what it gets, as it is: a hash of 32 bytes for secp256k1, never hashed again; for Ed25519 the message, or for Sui its digest.
   *
   * @returns r and s by name, 64 or 65 bytes, DER, or their hex; what a recovery value says is not looked at
   */
  sign(payload: Uint8Array, request: ToSign): Promise<GivenSignature>
  /** 32 bytes of the Ed25519 key, for Sui alone, whose signatures travel with it. */
  readonly publicKey?: Uint8Array
}

const RAW: Names<RawSigner> = { sign: true, publicKey: true }

/** Makes a signer of any family from one that only signs bytes. @throws SetupError for an option with a name that is none */
export function rawSigner(options: RawSigner): Signer {
  const { sign, publicKey } = onlyKnown(options, RAW, 'rawSigner')
  return {
    async sign(request) {
      const signature = await sign(request.payload, request)
      if (publicKey === undefined || !(signature instanceof Uint8Array) || signature.length !== 64) return signature
      return request.algorithm === 'ed25519' && 'unsigned_tx_b64' in Object(request.answer)
        ? serializeSignature(signature, publicKey)
        : signature
    },
  }
}
