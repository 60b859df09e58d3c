import { type AminoDocument, aminoDocumentOf, signPartsOf, writeAminoSigned, writeSigned } from '@svc/verify/cosmos'
import type { Signer } from '../transaction.ts'

/** A direct signer of `cosmjs`: `DirectSecp256k1HdWallet`, Keplr's and Leap's offline signer. */
export interface CosmjsSigner {
  signDirect(
    address: string,
    document: { bodyBytes: Uint8Array; authInfoBytes: Uint8Array; chainId: string; accountNumber: bigint },
  ): Promise<{
    /** Document that was signed: a wallet may have put another fee into it. */
    readonly signed: { readonly bodyBytes: Uint8Array; readonly authInfoBytes: Uint8Array }
    readonly signature: { readonly signature: string }
  }>
}

/** A signer of `cosmjs` for amino JSON, which is all that a Ledger signs: `Secp256k1HdWallet`, and what `getOfflineSignerOnlyAmino` of Keplr and Leap gives. */
export interface CosmjsAminoSigner {
  signAmino(
    address: string,
    document: AminoDocument,
  ): Promise<{
    /** Document that was signed: a wallet may have put another fee into it. */
    readonly signed: Pick<AminoDocument, 'fee'>
    readonly signature: { readonly signature: string }
  }>
}

/**
 * Makes a signer of a cosmjs signer. It asks for a direct signature where the cosmjs signer can give one, else for one of amino JSON. For Keplr and Leap, hand over the
 * result of their `getOfflineSignerAuto`, which knows what the account's device can sign. A direct signer hashes the document itself: with SHA-256, or, on a chain whose
 * keys are Ethereum's (`digest` of the request is `keccak256`), with keccak-256. Keplr's chooses by the chain; `DirectSecp256k1Wallet` knows SHA-256 only, and its
 * signature for such a chain is refused before it is sent. A wallet's changes to the document are compared with the order: Keplr and Leap put a fee of their own into it
 * unless they are told `preferNoSetFee`.
 *
 * @param address the account's, as the signer knows it
 * @see https://cosmos.github.io/cosmjs/latest/proto-signing/interfaces/OfflineDirectSigner.html (read 2026-11-22)
 */
export function cosmjsSigner(signer: CosmjsSigner | CosmjsAminoSigner, address: string): Signer {
  return {
    async sign({ answer, chainId, stated: headers }) {
      const facts = { chainId, accountNumber: BigInt(headers['x-account-number'] ?? '0') }
      if ('signDirect' in signer) {
        const { signed, signature } = await signer.signDirect(address, { ...signPartsOf(answer), ...facts })
        return { signedTx: writeSigned(signed, bytesOf(signature)) }
      }
      const { signed, signature } = await signer.signAmino(address, aminoDocumentOf(answer, facts))
      return { signedTx: writeAminoSigned(answer, signed, bytesOf(signature)) }
    },
  }
}

/** Reads the bytes of a signature from cosmjs's base64. */
function bytesOf({ signature }: { readonly signature: string }): Uint8Array {
  return Uint8Array.from(atob(signature), (char) => char.charCodeAt(0))
}
