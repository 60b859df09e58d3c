import { sha256 } from '@cosmjs/crypto'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MsgSetWithdrawAddress, MsgWithdrawDelegatorReward } from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import { MsgBeginRedelegate, MsgCancelUnbondingDelegation, MsgDelegate, MsgUndelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { type AuthInfo, TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { Codec } from './transaction.ts'

/** Facts that a signature covers besides the bytes of its transaction. */
interface Signing {
  readonly chainId: string
  readonly accountNumber: bigint
  readonly sequence: bigint
}

/**
 * Writes the bytes that are signed in SIGN_MODE_LEGACY_AMINO_JSON, which a Ledger signs: a JSON document with its members sorted by name.
 *
 * @returns null for a transaction with a message or an option whose form is not known here
 * @see https://github.com/cosmos/cosmos-sdk/blob/v0.53.8/x/auth/migrations/legacytx/stdsign.go (StdSignDoc, StdSignBytes) and stdtx.go (StdFee; read 2026-11-25)
 */
export function aminoSignBytes(body: TxBody, { fee }: AuthInfo, { chainId, accountNumber, sequence }: Signing): Uint8Array | null {
  const { messages, memo, timeoutHeight, timeoutTimestamp, unordered, extensionOptions, nonCriticalExtensionOptions } = body
  const msgs = messages.map(aminoOf)
  const isOdd = unordered || timeoutTimestamp !== undefined || extensionOptions.length + nonCriticalExtensionOptions.length > 0
  if (fee === undefined || isOdd || msgs.includes(null)) return null
  const document = {
    account_number: String(accountNumber),
    chain_id: chainId,
    fee: withoutEmpty({ amount: fee.amount.map(coinOf), gas: String(fee.gasLimit), granter: fee.granter, payer: fee.payer }),
    memo,
    msgs,
    sequence: String(sequence),
    ...(timeoutHeight > 0n ? { timeout_height: String(timeoutHeight) } : {}),
  }
  return new TextEncoder().encode(escaped(JSON.stringify(sorted(document))))
}

/** Computes the hash that is signed in amino JSON: SHA-256 of the document. The sequence is that of the only signer. @returns null as `aminoSignBytes` does */
export function aminoHash(bodyBytes: Uint8Array, authInfo: AuthInfo, facts: Omit<Signing, 'sequence'>): Uint8Array | null {
  const document = aminoSignBytes(TxBody.decode(bodyBytes), authInfo, { ...facts, sequence: authInfo.signerInfos[0]?.sequence ?? 0n })
  return document === null ? null : sha256(document)
}

interface Coin {
  readonly denom: string
  readonly amount: string
}

const coinOf = ({ denom, amount }: Coin): Coin => ({ denom, amount })

/** A type of message: its name in amino, and the value by its members. */
interface AminoType {
  readonly name: string
  read(bytes: Uint8Array): Readonly<Record<string, unknown>>
}

function aminoType<T>(name: string, codec: Codec<T>, read: (message: T) => Readonly<Record<string, unknown>>): AminoType {
  return { name, read: (bytes) => read(codec.decode(bytes)) }
}

interface Parties {
  readonly delegatorAddress: string
  readonly validatorAddress: string
}

const partiesOf = ({ delegatorAddress, validatorAddress }: Parties) => ({
  delegator_address: delegatorAddress,
  validator_address: validatorAddress,
})
const delegationOf = (message: Parties & { readonly amount: Coin }) => ({ ...partiesOf(message), amount: coinOf(message.amount) })

/**
 * Messages that an account with a stake signs, by their type.
 *
 * @see https://github.com/cosmos/cosmos-sdk/blob/v0.53.8/x/staking/types/codec.go, x/distribution/types/codec.go and x/bank/types/codec.go (read 2026-11-25)
 */
const TYPES: Readonly<Record<string, AminoType>> = {
  [MsgDelegate.typeUrl]: aminoType('cosmos-sdk/MsgDelegate', MsgDelegate, delegationOf),
  [MsgUndelegate.typeUrl]: aminoType('cosmos-sdk/MsgUndelegate', MsgUndelegate, delegationOf),
  [MsgCancelUnbondingDelegation.typeUrl]: aminoType('cosmos-sdk/MsgCancelUnbondingDelegation', MsgCancelUnbondingDelegation, (message) => ({
    ...delegationOf(message),
    creation_height: String(message.creationHeight),
  })),
  [MsgBeginRedelegate.typeUrl]: aminoType('cosmos-sdk/MsgBeginRedelegate', MsgBeginRedelegate, (message) => ({
    delegator_address: message.delegatorAddress,
    validator_src_address: message.validatorSrcAddress,
    validator_dst_address: message.validatorDstAddress,
    amount: coinOf(message.amount),
  })),
  [MsgWithdrawDelegatorReward.typeUrl]: aminoType('cosmos-sdk/MsgWithdrawDelegationReward', MsgWithdrawDelegatorReward, partiesOf),
  [MsgSetWithdrawAddress.typeUrl]: aminoType('cosmos-sdk/MsgModifyWithdrawAddress', MsgSetWithdrawAddress, (message) => ({
    delegator_address: message.delegatorAddress,
    withdraw_address: message.withdrawAddress,
  })),
  [MsgSend.typeUrl]: aminoType('cosmos-sdk/MsgSend', MsgSend, (message) => ({
    from_address: message.fromAddress,
    to_address: message.toAddress,
    amount: message.amount.map(coinOf),
  })),
}

function aminoOf({ typeUrl, value }: Any): object | null {
  const type = Object.hasOwn(TYPES, typeUrl) ? TYPES[typeUrl] : undefined
  if (type === undefined) return null
  try {
    return { type: type.name, value: withoutEmpty(type.read(value)) }
  } catch {
    return null
  }
}

/** Leaves out members that are the empty text, as amino does. */
function withoutEmpty(value: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== ''))
}

/** Puts the members of every object in the order of their names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]))
}

/**
 * Escapes the characters that Go escapes for HTML, and the two separators, where JavaScript does not.
 *
 * @see https://pkg.go.dev/encoding/json#HTMLEscape (read 2026-11-25)
 */
function escaped(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
