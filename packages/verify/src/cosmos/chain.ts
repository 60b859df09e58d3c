import { DecodeError, shown } from '../errors.ts'
import { type CosmosKeys, rulesOf } from './keys.ts'

/**
 * Facts that the caller has to give to the reader of a Cosmos transaction, since the bytes do not name them; the signed hash covers the first two. None of them may be
 * taken from the craft response.
 */
export type CosmosChain = CosmosKeys & {
  /** Chain id: `cosmoshub-4`, `celestia`. */
  readonly chainId: string
  /** Account number of the signer on that chain. It never changes. */
  readonly accountNumber: bigint
  /** Prefix of account addresses: `cosmos`. That of validators is this and `valoper`. */
  readonly prefix: string
  /** Base unit in which stake and fees are paid: `uatom`. */
  readonly denom: string
  /** Memo that the transaction must have; without this member it must have none. */
  readonly memo?: string
}

/** Facts of a chain, complete with those that a caller may leave out. */
export type KnownFacts = CosmosKeys & Required<Omit<CosmosChain, keyof CosmosKeys>>

/** Reads and checks the facts of a chain, each once. @throws DecodeError when one of them cannot be a fact of any chain */
export function readChain(chain: unknown): KnownFacts {
  if (typeof chain !== 'object' || chain === null) {
    throw new DecodeError(`chain is ${shown(chain)}; it must be an object with chainId, accountNumber, prefix, denom and algorithm`)
  }
  const { chainId, accountNumber, prefix, denom, memo = '', algorithm, keyType } = chain as Partial<Record<keyof CosmosChain, unknown>>
  if (typeof chainId !== 'string' || chainId === '') throw wrong('chainId', chainId, 'the name of a chain, such as "cosmoshub-4"')
  if (typeof accountNumber !== 'bigint' || accountNumber < 0n || accountNumber >= 1n << 64n) {
    throw wrong('accountNumber', accountNumber, 'a bigint of 64 bits at most')
  }
  // An address of 20 bytes is 32 groups; with separator and checksum, 51 of the 90 characters are left for a validator's prefix.
  if (typeof prefix !== 'string' || !/^[a-z][a-z0-9]{0,43}$/.test(prefix)) {
    throw wrong('prefix', prefix, 'a prefix of addresses in lower case, such as "cosmos"')
  }
  if (typeof denom !== 'string' || denom === '') throw wrong('denom', denom, 'a base unit, such as "uatom"')
  if (typeof memo !== 'string') throw wrong('memo', memo, 'a text, or absent')
  rulesOf({ algorithm, keyType })
  return { chainId, accountNumber, prefix, denom, memo, algorithm, keyType } as KnownFacts
}

function wrong(name: string, value: unknown, right: string): DecodeError {
  return new DecodeError(`chain.${name} is ${shown(value)}; it must be ${right}`)
}
