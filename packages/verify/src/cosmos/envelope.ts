import type { Layout } from './protobuf.ts'

// What every transaction of the family carries, and nothing of any module: messages of the packages cosmos.tx.v1beta1, cosmos.base.v1beta1 and
// cosmos.crypto.secp256k1 of Cosmos SDK 0.50 and 0.53, and google.protobuf.Any: https://github.com/cosmos/cosmos-sdk/tree/main/proto
// (read 2026-11-21). What a transaction with one signer never needs is refused by name.

/** Layout of `google.protobuf.Any`. */
export const ANY = {
  type_url: { number: 1, kind: 'text' },
  value: { number: 2, kind: 'bytes' },
} as const satisfies Layout

/** Layout of a `TxRaw` before it is signed. */
export const UNSIGNED_TX = {
  body_bytes: { number: 1, kind: 'bytes' },
  auth_info_bytes: { number: 2, kind: 'bytes' },
  signatures: { number: 3, kind: 'refused', why: 'an unsigned transaction has no signatures' },
} as const satisfies Layout

/** Layout of a `TxRaw`, signed or not. */
export const TX_RAW = { ...UNSIGNED_TX, signatures: { number: 3, kind: 'list', optional: true } } as const satisfies Layout

/** Layout of a `TxBody`. */
export const TX_BODY = {
  messages: { number: 1, kind: 'list' },
  memo: { number: 2, kind: 'text', optional: true },
  timeout_height: { number: 3, kind: 'refused', why: 'a transaction without a timeout is expected' },
  unordered: { number: 4, kind: 'refused', why: 'a transaction ordered by its sequence is expected' },
  timeout_timestamp: { number: 5, kind: 'refused', why: 'a transaction without a timeout is expected' },
  extension_options: { number: 1023, kind: 'refused', why: 'no extension options are expected' },
  non_critical_extension_options: { number: 2047, kind: 'refused', why: 'no extension options are expected' },
} as const satisfies Layout

/** Layout of the `TxBody` of a transaction that is about to be sent: the sender chooses its timeout. */
export const SENT_BODY = {
  ...TX_BODY,
  timeout_height: { number: 3, kind: 'integer', optional: true },
  unordered: { number: 4, kind: 'integer', optional: true },
  timeout_timestamp: { number: 5, kind: 'bytes', optional: true },
} as const satisfies Layout

/** Layout of an `AuthInfo`. */
export const AUTH_INFO = {
  signer_infos: { number: 1, kind: 'list' },
  fee: { number: 2, kind: 'bytes' },
  tip: { number: 3, kind: 'refused', why: 'no tip is expected' },
} as const satisfies Layout

/** Layout of a `SignerInfo`. */
export const SIGNER_INFO = {
  public_key: { number: 1, kind: 'bytes' },
  mode_info: { number: 2, kind: 'bytes' },
  sequence: { number: 3, kind: 'integer', optional: true },
} as const satisfies Layout

/** Layout of a `ModeInfo`. */
export const MODE_INFO = {
  single: { number: 1, kind: 'bytes' },
  multi: { number: 2, kind: 'refused', why: 'one key signs, not several' },
} as const satisfies Layout

/** Layout of a `ModeInfo.Single`. */
export const SINGLE = { mode: { number: 1, kind: 'integer' } } as const satisfies Layout

/** Layout of a `Fee`. */
export const FEE = {
  amount: { number: 1, kind: 'list', optional: true },
  gas_limit: { number: 2, kind: 'integer' },
  payer: { number: 3, kind: 'refused', why: 'the signer pays the fee, and nobody is named for it' },
  granter: { number: 4, kind: 'refused', why: 'the signer pays the fee, and no allowance is used' },
} as const satisfies Layout

/** Layout of the `Fee` of a transaction that is about to be sent: a fee allowance takes nothing from the signer. */
export const SENT_FEE = { ...FEE, granter: { number: 4, kind: 'text', optional: true } } as const satisfies Layout

/** Layout of a `Coin`. */
export const COIN = {
  denom: { number: 1, kind: 'text' },
  amount: { number: 2, kind: 'text' },
} as const satisfies Layout

/** Layout of a `cosmos.crypto.secp256k1.PubKey`. */
export const PUBLIC_KEY = { key: { number: 1, kind: 'bytes' } } as const satisfies Layout
