import { bytesOfBase64 } from '../bytes/base64.ts'
import { DecodeError, shown } from '../errors.ts'
import { membersOf } from '../members.ts'
import type { Decoded } from '../types.ts'
import { argumentsOf } from './arguments.ts'
import { readCall } from './call.ts'
import type { Input } from './inputs.ts'
import { compile, type MoveFunction } from './layout.ts'
import { type MoveNetwork, readNetwork } from './network.ts'
import { readTransaction, type Transaction } from './transaction.ts'

/** Answer to a craft request of a Move protocol: one transaction. */
export interface MoveCraft {
  /** Base64, in the standard alphabet and padded, of a Sui `TransactionData`. */
  readonly unsigned_tx_b64: string
}

/**
 * Largest transaction in bytes; nodes refuse larger ones: `max_tx_size_bytes`, 128 KiB, https://github.com/MystenLabs/sui/blob/main/crates/sui-protocol-config/src/lib.rs
 * (read 2026-11-21).
 */
export const MAX_BYTES = 128 * 1024
const MAX_TEXT = 4 * Math.ceil(MAX_BYTES / 3)

/**
 * Decodes the effects of an unsigned Sui transaction.
 *
 * @param functions layouts of the functions that are read: the calls of effects, or what an intent names. The bytes do not say of what type a
 * pure value is, so the method does. A call of another function, with other types or another number of arguments, has a method that begins
 * with `unknown`.
 * @param network facts that the bytes name by a digest only; never taken from the response
 * @returns one call a command; `signers` are the sender and, where somebody else pays for the gas, who does; `chainId` is null unless the
 * bytes name a chain, and `unknown <digest>` when it is another; `maxFee` is the gas budget, in MIST; `terms` are `gasPrice`, `gasBudget`,
 * `gasPayment`, `expiration` and, for each object among the inputs, `object:<id>`
 * @throws DecodeError when the response is not one canonical programmable transaction whose inputs are all used, each as one thing
 */
export function decodeMove(craft: MoveCraft, functions: readonly MoveFunction[], network: MoveNetwork): Decoded {
  return decodedOf(readTransaction(responseBytes(craft)), functions, network)
}

/** Decodes the effects of a transaction that was read already, by the given functions. @throws DecodeError as `decodeMove` does */
export function decodedOf(
  { inputs, commands, sender, gas, expiration }: Transaction,
  functions: readonly MoveFunction[],
  network: MoveNetwork,
): Decoded {
  const { chainId, chainIdentifier } = readNetwork(network)
  const layouts = compile(functions)
  const args = argumentsOf(inputs)
  const read = commands.map((command, i) => readCall(command, i, args, layouts))
  args.refuseUnused()

  return {
    chainId: expiration.chain === null ? null : expiration.chain === chainIdentifier ? chainId : `unknown ${expiration.chain}`,
    signers: gas.owner === sender ? [sender] : [sender, gas.owner],
    maxFee: gas.budget,
    calls: read,
    terms: termsOf(inputs, gas, expiration.text),
  }
}

function termsOf(inputs: readonly Input[], gas: Transaction['gas'], expiration: string): Decoded['terms'] {
  const objects = inputs.flatMap((input) => (input.kind === 'object' ? [[`object:${input.id}`, input.reference]] : []))
  return {
    gasPrice: gas.price,
    gasBudget: gas.budget,
    gasPayment: gas.payment.length === 0 ? 'address-balance' : gas.payment.join(','),
    expiration,
    ...Object.fromEntries(objects),
  }
}

function responseBytes(craft: unknown): Uint8Array {
  const { unsigned_tx_b64: text } = membersOf(craft, 'the craft response', ['unsigned_tx_b64'])
  const bytes = typeof text === 'string' && text.length > 0 && text.length <= MAX_TEXT ? bytesOfBase64(text) : null
  if (bytes === null || bytes.length > MAX_BYTES) {
    throw new DecodeError(`unsigned_tx_b64 is ${shown(text)}; it must be canonical base64 with padding, of ${MAX_BYTES} bytes at most`)
  }
  return bytes
}
