import { sha256 } from '@cosmjs/crypto'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, SignDoc, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { Wallet } from './keys.ts'

/** Everything that a transaction with one signer names. */
interface Written {
  readonly chainId: string
  readonly messages: readonly Any[]
  readonly signer: Wallet
  readonly accountNumber: bigint
  readonly sequence: bigint
  readonly gasLimit: bigint
  readonly fee: readonly { readonly denom: string; readonly amount: string }[]
  readonly memo?: string
  readonly timeoutHeight?: bigint
}

/** A signed transaction. */
export interface SignedTransaction {
  readonly bytes: Uint8Array
  readonly base64: string
  /** Upper-case hex. */
  readonly hash: string
  readonly signature: Uint8Array
}

/** Writes and signs a transaction in SIGN_MODE_DIRECT. */
export function writeTransaction({
  chainId,
  messages,
  signer,
  accountNumber,
  sequence,
  gasLimit,
  fee,
  memo = '',
  timeoutHeight = 0n,
}: Written): SignedTransaction {
  const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages: [...messages], memo, timeoutHeight })).finish()
  const authInfoBytes = AuthInfo.encode(
    AuthInfo.fromPartial({
      signerInfos: [
        {
          publicKey: { typeUrl: PubKey.typeUrl, value: PubKey.encode({ key: signer.publicKey }).finish() },
          modeInfo: { single: { mode: SignMode.SIGN_MODE_DIRECT } },
          sequence,
        },
      ],
      fee: { amount: [...fee], gasLimit },
    }),
  ).finish()
  const signature = signer.sign(sha256(SignDoc.encode({ bodyBytes, authInfoBytes, chainId, accountNumber }).finish()))
  const bytes = TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [signature] }).finish()
  return { bytes, base64: Buffer.from(bytes).toString('base64'), hash: hashOf(bytes), signature }
}

/** Hash by which the chain knows a transaction. */
function hashOf(bytes: Uint8Array): string {
  return Buffer.from(sha256(bytes)).toString('hex').toUpperCase()
}
