import { base64, bytesOf, digitsOf } from '@svc/verify/bytes'
import type { ToSign } from '../transaction.ts'

/** Custody platforms and key services, and the way in which each is asked. */
export type CustodyPlatform =
  | 'fireblocks-raw'
  | 'fireblocks-program-call'
  | 'turnkey-raw-payload'
  | 'turnkey-transaction'
  | 'aws-kms'
  | 'google-kms'
  | 'azure-key-vault'
  | 'vault-transit'
  | 'dfns'
  | 'cobo'

/** Members of the body that a platform is sent, as far as they follow from the transaction: the caller adds his vault, wallet or key. */
export type CustodyBody = Readonly<Record<string, unknown>>

/** A request in the forms that platforms take. */
interface Forms {
  /** True for a hash of 32 bytes that secp256k1 signs; else Ed25519 signs the bytes themselves. */
  readonly isHash: boolean
  readonly hex: string
  readonly base64: string
  /** The unsigned transaction in hex, on chains whose transactions the platform can be handed whole; null elsewhere. */
  readonly evm: string | null
  readonly solana: string | null
}

/**
 * Writes the bodies that custody platforms are sent to sign a checked transaction. Each signs exactly the bytes of `request.payload`: no hash is taken again and nothing is put in front.
 *
 * @param request `request` of a transaction that the client has checked
 * @returns by platform; one that cannot sign for this chain is left out
 */
export function payloadsFor({
  algorithm,
  payload,
  answer,
}: Pick<ToSign, 'algorithm' | 'payload' | 'answer'>): Partial<Record<CustodyPlatform, CustodyBody>> {
  const {
    serialized_tx_hex: evm,
    unsigned_tx_hex: unsigned,
    tx_auth_info_hex: cosmos,
  } = Object(answer) as Readonly<Record<string, unknown>>
  const forms: Forms = {
    isHash: algorithm === 'secp256k1',
    hex: digitsOf(payload),
    base64: base64(payload),
    evm: typeof evm === 'string' ? evm.replace(/^0x/, '') : null,
    solana: typeof unsigned === 'string' && cosmos === undefined ? unsigned : null,
  }
  const bodies = Object.entries(PLATFORMS).map(([platform, bodyOf]) => [platform, bodyOf(forms)] as const)
  return Object.fromEntries(bodies.filter(([, body]) => body !== null))
}

/**
 * Body of each platform, or null where it has no way to sign. As the platforms' own libraries send them: @fireblocks/ts-sdk 18.0.0, @turnkey/viem 0.14.37, @turnkey/solana 1.1.37, @aws-sdk/client-kms 3.1164.0,
 * @google-cloud/kms 5.7.0, @azure/keyvault-keys 4.10.2, node-vault 0.12.0, @dfns/sdk 0.8.21, @cobo/cobo-waas2 1.8.0 (sent to a local listener, or read in their types; 2026-11-28)
 */
const PLATFORMS: Readonly<Record<CustodyPlatform, (forms: Forms) => CustodyBody | null>> = {
  'fireblocks-raw': ({ isHash, hex }) => ({
    operation: 'RAW',
    extraParameters: {
      rawMessageData: { algorithm: isHash ? 'MPC_ECDSA_SECP256K1' : 'MPC_EDDSA_ED25519', messages: [{ content: hex }] },
    },
  }),
  // By default a nonce advance is put in front, and the transaction is sent: then other bytes are signed than were checked.
  'fireblocks-program-call': ({ solana }) =>
    solana === null
      ? null
      : {
          operation: 'PROGRAM_CALL',
          extraParameters: { programCallData: base64(bytesOf(`0x${solana}`) ?? new Uint8Array()), signOnly: true, useDurableNonce: false },
        },
  'turnkey-raw-payload': ({ isHash, hex }) => ({
    payload: isHash ? `0x${hex}` : hex,
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: isHash ? 'HASH_FUNCTION_NO_OP' : 'HASH_FUNCTION_NOT_APPLICABLE',
  }),
  'turnkey-transaction': ({ evm, solana }) => {
    if (evm !== null) return { type: 'TRANSACTION_TYPE_ETHEREUM', unsignedTransaction: evm }
    return solana === null ? null : { type: 'TRANSACTION_TYPE_SOLANA', unsignedTransaction: solana }
  },
  'aws-kms': ({ isHash, base64 }) =>
    isHash
      ? { Message: base64, MessageType: 'DIGEST', SigningAlgorithm: 'ECDSA_SHA_256' }
      : { Message: base64, MessageType: 'RAW', SigningAlgorithm: 'ED25519_SHA_512' },
  'google-kms': ({ isHash, base64 }) => (isHash ? { digest: { sha256: base64 } } : { data: base64 }),
  'azure-key-vault': ({ isHash, base64 }) =>
    isHash ? { alg: 'ES256K', value: base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') } : null,
  // It has no secp256k1.
  'vault-transit': ({ isHash, base64 }) => (isHash ? null : { input: base64 }),
  dfns: ({ isHash, hex }) => (isHash ? { kind: 'Hash', hash: `0x${hex}` } : { kind: 'Message', message: `0x${hex}` }),
  cobo: ({ isHash, hex }) => (isHash ? { destination: { destination_type: 'RawMessageSign', msg_hash: `0x${hex}` } } : null),
}
