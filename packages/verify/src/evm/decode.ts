import { bytesOf, digitsOf } from '../bytes/hex.ts'
import { keccak256 } from '../bytes/keccak.ts'
import { DecodeError, shown } from '../errors.ts'
import { membersOf } from '../members.ts'
import type { Call, Decoded } from '../types.ts'
import { decodeArguments } from './abi.ts'
import { compileSignature, type Signature } from './signature.ts'
import { type LegacyTransaction, readTransaction } from './transaction.ts'

/** Transaction in the form that wallets take. Numbers are minimal hex quantities (`0x0`, `0x1d4c0`), in wei where they are amounts. */
export interface EvmPayload {
  /** Type of the transaction; `0x0` is a legacy one. */
  readonly type: string
  readonly nonce: string
  readonly gasLimit: string
  readonly to: string
  readonly value: string
  readonly data: string
  readonly gasPrice: string
  readonly chainId: string
}

/** Answer to a craft request of an EVM protocol: one transaction in three forms. */
export interface EvmCraft {
  /** 0x hex of the nine-field RLP. */
  readonly serialized_tx_hex: string
  /** keccak-256 of those bytes, which is what is signed. */
  readonly unsigned_tx_hash_hex: string
  readonly payload: EvmPayload
}

/** Largest transaction in bytes that is read; nodes refuse larger ones: txMaxSize of go-ethereum's pool, 128 KiB (read 2026-11-21). */
export const MAX_BYTES = 128 * 1024

const CRAFT_MEMBERS = ['serialized_tx_hex', 'unsigned_tx_hash_hex', 'payload'] as const
const PAYLOAD_MEMBERS = ['type', 'nonce', 'gasLimit', 'to', 'value', 'data', 'gasPrice', 'chainId'] as const

/**
 * Decodes what an unsigned EVM transaction does. The whole craft response is read: bytes, hash and payload must say the same,
 * because one signer signs the hash, another rebuilds the transaction from the payload.
 *
 * @param methods signatures with named parameters that the call may be of. A call of another method is returned as the method
 * `unknown 0x<selector>`, which `check` never takes for an expected one.
 * @returns one call; `signers` null, since the bytes do not name the sender; `terms` are `nonce`, `gasPrice` and `gasLimit`
 * @throws DecodeError when the response is not one canonical unsigned legacy transaction, or two methods share a selector
 */
export function decodeEvm(craft: EvmCraft, methods: readonly string[]): Decoded {
  const response = membersOf(craft, 'the craft response', CRAFT_MEMBERS)
  const payload = membersOf(response.payload, 'payload', PAYLOAD_MEMBERS)

  const bytes = hexBytes('serialized_tx_hex', response.serialized_tx_hex)
  const hash = digitsOf(keccak256(bytes))
  if (digitsOf(hexBytes('unsigned_tx_hash_hex', response.unsigned_tx_hash_hex)) !== hash) {
    throw new DecodeError(`unsigned_tx_hash_hex is ${shown(response.unsigned_tx_hash_hex)}; the hash of serialized_tx_hex is 0x${hash}`)
  }
  const transaction = readTransaction(bytes)
  agree(payload, transaction)
  return decodedOf(transaction, methods)
}

/** Decodes a transaction's content by these methods. @throws DecodeError when a call has not exactly the form of its method, or two methods share a selector */
export function decodedOf(transaction: LegacyTransaction, methods: readonly string[]): Decoded {
  const { chainId, gasLimit, gasPrice, nonce } = transaction
  return {
    chainId: chainId.toString(),
    signers: null,
    maxFee: gasLimit * gasPrice,
    calls: [readCall(transaction, methods)],
    terms: { nonce, gasPrice, gasLimit },
  }
}

/**
 * Decodes a call among the arguments of another one, such as those of `multicall(bytes[] calls)`.
 *
 * @param data `0x` hex, selector included
 * @param methods signatures with named parameters that it may be of
 * @returns null when it is a call of none of them, or not in canonical form
 * @throws DecodeError when two methods share a selector
 */
export function decodeCall(data: string, methods: readonly string[]): Pick<Call, 'method' | 'args'> | null {
  const signatures = bySelector(methods)
  const bytes = bytesOf(data)
  const signature = bytes && signatures.get(digitsOf(bytes.subarray(0, 4)))
  if (!bytes || !signature) return null
  try {
    return { method: signature.text, args: decodeArguments(signature, bytes) }
  } catch (error) {
    if (error instanceof DecodeError) return null
    throw error
  }
}

function readCall({ to, value, data }: LegacyTransaction, methods: readonly string[]): Call {
  const signatures = bySelector(methods)
  if (data.length === 0) return { target: to, method: '', args: {}, value }
  const selector = digitsOf(data.subarray(0, 4))
  const signature = signatures.get(selector)
  if (signature === undefined) return { target: to, method: `unknown 0x${selector}`, args: { data: `0x${digitsOf(data)}` }, value }
  return { target: to, method: signature.text, args: decodeArguments(signature, data), value }
}

/** An empty method is a plain transfer and has no selector. */
function bySelector(methods: readonly string[]): ReadonlyMap<string, Signature> {
  const signatures = new Map<string, Signature>()
  for (const text of methods) {
    if (text === '') continue
    const signature = compileSignature(text)
    const other = signatures.get(signature.selector)
    if (other !== undefined && other.text !== text) {
      throw new DecodeError(
        `the methods ${shown(other.text)} and ${shown(text)} share the selector 0x${signature.selector}; only one of them can be expected`,
      )
    }
    signatures.set(signature.selector, signature)
  }
  return signatures
}

function agree(payload: Readonly<Record<(typeof PAYLOAD_MEMBERS)[number], unknown>>, transaction: LegacyTransaction): void {
  if (payload.type !== '0x0') throw new DecodeError(`payload.type is ${shown(payload.type)}; a legacy transaction has "0x0"`)
  for (const name of ['nonce', 'gasLimit', 'value', 'gasPrice', 'chainId'] as const) {
    const text = payload[name]
    // 66 characters hold 256 bits; the pattern is that of a quantity in Ethereum's JSON-RPC.
    if (typeof text !== 'string' || text.length > 66 || !/^0x(?:0|[1-9a-fA-F][0-9a-fA-F]*)$/.test(text)) {
      throw new DecodeError(
        `payload.${name} is ${shown(text)}; it must be a hex quantity without leading zeros, such as "0x0" or "0x1d4c0"`,
      )
    }
    if (BigInt(text) !== transaction[name]) throw differ(name, text, `0x${transaction[name].toString(16)}`)
  }
  if (typeof payload.to !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(payload.to)) {
    throw new DecodeError(`payload.to is ${shown(payload.to)}; it must be an address, 0x and 40 hex digits`)
  }
  if (payload.to.toLowerCase() !== transaction.to) throw differ('to', payload.to, transaction.to)
  const data = digitsOf(hexBytes('payload.data', payload.data))
  if (data !== digitsOf(transaction.data)) throw differ('data', payload.data, `0x${digitsOf(transaction.data)}`)
}

function hexBytes(name: string, text: unknown): Uint8Array {
  const bytes = typeof text === 'string' && text.length <= 2 * MAX_BYTES + 2 ? bytesOf(text) : null
  if (bytes === null)
    throw new DecodeError(`${name} is ${shown(text)}; it must be 0x and an even number of hex digits, ${MAX_BYTES} bytes at most`)
  return bytes
}

function differ(name: string, payload: unknown, serialized: string): DecodeError {
  return new DecodeError(`payload.${name} is ${shown(payload)} where serialized_tx_hex says ${shown(serialized)}; both must say the same`)
}
