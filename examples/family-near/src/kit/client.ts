import { itemsOf, type KitIo, malformedAnswer, membersOf } from '@svc/contract'
import type { JsonRpc } from '@svc/contract/rpc'
import { badGateway } from './codes.ts'
import { countOf, hashOf, yoctoOf } from './read.ts'
import { createRpc, NodeVerdict } from './rpc.ts'
import type { NearNetwork } from './settings.ts'

/** What a key may do. */
export type Permission =
  | { readonly kind: 'full' }
  | { readonly kind: 'call'; readonly receiver: string; readonly methods: readonly string[]; readonly allowance: bigint | null }
  | { readonly kind: 'other' }

/** A key of an account, and the final block in which it was read. */
export interface AccessKey {
  readonly nonce: bigint
  readonly permission: Permission
  readonly blockHash: string
  readonly blockHeight: bigint
}

/** What an account holds. */
export interface Account {
  /** Yocto, without its own stake as a validator. */
  readonly amount: bigint
  readonly locked: bigint
  /** Bytes. */
  readonly storage: bigint
}

/** A block, as far as anything here needs it. */
export interface Block {
  readonly height: bigint
  readonly hash: string
  readonly time: Date
  /** Yocto that there are. */
  readonly supply: bigint
}

/** A validator of an epoch. */
export interface Validator {
  readonly account: string
  readonly stake: bigint
}

/** Validators of this epoch and the next, and where this one began. */
export interface Validators {
  readonly current: readonly Validator[]
  readonly next: readonly Validator[]
  readonly epochStart: bigint
}

/** One network of the family. */
export interface NearClient {
  readonly rpc: JsonRpc
  /** @returns null for a key that the account does not have, and for an account that there is not */
  key(account: string, key: string): Promise<AccessKey | null>
  /** @returns null for an account that there is not */
  account(account: string): Promise<Account | null>
  /** Yocto for a unit of gas. */
  gasPrice(): Promise<bigint>
  /**
   * Asks a contract, by a method that changes nothing.
   *
   * @param read checks what its JSON says
   * @throws 502 where the contract has no such method, or there is none
   */
  view<T>(contract: string, method: string, args: Readonly<Record<string, unknown>>, read: (value: unknown) => T): Promise<T>
  /** @param id a hash; left out: the last final one. @returns null for one that the node does not have */
  block(id?: string): Promise<Block | null>
  validators(): Promise<Validators>
}

/** Lowest and highest price of gas. @see near/nearcore CHANGELOG 1.20 (read 2026-11-23) */
const LEAST_PRICE = 100_000_000n
export const MOST_PRICE = 2_000_000_000n
/** A nonce stays below a million times the height. @see near/nearcore runtime/runtime/src/verifier.rs (read 2026-11-23) */
export const NONCES_OF_A_BLOCK = 1_000_000n
/** The year 9999. */
const LAST_NANOSECOND = 253_402_300_800n * 1_000_000_000n

/** Calls nothing. */
export function connectNear(network: NearNetwork, io: KitIo): NearClient {
  const rpc = createRpc(network, io)
  const query = <T>(params: Readonly<Record<string, unknown>>, read: (result: unknown) => T): Promise<T> =>
    rpc.call('query', { ...params, finality: 'final' }, read)
  const orNull = async <T>(asked: Promise<T>, ...names: readonly string[]): Promise<T | null> =>
    asked.catch((error: unknown) => {
      if (error instanceof NodeVerdict && names.includes(error.cause_name)) return null
      throw error
    })
  return {
    rpc,
    key: (account_id, public_key) =>
      orNull(query({ request_type: 'view_access_key', account_id, public_key }, keyOf), 'UNKNOWN_ACCESS_KEY', 'UNKNOWN_ACCOUNT'),
    account: (account_id) => orNull(query({ request_type: 'view_account', account_id }, accountOf), 'UNKNOWN_ACCOUNT'),
    gasPrice: () =>
      rpc.call('gas_price', [null], (result) => {
        const price = yoctoOf(membersOf(result).gas_price)
        if (price < LEAST_PRICE || price > MOST_PRICE) throw malformedAnswer(result)
        return price
      }),
    async view(account_id, method_name, args, read) {
      const args_base64 = Buffer.from(JSON.stringify(args)).toString('base64')
      const value = await orNull(
        query({ request_type: 'call_function', account_id, method_name, args_base64 }, (result) => read(jsonOf(result))),
        'UNKNOWN_ACCOUNT',
        'NO_CONTRACT_CODE',
      )
      if (value === null) throw badGateway('UPSTREAM_ERROR', `There is no contract at ${account_id} on this network.`)
      return value
    },
    block: (id) =>
      orNull(
        rpc.call('block', id === undefined ? { finality: 'final' } : { block_id: id }, (result) => blockOf(result, id)),
        'UNKNOWN_BLOCK',
        'GARBAGE_COLLECTED_BLOCK',
      ),
    validators: () =>
      rpc.call('validators', [null], (result) => {
        const { current_validators, next_validators, epoch_start_height } = membersOf(result)
        return { current: validatorsOf(current_validators), next: validatorsOf(next_validators), epochStart: countOf(epoch_start_height) }
      }),
  }
}

