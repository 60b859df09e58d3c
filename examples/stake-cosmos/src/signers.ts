import { Secp256k1 } from '@cosmjs/crypto'
import { fromBase64, fromHex, toHex } from '@cosmjs/encoding'
import { DirectSecp256k1HdWallet, makeSignDoc } from '@cosmjs/proto-signing'
import type { CosmosCraft } from '@svc/verify'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'

/** Whatever holds the key. */
export interface Signer {
  readonly title: string
  /** @returns 64 bytes, r and s, in hex: the `signature_hex` of prepare */
  sign(craft: CosmosCraft): Promise<string>
}

/**
 * A wallet that signs documents: it is given body, fee, chain and account number, and makes the hash itself.
 *
 * @param account.number from a node that you trust: it goes into what is signed, and the bytes of a transaction do not have it
 */
export function walletSigner(mnemonic: string, account: { address: string; number: bigint; prefix: string; chainId: string }): Signer {
  return {
    title: 'a wallet, which has seen the document',
    async sign(craft) {
      const wallet = await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: account.prefix })
      const { bodyBytes } = TxRaw.decode(fromHex(craft.unsigned_tx_hex))
      const document = makeSignDoc(bodyBytes, fromHex(craft.tx_auth_info_hex), account.chainId, account.number)
      const { signature } = await wallet.signDirect(account.address, document)
      return toHex(fromBase64(signature.signature))
    },
  }
}

/** A custodian or a hardware module: it sees 32 bytes and nothing else. So whoever has it sign must have checked what they stand for. */
export function custodianSigner(privateKey: string): Signer {
  return {
    title: 'a custodian, which has seen the hash alone',
    async sign(craft) {
      const signature = Secp256k1.createSignature(fromHex(craft.unsigned_tx_hash_hex), fromHex(privateKey))
      return toHex(signature.toFixedLength().slice(0, 64))
    },
  }
}
