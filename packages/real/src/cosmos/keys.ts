import { createHash, createPrivateKey, createPublicKey } from 'node:crypto'
import { ripemd160, Secp256k1, sha256 } from '@cosmjs/crypto'
import { toBech32 } from '@cosmjs/encoding'
import { CosmJSOfflineSigner, CosmJSOfflineSignerOnlyAmino } from '@keplr-wallet/provider'
import { keplrOf, openAccount } from '@svc/testing/keplr'

/** A wallet whose key follows from its name, so that addresses are the same in every run. Worth nothing anywhere. */
export interface Wallet {
  readonly name: string
  readonly address: string
  /** The same bytes as an operator's address. */
  readonly operator: string
  /** Compressed. */
  readonly publicKey: Uint8Array
  /** Hex of the compressed key, as a craft takes it. */
  readonly pubkey: string
  /** Signs 32 bytes. @returns r and s, 64 bytes */
  sign(hash: Uint8Array): Uint8Array
  /** Opens the same account in Keplr, which sets a fee of its own. */
  extension(chainId: string): Promise<CosmJSOfflineSigner>
  /** Opens the same account on a hardware wallet behind Keplr, which signs amino JSON alone, and sets a fee of its own. */
  device(chainId: string): Promise<CosmJSOfflineSignerOnlyAmino>
}

/** Makes the wallet of a name. @param prefix of addresses */
export function walletOf(name: string, prefix: string): Wallet {
  const privateKey = digest(`a wallet for trying out: ${name}`)
  const publicKey = Secp256k1.compressPubkey(Secp256k1.makeKeypair(privateKey).pubkey)
  const account = ripemd160(sha256(publicKey))
  return {
    name,
    address: toBech32(prefix, account),
    operator: toBech32(`${prefix}valoper`, account),
    publicKey,
    pubkey: Buffer.from(publicKey).toString('hex'),
    sign: (hash) => Secp256k1.createSignature(hash, privateKey).toFixedLength().slice(0, 64),
    extension: async (chainId) => new CosmJSOfflineSigner(chainId, keplrOf(await openAccount(privateKey, prefix), 'own fee')),
    device: async (chainId) => new CosmJSOfflineSignerOnlyAmino(chainId, keplrOf(await openAccount(privateKey, prefix), 'own fee')),
  }
}

/** Key of a node or of a validator, as CometBFT's files have it. */
export interface NodeKey {
  /** 20 bytes in hex: a node's id in lower case, a validator's address in upper case. */
  readonly id: string
  /** Base64 of 32 bytes. */
  readonly publicKey: string
  /** Base64 of 64 bytes: seed and public key. */
  readonly privateKey: string
}

/** Bytes before the seed of an Ed25519 key in PKCS#8. @see https://www.rfc-editor.org/rfc/rfc8410#section-7 (read 2026-11-24) */
const PKCS8 = '302e020100300506032b657004220420'

/** Makes the Ed25519 key of a name. */
export function nodeKeyOf(name: string): NodeKey {
  const seed = digest(`a node for trying out: ${name}`)
  const key = createPrivateKey({ key: Buffer.concat([Buffer.from(PKCS8, 'hex'), seed]), format: 'der', type: 'pkcs8' })
  const publicKey = Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url')
  return {
    // The first 20 bytes of the digest. https://docs.cometbft.com/v0.38/core/validators (read 2026-11-24)
    id: createHash('sha256').update(publicKey).digest('hex').slice(0, 40),
    publicKey: publicKey.toString('base64'),
    privateKey: Buffer.concat([seed, publicKey]).toString('base64'),
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
