import { makeSignDoc, serializeSignDoc } from '@cosmjs/amino'
import { Secp256k1, sha256 } from '@cosmjs/crypto'
import { MsgVote } from 'cosmjs-types/cosmos/gov/v1beta1/tx'
import { AuthInfo, SignDoc, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { signed } from './history.ts'
import { key, one } from './vectors.ts'

interface Change {
  readonly memo?: string
  readonly vote?: boolean
  readonly signs?: { readonly number: bigint }
  /** Address that has granted the fee. */
  readonly granter?: string
}

/** Hub-one's claim, signed as a Ledger does. */
export function ledger(change: Change = {}) {
  const { bodyBytes, authInfoBytes } = TxRaw.decode(signed(one.claim))
  const body = { ...TxBody.decode(bodyBytes), memo: change.memo ?? '' }
  if (change.vote)
    body.messages = [{ typeUrl: MsgVote.typeUrl, value: MsgVote.encode(MsgVote.fromPartial({ voter: one.address })).finish() }]
  const authInfo = AuthInfo.decode(authInfoBytes)
  const [signer] = authInfo.signerInfos
  signer!.modeInfo = { single: { mode: 127 } }
  const { granter } = change
  if (granter) authInfo.fee = { ...authInfo.fee!, granter }
  const document = makeSignDoc(
    [
      {
        type: 'cosmos-sdk/MsgWithdrawDelegationReward',
        value: { delegator_address: one.address, validator_address: one.validator },
      },
    ],
    { amount: authInfo.fee!.amount, gas: String(authInfo.fee!.gasLimit), ...(granter ? { granter } : {}) },
    one.chainId,
    '',
    String(change.signs?.number ?? one.accountNumber),
    String(one.sequence),
  )
  const signature = Secp256k1.createSignature(sha256(serializeSignDoc(document)), new Uint8Array(Buffer.from(key.private, 'hex')))
  return TxRaw.encode({
    bodyBytes: TxBody.encode(body).finish(),
    authInfoBytes: AuthInfo.encode(authInfo).finish(),
    signatures: [new Uint8Array([...signature.r(32), ...signature.s(32)])],
  }).finish()
}

/** Hub-one's claim, for which another has granted or pays the fee, signed as it is crafted. */
export function paidByAnother(fee: { readonly granter?: string; readonly payer?: string }) {
  const { bodyBytes, authInfoBytes } = TxRaw.decode(signed(one.claim))
  const authInfo = AuthInfo.decode(authInfoBytes)
  authInfo.fee = { ...authInfo.fee!, ...fee }
  const document = { bodyBytes, authInfoBytes: AuthInfo.encode(authInfo).finish(), chainId: one.chainId, accountNumber: one.accountNumber }
  const digest = sha256(SignDoc.encode(SignDoc.fromPartial(document)).finish())
  const signature = Secp256k1.createSignature(digest, new Uint8Array(Buffer.from(key.private, 'hex')))
  return TxRaw.encode({ ...document, signatures: [signature.toFixedLength().slice(0, 64)] }).finish()
}
