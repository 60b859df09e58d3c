import { makeSignDoc, serializeSignDoc } from '@cosmjs/amino'
import { Secp256k1, sha256 } from '@cosmjs/crypto'
import { MsgVote } from 'cosmjs-types/cosmos/gov/v1beta1/tx'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { signed } from './history.ts'
import { key, one } from './vectors.ts'

/** Hub-one's claim, signed as a Ledger does. */
export function ledger(change: { readonly memo?: string; readonly vote?: boolean; readonly signs?: { readonly number: bigint } } = {}) {
  const { bodyBytes, authInfoBytes } = TxRaw.decode(signed(one.claim))
  const body = { ...TxBody.decode(bodyBytes), memo: change.memo ?? '' }
  if (change.vote)
    body.messages = [{ typeUrl: MsgVote.typeUrl, value: MsgVote.encode(MsgVote.fromPartial({ voter: one.address })).finish() }]
  const authInfo = AuthInfo.decode(authInfoBytes)
  const [signer] = authInfo.signerInfos
  signer!.modeInfo = { single: { mode: 127 } }
  const document = makeSignDoc(
    [
      {
        type: 'cosmos-sdk/MsgWithdrawDelegationReward',
        value: { delegator_address: one.address, validator_address: one.validator },
      },
    ],
    { amount: authInfo.fee!.amount, gas: String(authInfo.fee!.gasLimit) },
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
