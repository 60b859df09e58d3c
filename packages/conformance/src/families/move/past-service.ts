import type { ForeignStage } from '../../control/options.ts'
import { awaitLanding } from '../../landing.ts'
import type { Player } from '../../player.ts'
import { present } from '../../present.ts'
import { base58, keyOf } from '../shared/base58.ts'
import { bytesAt, numberAt, readFields, textBytes, writeFields } from '../shared/protobuf.ts'
import type { Hex32 } from './bcs.ts'
import { ask } from './grpc.ts'
import { blake2b256 } from './hash.ts'
import { moveScenes } from './life.ts'
import { type MoveWallet, outcomeOf, signatureOf } from './wallet.ts'
import { type Command, type Input, type Reference, writeTransaction } from './wire.ts'

const SUI_COIN = '0x2::coin::Coin<0x2::sui::SUI>'
/** MIST that a transaction of a few commands costs at most, at the prices of the sandbox. */
const BUDGET = 100_000_000n
/** Name of what a transaction's digest is taken of. @see https://github.com/MystenLabs/sui/blob/main/crates/sui-types/src/transaction.rs (read 2026-11-29) */
const HASHED_WITH = Buffer.from('TransactionData::')

// Numbers of fields: GetObjectRequest and -Response, ListOwnedObjectsRequest and -Response, Object, GetEpochRequest and -Response, FieldMask.
// https://github.com/MystenLabs/sui-apis/tree/main/proto/sui/rpc/v2 (read 2026-11-29)
const PATHS = 1
const [OBJECT_ID, OBJECT_MASK] = [1, 3] as const
const [OWNER, LIST_MASK, TYPE] = [1, 4, 5] as const
const FOUND = 1
const [ID, VERSION, DIGEST] = [2, 3, 4] as const
const EPOCH_MASK = 2
const PRICE = [1, 8]
const REFERENCE = ['object_id', 'version', 'digest']

/**
 * Signs and executes commands on objects of a wallet, without the service. The objects are the first inputs, in their order, and `more` follow them. All coins of the
 * wallet pay.
 *
 * @throws TypeError where the chain refuses it, or it fails there
 */
export async function acts(
  { rpcUrl }: ForeignStage,
  by: Player,
  objects: readonly Hex32[],
  more: readonly Input[],
  commands: readonly Command[],
): Promise<void> {
  const wallet = by.wallet as MoveWallet
  const [owned, payment, price] = await Promise.all([
    Promise.all(objects.map((id) => referenceOf(rpcUrl, id))),
    coinsOf(rpcUrl, wallet.address),
    priceOf(rpcUrl),
  ])
  const sender = wallet.address.slice(2)
  const inputs = [...owned.map((reference): Input => ({ kind: 'owned', ...reference })), ...more]
  const bytes = writeTransaction({
    ...{ inputs, commands, sender, payment, owner: sender, price, budget: BUDGET, expiration: { kind: 'none' } },
  })
  const signed = { bytes: Buffer.from(bytes).toString('base64'), signatures: [signatureOf(bytes, wallet)] }
  await moveScenes().send(rpcUrl, { signed_tx_b64: Buffer.from(JSON.stringify(signed)).toString('base64') })
  const digest = base58(blake2b256(HASHED_WITH, bytes))
  await awaitLanding(digest, () => outcomeOf(rpcUrl, digest))
}

async function referenceOf(url: string, id: Hex32): Promise<Reference> {
  const request = writeFields([
    { number: OBJECT_ID, value: textBytes(`0x${id}`) },
    { number: OBJECT_MASK, value: maskOf(REFERENCE) },
  ])
  return referenceIn(bytesAt(await messageOf(url, 'LedgerService/GetObject', request), [FOUND]))
}

async function coinsOf(url: string, owner: string): Promise<readonly Reference[]> {
  const request = writeFields([
    { number: OWNER, value: textBytes(owner) },
    { number: LIST_MASK, value: maskOf(REFERENCE) },
    { number: TYPE, value: textBytes(SUI_COIN) },
  ])
  const page = readFields(await messageOf(url, 'StateService/ListOwnedObjects', request))
  return page.flatMap(({ number, value }) => (number === FOUND && typeof value !== 'bigint' ? [referenceIn(value)] : []))
}

async function priceOf(url: string): Promise<bigint> {
  const request = writeFields([{ number: EPOCH_MASK, value: maskOf(['reference_gas_price']) }])
  return numberAt(await messageOf(url, 'LedgerService/GetEpoch', request), PRICE)
}

async function messageOf(url: string, method: string, request: Uint8Array): Promise<Uint8Array> {
  const { status, words, message } = await ask(url, method, request)
  if (status !== 0) throw new TypeError(`${method} answered ${status}: ${words}`)
  return present(message ?? undefined, 'an answer')
}

function maskOf(paths: readonly string[]): Uint8Array {
  return writeFields(paths.map((path) => ({ number: PATHS, value: textBytes(path) })))
}

function referenceIn(object: Uint8Array): Reference {
  const text = (number: number) => Buffer.from(bytesAt(object, [number])).toString()
  const digest = present(keyOf(text(DIGEST)) ?? undefined, 'a digest')
  return { id: text(ID).slice(2), version: numberAt(object, [VERSION]), digest: digest.toString('hex') }
}
