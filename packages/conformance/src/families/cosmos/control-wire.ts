import { membersOf } from '@svc/contract'
import type { ForeignStage } from '../../control/options.ts'
import { awaitLanding, callOf } from '../../landing.ts'
import type { Player } from '../../player.ts'
import { present } from '../../present.ts'
import { type Field, readFields, textBytes, valueAt, writeFields } from '../shared/protobuf.ts'
import type { ChainFacts } from './forgeries.ts'
import type { SigningWallet } from './timeout.ts'
import { bytesOf, hexOf, putTogether, rawOf } from './wire.ts'

// Numbers of fields: https://github.com/cosmos/cosmos-sdk/tree/v0.53.8/proto/cosmos (tx/v1beta1/tx.proto, auth, authz, staking; read 2026-11-29)

const SIGN_MODE_DIRECT = 1n
/** Gas for as many messages as a test sends in one transaction, and base units that pay for it at twice the least price of either hub. */
const GAS = 3_000_000n
const FEE = 30_000n
const SIGNATURES = 3

/** A message: its type, and its bytes. */
export interface Act {
  readonly type: string
  readonly value: Uint8Array
}

/** Writes a message whose fields are in their order: texts, messages, numbers; undefined is left out. */
export function record(...values: readonly (string | Uint8Array | bigint | undefined)[]): Uint8Array {
  return writeFields(
    values.flatMap((value, at): readonly Field[] =>
      value === undefined ? [] : [{ number: at + 1, value: typeof value === 'string' ? textBytes(value) : value }],
    ),
  )
}

/** Signs a transaction of these messages with the wallet's own key, without the service, and waits for its block. @throws when the chain refuses it */
export async function sends({ rpcUrl }: ForeignStage, chain: ChainFacts, by: Player, acts: readonly Act[]): Promise<void> {
  const { key, address } = by.wallet as SigningWallet
  const { number, sequence } = await accountOf(rpcUrl, address)
  const body = writeFields(acts.map(({ type, value }) => ({ number: 1, value: record(type, value) })))
  const publicKey = record(chain.keyType ?? '/cosmos.crypto.secp256k1.PubKey', record(bytesOf(key.compressed)))
  const signer = record(publicKey, record(record(SIGN_MODE_DIRECT)), sequence)
  const authInfo = record(signer, record(record(chain.denom, String(FEE)), GAS))
  const parts = { body, authInfo, chainId: chain.chainId, accountNumber: number, algorithm: chain.algorithm }
  const signature = bytesOf(key.sign(bytesOf(putTogether(parts).unsigned_tx_hash_hex)))
  const signed = writeFields([...readFields(rawOf(parts)), { number: SIGNATURES, value: signature }])
  const tx = Buffer.from(signed).toString('base64')
  const answer = membersOf(await callOf(rpcUrl, 'broadcast_tx_sync', { tx }))
  if (answer.code !== 0) throw new TypeError(`the chain refused it: ${answer.log}`)
  await awaitLanding(String(answer.hash), async () => ((await accountOf(rpcUrl, address)).sequence > sequence ? 'landed' : null))
}

/** Asks the chain's application. @returns the answer's bytes; null: it refuses */
async function asks(rpcUrl: string, path: string, request: Uint8Array): Promise<Uint8Array | null> {
  const { response } = membersOf(await callOf(rpcUrl, 'abci_query', { path, data: hexOf(request), height: '0', prove: false }))
  const { code, value } = membersOf(response)
  return code === 0 || code === undefined ? new Uint8Array(Buffer.from(String(value ?? ''), 'base64')) : null
}

async function accountOf(rpcUrl: string, address: string): Promise<{ readonly number: bigint; readonly sequence: bigint }> {
  const answer = present((await asks(rpcUrl, '/cosmos.auth.v1beta1.Query/AccountInfo', record(address))) ?? undefined, 'an account')
  const at = (path: readonly number[]) => {
    const value = valueAt(answer, path)
    return typeof value === 'bigint' ? value : 0n
  }
  return { number: at([1, 3]), sequence: at([1, 4]) }
}

/** Finds the validator with which a wallet has its stake, and another one. */
export async function validatorsOf({ rpcUrl, player }: ForeignStage): Promise<{ readonly own: string; readonly other: string }> {
  const staking = '/cosmos.staking.v1beta1.Query'
  const delegations = present(
    (await asks(rpcUrl, `${staking}/DelegatorDelegations`, record(player.wallet.address))) ?? undefined,
    'an answer',
  )
  const own = textAt(delegations, [1, 1, 2])
  const all = present((await asks(rpcUrl, `${staking}/Validators`, new Uint8Array())) ?? undefined, 'an answer')
  const others = readFields(all).flatMap(({ number, value }) => (number === 1 && typeof value !== 'bigint' ? [textAt(value, [1])] : []))
  return {
    own,
    other: present(
      others.find((validator) => validator !== own),
      'another validator',
    ),
  }
}

/** Finds the one exit of a wallet: its validator, the height at which it began, and base units. */
export async function exitOf({
  rpcUrl,
  player,
}: ForeignStage): Promise<{ readonly validator: string; readonly height: bigint; readonly balance: bigint }> {
  const path = '/cosmos.staking.v1beta1.Query/DelegatorUnbondingDelegations'
  const answer = present((await asks(rpcUrl, path, record(player.wallet.address))) ?? undefined, 'an answer')
  const height = valueAt(answer, [1, 3, 1])
  if (typeof height !== 'bigint') throw new RangeError('the wallet has no exit')
  return { validator: textAt(answer, [1, 2]), height, balance: BigInt(textAt(answer, [1, 3, 4])) }
}

function textAt(message: Uint8Array, path: readonly number[]): string {
  const value = valueAt(message, path)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8')
  throw new RangeError(`there is no text at ${path.join('.')}`)
}
