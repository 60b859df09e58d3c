import { DecodeError, shown } from '../errors.ts'
import { ANY, AUTH_INFO, COIN, FEE, SIGNER_INFO, TX_BODY } from './envelope.ts'
import { type Layout, readMessage } from './protobuf.ts'

interface AminoCoin {
  readonly denom: string
  readonly amount: string
}

/** Document that is signed in SIGN_MODE_LEGACY_AMINO_JSON, as hardware wallets show it: the `StdSignDoc` of cosmjs. */
export interface AminoDocument {
  readonly account_number: string
  readonly chain_id: string
  readonly fee: { readonly amount: readonly AminoCoin[]; readonly gas: string }
  readonly memo: string
  readonly msgs: readonly { readonly type: string; readonly value: Readonly<Record<string, unknown>> }[]
  readonly sequence: string
}

/** The four things that a signature covers. */
interface Covered {
  readonly bodyBytes: Uint8Array
  readonly authInfoBytes: Uint8Array
  readonly chainId: string
  readonly accountNumber: bigint
}

const PARTIES = { delegator_address: { number: 1, kind: 'text' }, validator_address: { number: 2, kind: 'text' } } as const
const DELEGATION = { ...PARTIES, amount: { number: 3, kind: 'bytes' } } as const

/**
 * Messages that have such a form, by their type: the name under which amino registers each, and the fields by the names that stand in the document.
 *
 * @see https://github.com/cosmos/cosmos-sdk/blob/v0.53.8/x/staking/types/codec.go, x/distribution/types/codec.go, and proto/cosmos/staking/v1beta1/tx.proto and proto/cosmos/distribution/v1beta1/tx.proto
 * (read 2026-11-29)
 */
const MESSAGES: ReadonlyMap<string, { readonly name: string; readonly fields: Layout }> = new Map([
  ['/cosmos.staking.v1beta1.MsgDelegate', { name: 'cosmos-sdk/MsgDelegate', fields: DELEGATION }],
  ['/cosmos.staking.v1beta1.MsgUndelegate', { name: 'cosmos-sdk/MsgUndelegate', fields: DELEGATION }],
  [
    '/cosmos.staking.v1beta1.MsgCancelUnbondingDelegation',
    { name: 'cosmos-sdk/MsgCancelUnbondingDelegation', fields: { ...DELEGATION, creation_height: { number: 4, kind: 'integer' } } },
  ],
  ['/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward', { name: 'cosmos-sdk/MsgWithdrawDelegationReward', fields: PARTIES }],
])

/**
 * Writes the amino JSON sign document of a transaction that has no timeout and no options.
 *
 * @throws DecodeError for a message that has no such form here
 * @see https://github.com/cosmos/cosmos-sdk/blob/v0.53.8/x/auth/migrations/legacytx/stdsign.go (StdSignDoc) and stdtx.go (StdFee; read 2026-11-29)
 */
export function aminoDocument({ bodyBytes, authInfoBytes, chainId, accountNumber }: Covered): AminoDocument {
  const { messages, memo } = readMessage(bodyBytes, TX_BODY, 'body')
  const { signer_infos, fee } = readMessage(authInfoBytes, AUTH_INFO, 'auth_info')
  const { sequence } = readMessage(signer_infos[0] ?? new Uint8Array(), SIGNER_INFO, 'auth_info.signer_infos[0]')
  const { amount, gas_limit } = readMessage(fee, FEE, 'auth_info.fee')
  return {
    account_number: String(accountNumber),
    chain_id: chainId,
    fee: { amount: amount.map(coinOf), gas: String(gas_limit) },
    memo,
    msgs: messages.map((message, i) => aminoMessage(message, `body.messages[${i}]`)),
    sequence: String(sequence),
  }
}

/** Serialises an amino sign document: JSON without spaces, the members of each object sorted by name, and escaped as Go's JSON is. */
export function aminoBytes(document: AminoDocument): Uint8Array {
  const json = JSON.stringify(document, (_, value: unknown) => (isPlain(value) ? inOrder(value) : value))
  // @see https://pkg.go.dev/encoding/json#HTMLEscape (read 2026-11-29)
  const escaped = json.replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return new TextEncoder().encode(escaped)
}

function aminoMessage(bytes: Uint8Array, path: string): AminoDocument['msgs'][number] {
  const { type_url: type, value } = readMessage(bytes, ANY, path)
  const message = MESSAGES.get(type)
  if (message === undefined)
    throw new DecodeError(
      `${path} is of the type ${shown(type)}, whose form in amino JSON is not known here; it must be one of ${[...MESSAGES.keys()].join(', ')}`,
    )
  const members = Object.entries(readMessage(value, message.fields, path))
  return {
    type: message.name,
    value: Object.fromEntries(
      members.map(([name, member]: [string, unknown]) => [name, member instanceof Uint8Array ? coinOf(member) : String(member)]),
    ),
  }
}

function coinOf(bytes: Uint8Array): AminoCoin {
  return readMessage(bytes, COIN, 'a coin')
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function inOrder(value: object): object {
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