/** Older nodes say within a result that there is no such key. @returns null then @see https://docs.near.org/api/rpc/access-keys (read 2026-11-23) */
function keyOf(result: unknown): AccessKey | null {
  const { nonce, permission, block_hash, block_height, error } = membersOf(result)
  const blockHeight = countOf(block_height)
  const blockHash = hashOf(block_hash)
  if (error !== undefined) {
    if (typeof error === 'string' && /does not exist while viewing/.test(error) && nonce === undefined) return null
    throw malformedAnswer(result)
  }
  const nonceOfKey = nonce === 0 ? 0n : countOf(nonce)
  if (nonceOfKey >= blockHeight * NONCES_OF_A_BLOCK) throw malformedAnswer(result)
  return { nonce: nonceOfKey, permission: permissionOf(permission), blockHash, blockHeight }
}

function permissionOf(value: unknown): Permission {
  if (value === 'FullAccess') return { kind: 'full' }
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 1) throw malformedAnswer(value)
  const { FunctionCall: call, GasKeyFullAccess, GasKeyFunctionCall } = membersOf(value)
  if (GasKeyFullAccess !== undefined || GasKeyFunctionCall !== undefined) return { kind: 'other' }
  const { receiver_id, method_names, allowance } = membersOf(call)
  if (typeof receiver_id !== 'string' || !Array.isArray(method_names)) throw malformedAnswer(value)
  const methods = itemsOf(method_names).map((name) => {
    if (typeof name !== 'string' || name === '') throw malformedAnswer(value)
    return name
  })
  return { kind: 'call', receiver: receiver_id, methods, allowance: allowance === null ? null : yoctoOf(allowance) }
}

function accountOf(result: unknown): Account {
  const { amount, locked, storage_usage } = membersOf(result)
  return { amount: yoctoOf(amount), locked: yoctoOf(locked), storage: countOf(storage_usage) }
}

/** The JSON that a contract has answered, which is a list of its bytes. @throws 502 for what the contract refused */
function jsonOf(result: unknown): unknown {
  const { result: bytes, error } = membersOf(result)
  if (error !== undefined) throw malformedAnswer(result)
  if (!Array.isArray(bytes) || !bytes.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255)) throw malformedAnswer(result)
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes as number[])))
}

function blockOf(result: unknown, asked: string | undefined): Block {
  const { hash, height, timestamp_nanosec, total_supply } = membersOf(membersOf(result).header)
  const nanoseconds = yoctoOf(timestamp_nanosec)
  const blockHash = hashOf(hash)
  if (nanoseconds >= LAST_NANOSECOND || (asked !== undefined && asked !== blockHash)) throw malformedAnswer(result)
  return { hash: blockHash, height: countOf(height), time: new Date(Number(nanoseconds / 1_000_000n)), supply: yoctoOf(total_supply) }
}

function validatorsOf(list: unknown): readonly Validator[] {
  if (!Array.isArray(list) || list.length === 0) throw malformedAnswer(list)
  const validators = list.map((each: unknown) => {
    const { account_id, stake } = membersOf(each)
    if (typeof account_id !== 'string' || account_id === '') throw malformedAnswer(list)
    return { account: account_id, stake: yoctoOf(stake) }
  })
  if (new Set(validators.map(({ account }) => account)).size < validators.length) throw malformedAnswer(list)
  return validators
}
