import type { CosmosChain, CosmosCraft, CosmosKeys } from '../../../src/cosmos/index.ts'
import type { Bounds, Effects } from '../../../src/index.ts'
import { argsOf, bytes, hex, type JsonArgs, readVectors } from '../../support/vectors.ts'
import { LAYOUTS } from './layouts.ts'
import { writeTransaction } from './write.ts'

/** A transaction as it stands in the vector file; hex without `0x`. */
export interface CosmosVector {
  readonly name: string
  readonly source: string
  readonly chain: {
    readonly chainId: string
    readonly accountNumber: string
    readonly prefix: string
    readonly denom: string
    /** Type of the chain's keys, where they are Ethereum's. */
    readonly keyType?: string
  }
  readonly signer: string
  readonly body: string
  readonly authInfo: string
  readonly hash: string
  readonly signature: string
  readonly transactionHash: string
  readonly unsigned?: string
  readonly signed?: string
  readonly call: { readonly target: string; readonly method: string; readonly args: JsonArgs; readonly value: string }
  readonly sequence: string
  readonly gasLimit: string
  readonly fee: string
}

const file = readVectors<{
  vectors: readonly CosmosVector[]
  send: Omit<CosmosVector, 'call' | 'transactionHash'>
  ethereum: readonly CosmosVector[]
}>('cosmos-transactions')

export const vectors = file.vectors
/** Delegations on chains whose keys are Ethereum's. */
export const ethereum = file.ethereum
/** A bank transfer, which is not among the messages that are read. */
export const send = file.send

export function chainOf({ chain }: Pick<CosmosVector, 'chain'>): CosmosChain {
  return { ...keyed(chain), accountNumber: BigInt(chain.accountNumber) }
}

/** A chain of the vectors with its kind of key. */
export function keyed<C extends { readonly keyType?: string }>({ keyType, ...chain }: C): Omit<C, 'keyType'> & CosmosKeys {
  return keyType === undefined ? { ...chain, algorithm: 'secp256k1' } : { ...chain, algorithm: 'ethsecp256k1', keyType }
}

export function craftOf(vector: Pick<CosmosVector, 'body' | 'authInfo' | 'hash'>): CosmosCraft {
  return {
    unsigned_tx_hex: digits(writeTransaction(bytes(vector.body), bytes(vector.authInfo))),
    tx_auth_info_hex: vector.authInfo,
    unsigned_tx_hash_hex: vector.hash,
  }
}

export function promiseOf(vector: CosmosVector): { effects: Effects; bounds: Bounds } {
  const { call, chain, signer, sequence, gasLimit, fee } = vector
  const effects = { signers: [signer], calls: [{ ...call, args: argsOf(call.args), value: BigInt(call.value) }], layouts: LAYOUTS }
  const terms = {
    sequence: BigInt(sequence),
    accountNumber: BigInt(chain.accountNumber),
    gasLimit: BigInt(gasLimit),
    fee: BigInt(fee),
  }
  return { effects, bounds: { chainId: chain.chainId, maxFee: BigInt(fee), terms } }
}

/** Hex without `0x`. */
export function digits(data: Uint8Array): string {
  return hex(data).slice(2)
}
