import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MsgSetWithdrawAddress, MsgWithdrawDelegatorReward } from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import { MsgBeginRedelegate, MsgCancelUnbondingDelegation, MsgDelegate, MsgUndelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import type { DecodedTx } from './decode.ts'

/**
 * Messages by their type: the name under which amino registers each.
 *
 * @see https://github.com/cosmos/cosmos-sdk/blob/v0.53.8/x/staking/types/codec.go, x/distribution/types/codec.go and x/bank/types/codec.go (read 2026-11-28)
 */
const registered: Readonly<Record<string, { readonly name: string; readonly codec: { decode(bytes: Uint8Array): object } }>> = {
  [MsgDelegate.typeUrl]: { name: 'cosmos-sdk/MsgDelegate', codec: MsgDelegate },
  [MsgUndelegate.typeUrl]: { name: 'cosmos-sdk/MsgUndelegate', codec: MsgUndelegate },
  [MsgBeginRedelegate.typeUrl]: { name: 'cosmos-sdk/MsgBeginRedelegate', codec: MsgBeginRedelegate },
  [MsgCancelUnbondingDelegation.typeUrl]: { name: 'cosmos-sdk/MsgCancelUnbondingDelegation', codec: MsgCancelUnbondingDelegation },
  [MsgWithdrawDelegatorReward.typeUrl]: { name: 'cosmos-sdk/MsgWithdrawDelegationReward', codec: MsgWithdrawDelegatorReward },
  [MsgSetWithdrawAddress.typeUrl]: { name: 'cosmos-sdk/MsgModifyWithdrawAddress', codec: MsgSetWithdrawAddress },
  [MsgSend.typeUrl]: { name: 'cosmos-sdk/MsgSend', codec: MsgSend },
}

/**
 * Writes the document that SIGN_MODE_LEGACY_AMINO_JSON signs, which hardware wallets show: JSON with the members of each object sorted by name, integers as text, and
 * without empty values except lists.
 *
 * @returns null where a message or an option of the transaction has no such form
 * @see https://github.com/cosmos/cosmos-sdk/blob/v0.53.8/x/auth/migrations/legacytx/stdsign.go (StdSignBytes; read 2026-11-28)
 */
export function aminoDocument(
  { body, authInfo }: DecodedTx,
  of: { readonly chainId: string; readonly accountNumber: bigint; readonly sequence: bigint },
): Uint8Array | null {
  const { unordered, timeoutTimestamp, extensionOptions, nonCriticalExtensionOptions } = body
  if (unordered || timeoutTimestamp || extensionOptions.length + nonCriticalExtensionOptions.length > 0) return null
  const msgs = []
  for (const { typeUrl, value } of body.messages) {
    const type = registered[typeUrl]
    if (type === undefined) return null
    msgs.push({ type: type.name, value: plain(type.codec.decode(value)) })
  }
  const { amount = [], gasLimit = 0n, payer = '', granter = '' } = authInfo.fee ?? {}
  const document = {
    account_number: String(of.accountNumber),
    chain_id: of.chainId,
    fee: {
      amount: amount.map((coin) => ({ amount: coin.amount, denom: coin.denom })),
      gas: String(gasLimit),
      ...(granter ? { granter } : {}),
      ...(payer ? { payer } : {}),
    },
    memo: body.memo,
    msgs,
    sequence: String(of.sequence),
    ...(body.timeoutHeight > 0n ? { timeout_height: String(body.timeoutHeight) } : {}),
  }
  // Go's JSON escapes what could end a script.
  const text = JSON.stringify(document).replace(/[<>&\u2028\u2029]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return new TextEncoder().encode(text)
}

/** A message as amino writes it: members in the order of their names, without those that are empty. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== '' && member !== 0n && member !== undefined)
      .map(([name, member]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), plain(member)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}
