import { type KeyObject, sign } from 'node:crypto'
import type { Outcome } from '../../landing.ts'
import type { Wallet } from '../../wallet.ts'
import { textBytes, valueAt, writeFields } from '../shared/protobuf.ts'
import { ask } from './grpc.ts'
import { blake2b256 } from './hash.ts'

export interface MoveWallet extends Wallet {
  readonly key: KeyObject
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array
}

/** Flag of Ed25519, before signatures. */
const ED25519 = Uint8Array.of(0)
/** Prefix of what is signed: a transaction, version 0, of Sui. */
const INTENT = Uint8Array.of(0, 0, 0)

// Numbers of fields: GetTransactionRequest, FieldMask, GetTransactionResponse, ExecutedTransaction, TransactionEffects, ExecutionStatus.
// https://github.com/MystenLabs/sui-apis/tree/main/proto/sui/rpc/v2 (read 2026-11-21)
const DIGEST = 1
const READ_MASK = 2
const PATHS = 1
const SUCCESS = [1, 4, 4, 1]

/** Reads how a transaction ended; null: no node has it yet. */
export async function outcomeOf(url: string, digest: string): Promise<Outcome> {
  const request = writeFields([
    { number: DIGEST, value: textBytes(digest) },
    { number: READ_MASK, value: writeFields([{ number: PATHS, value: textBytes('effects.status') }]) },
  ])
  const { message } = await ask(url, 'LedgerService/GetTransaction', request)
  if (message === null || message.length === 0) return null
  return valueAt(message, SUCCESS) === 1n ? 'landed' : { failed: 'is final and failed' }
}

/** Signs a transaction in the chain's form: base64 of scheme, signature and key. */
export function signatureOf(bytes: Uint8Array, { key, publicKey }: MoveWallet): string {
  return Buffer.concat([ED25519, sign(null, blake2b256(INTENT, bytes), key), publicKey]).toString('base64')
}
