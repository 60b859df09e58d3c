import { createHash } from 'node:crypto'
import { membersOf } from '@svc/contract'
import { callOf } from '../../landing.ts'
import type { Scene, Signed, Stage } from '../../life/family.ts'
import type { Wallet } from '../../wallet.ts'
import { type Field, readFields, textBytes, valueAt, writeFields } from '../shared/protobuf.ts'
import type { Secp256k1Key } from './secp256k1.ts'
import { bytesOf, type Parts, putTogether } from './wire.ts'

/** A wallet that signs what no craft gives. */
export interface SigningWallet extends Wallet {
  readonly key: Secp256k1Key
}

// Numbers of fields: TxRaw, TxBody. https://github.com/cosmos/cosmos-sdk/blob/main/proto/cosmos/tx/v1beta1/tx.proto (read 2026-11-22)
const [BODY, AUTH_INFO, SIGNATURES] = [1, 2, 3] as const
const TIMEOUT_HEIGHT = 3
/** QueryAccountInfoRequest and its answer. https://github.com/cosmos/cosmos-sdk/blob/main/proto/cosmos/auth/v1beta1/query.proto (read 2026-11-22) */
const ACCOUNT_INFO = '/cosmos.auth.v1beta1.Query/AccountInfo'
const ADDRESS = 1
const [INFO, ACCOUNT_NUMBER] = [1, 3] as const
/** Blocks for which it can land. */
const BLOCKS = 3n

/** What a signature covers besides the bytes and the account. */
export type SignedFor = Pick<Parts, 'chainId' | 'algorithm'>

/** Makes the scene of a transaction whose last block went by without it. Crafted transactions have no timeout, so that the scene adds one and signs the transaction anew. */
export function timeoutScene<W extends SigningWallet>(chain: SignedFor): Scene<W> {
  return {
    name: 'its last block went by',
    given: 'tracked',
    instead: (stage) => withTimeout(stage, chain),
    play: async (stage) => void (await stage.operate('mine', { blocks: Number(BLOCKS) + 2 })),
    told: ['expired'],
  }
}

async function withTimeout({ rpcUrl, wallet, body: sent }: Stage<SigningWallet>, chain: SignedFor): Promise<Signed> {
  const raw = bytesOf(String(sent.signed_tx_hex))
  const timeout: Field = { number: TIMEOUT_HEIGHT, value: (await heightOf(rpcUrl)) + BLOCKS }
  const body = writeFields([...readFields(partOf(raw, BODY)), timeout])
  const authInfo = partOf(raw, AUTH_INFO)
  const accountNumber = await accountNumberOf(rpcUrl, wallet.address)
  const { unsigned_tx_hash_hex: hash } = putTogether({ body, authInfo, ...chain, accountNumber })
  const signed = writeFields([
    { number: BODY, value: body },
    { number: AUTH_INFO, value: authInfo },
    { number: SIGNATURES, value: bytesOf(wallet.key.sign(bytesOf(hash))) },
  ])
  return {
    body: { ...sent, signed_tx_hex: Buffer.from(signed).toString('hex') },
    txHash: createHash('sha256').update(signed).digest('hex').toUpperCase(),
  }
}

function partOf(raw: Uint8Array, number: number): Uint8Array {
  const part = valueAt(raw, [number])
  if (part instanceof Uint8Array) return part
  throw new RangeError(`the transaction has no field ${number}`)
}

async function heightOf(rpcUrl: string): Promise<bigint> {
  const { sync_info } = membersOf(await callOf(rpcUrl, 'status', []))
  return BigInt(String(membersOf(sync_info).latest_block_height))
}

async function accountNumberOf(rpcUrl: string, address: string): Promise<bigint> {
  const data = Buffer.from(writeFields([{ number: ADDRESS, value: textBytes(address) }])).toString('hex')
  const { response } = membersOf(await callOf(rpcUrl, 'abci_query', { path: ACCOUNT_INFO, data, height: '0', prove: false }))
  const number = valueAt(new Uint8Array(Buffer.from(String(membersOf(response).value), 'base64')), [INFO, ACCOUNT_NUMBER])
  // Absent where it is 0.
  return typeof number === 'bigint' ? number : 0n
}
