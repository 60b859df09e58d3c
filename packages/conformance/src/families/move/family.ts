import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { MoveCraft } from '@svc/verify/move'
import type { Family } from '../../family.ts'
import { awaitLanding, type Outcome } from '../../landing.ts'
import type { Wallet } from '../../wallet.ts'
import { foreignAddresses } from '../shared/foreign.ts'
import { textBytes, valueAt, writeFields } from '../shared/protobuf.ts'
import { badPrepares, garble } from './faults.ts'
import { fieldForgeries, forgeries } from './forgeries.ts'
import { ask } from './grpc.ts'
import { blake2b256 } from './hash.ts'
import { hiddenCommands, walletChanges } from './hidden.ts'
import { liar } from './lies.ts'
import { moveScenes } from './life.ts'
import { signedForm } from './signed.ts'

export interface MoveWallet extends Wallet {
  readonly key: KeyObject
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array
}

/** Flag of Ed25519, before keys in addresses and before signatures. */
const ED25519 = Uint8Array.of(0)
/** Prefix of what is signed: a transaction, version 0, of Sui. */
const INTENT = Uint8Array.of(0, 0, 0)
/** PKCS#8 of an Ed25519 key up to the seed. @see https://www.rfc-editor.org/rfc/rfc8410 section 7 (read 2026-11-21) */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

function signatureOf(bytes: Uint8Array, { key, publicKey }: MoveWallet): string {
  return Buffer.concat([ED25519, sign(null, blake2b256(INTENT, bytes), key), publicKey]).toString('base64')
}

/**
 * Driver of the Move family: BCS, Ed25519, gRPC-web. It shares no code with the kit, nor its library. On a scenario of `testnet` use
 * `{ ...moveFamily, otherChainId: 'mainnet' }`.
 */
export const moveFamily: Family<MoveCraft, MoveWallet> = {
  family: 'move',
  otherChainId: 'testnet',
  wallet(index) {
    const seed = createHash('sha256').update(`conformance wallet ${index}`).digest()
    const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
    const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
    const address = `0x${Buffer.from(blake2b256(ED25519, publicKey)).toString('hex')}`
    return { address, signer: address, key, publicKey }
  },
  async sign(unsigned, wallet) {
    return { ...unsigned, signatures: [signatureOf(Buffer.from(unsigned.unsigned_tx_b64, 'base64'), wallet)] }
  },
  landed: (rpcUrl, hash) => awaitLanding(hash, () => outcomeOf(rpcUrl, hash)),
  spellings: (address) => [`0x${address.slice(2).toUpperCase()}`],
  malformedAddresses: [
    '0x',
    '0x5',
    '11'.repeat(32),
    `0x${'1'.repeat(63)}`,
    `0x${'1'.repeat(65)}`,
    `0X${'11'.repeat(32)}`,
    `0x${'1g'.repeat(32)}`,
    ` 0x${'11'.repeat(32)}`,
    `0x${'11'.repeat(32)}::sui::SUI`,
    ...foreignAddresses('move'),
  ],
  badPrepares,
  fields: fieldForgeries,
  forgeries: (unsigned) => forgeries(unsigned),
  hidden: hiddenCommands,
  additions: walletChanges,
  signed: signedForm,
  thefts: ['call', 'validator', 'amount', 'fee', 'recipient', 'customer'],
  garble,
  liar,
  life: moveScenes(),
}

// Numbers of fields: GetTransactionRequest, FieldMask, GetTransactionResponse, ExecutedTransaction, TransactionEffects, ExecutionStatus.
// https://github.com/MystenLabs/sui-apis/tree/main/proto/sui/rpc/v2 (read 2026-11-21)
const DIGEST = 1
const READ_MASK = 2
const PATHS = 1
const SUCCESS = [1, 4, 4, 1]

async function outcomeOf(url: string, digest: string): Promise<Outcome> {
  const request = writeFields([
    { number: DIGEST, value: textBytes(digest) },
    { number: READ_MASK, value: writeFields([{ number: PATHS, value: textBytes('effects.status') }]) },
  ])
  const { message } = await ask(url, 'LedgerService/GetTransaction', request)
  if (message === null || message.length === 0) return null
  return valueAt(message, SUCCESS) === 1n ? 'landed' : { failed: 'is final and failed' }
}
