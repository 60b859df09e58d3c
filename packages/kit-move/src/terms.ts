import type { Transaction } from '@mysten/sui/transactions'
import { normalizeSuiAddress } from '@mysten/sui/utils'

type Data = ReturnType<Transaction['getData']>
type Input = Data['inputs'][number]

/** Terms that the node dictated for a transaction: gas, expiration, and the version of every object it touches. */
type MoveTerms = Readonly<Record<string, string | bigint>> & { readonly gasBudget: bigint; readonly gasPrice: bigint }

/** Returns the terms of a transaction that is resolved; null for one that is not. */
export function termsOf({ gasData: { price, budget, payment }, expiration, inputs }: Data): MoveTerms | null {
  const until = expirationOf(expiration)
  if (!price || !budget || !payment || until === null) return null
  const terms: Record<string, string | bigint> = {
    gasPayment: payment.length === 0 ? 'address-balance' : payment.map(referenceOf).join(','),
    expiration: until,
  }
  for (const input of inputs) {
    if (input.$kind === 'Pure' || input.$kind === 'FundsWithdrawal') continue
    const object = objectOf(input)
    if (object === null) return null
    terms[`object:${object.id}`] = object.how
  }
  return { ...terms, gasPrice: BigInt(price), gasBudget: BigInt(budget) }
}

interface Reference {
  readonly objectId: string
  readonly version: string | number
  readonly digest: string
}

function referenceOf({ objectId, version, digest }: Reference): string {
  return `${normalizeSuiAddress(objectId)}@${version}#${digest}`
}

function objectOf({ Object: object }: Input): { readonly id: string; readonly how: string } | null {
  if (object?.$kind === 'ImmOrOwnedObject') {
    const { objectId, version, digest } = object.ImmOrOwnedObject
    return { id: normalizeSuiAddress(objectId), how: `owned@${version}#${digest}` }
  }
  if (object?.$kind === 'SharedObject') {
    const { objectId, initialSharedVersion, mutable } = object.SharedObject
    return { id: normalizeSuiAddress(objectId), how: `shared@${initialSharedVersion}:${mutable ? 'mut' : 'const'}` }
  }
  return null
}

/** Null for a kind that the family does not craft. */
function expirationOf(expiration: Data['expiration']): string | null {
  if (!expiration || expiration.$kind === 'None') return 'none'
  if (expiration.$kind === 'Epoch') return `epoch:${expiration.Epoch}`
  if (expiration.$kind !== 'ValidDuring') return null
  const { minEpoch, maxEpoch, nonce } = expiration.ValidDuring
  return `valid-during:${minEpoch}-${maxEpoch}:${nonce}`
}
