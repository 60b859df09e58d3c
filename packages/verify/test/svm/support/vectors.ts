import type { Bounds, Call, Effects } from '../../../src/index.ts'
import type { SvmCraft } from '../../../src/svm/index.ts'
import { argsOf, type JsonArgs, readVectors } from '../../support/vectors.ts'
import { LAYOUTS } from './layouts.ts'
import { limit, price, stepOf } from './steps.ts'
import type { Draft, Step } from './write.ts'

/** A transaction as it stands in the vector file; hex without `0x`. */
export interface SvmVector {
  readonly name: string
  readonly source: string
  readonly unsigned: string
  readonly messageHash: string
  readonly walletSignature: string
  readonly transactionHash: string
  readonly signers: readonly string[]
  readonly calls: readonly { readonly target: string; readonly method: string; readonly args: JsonArgs; readonly value: string }[]
  readonly unitLimit: string
  readonly unitPrice: string
  readonly maxFee: string
  readonly blockhash?: string
  readonly nonce?: string
  readonly signed?: string
}

export const vectors = readVectors<{ vectors: readonly SvmVector[] }>('svm-transactions').vectors

export function vectorOf(name: string): SvmVector {
  return vectors.find((vector) => vector.name.startsWith(name))!
}

export function craft({ unsigned }: SvmVector): SvmCraft {
  return { unsigned_tx_hex: unsigned }
}

export function callsOf({ calls }: SvmVector): readonly Call[] {
  return calls.map((call) => ({ ...call, args: argsOf(call.args), value: BigInt(call.value) }))
}

export function termsOf({ unitLimit, unitPrice, blockhash, nonce, signed }: SvmVector): Record<string, string | bigint> {
  const texts = Object.entries({ blockhash, nonce, signed }).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return { unitLimit: BigInt(unitLimit), unitPrice: BigInt(unitPrice), ...Object.fromEntries(texts) }
}

export function promiseOf(vector: SvmVector): { effects: Effects; bounds: Bounds } {
  return {
    effects: { signers: vector.signers, calls: callsOf(vector), layouts: LAYOUTS },
    bounds: { chainId: 'mainnet-beta', maxFee: BigInt(vector.maxFee), terms: termsOf(vector) },
  }
}

/** The same transaction, to be written again: with other calls, or more of them. */
export function draftOf(vector: SvmVector, calls: readonly Call[] = callsOf(vector)): Draft {
  const steps: Step[] = calls.map(stepOf)
  const advance = vector.nonce === undefined ? 0 : 1
  steps.splice(advance, 0, limit(BigInt(vector.unitLimit)), price(BigInt(vector.unitPrice)))
  const signatures =
    vector.signed === undefined ? {} : { [vector.signed]: Uint8Array.from(Buffer.from(vector.unsigned.slice(130, 258), 'hex')) }
  return { feePayer: vector.signers[0]!, blockhash: (vector.blockhash ?? vector.nonce)!, steps, signatures }
}
