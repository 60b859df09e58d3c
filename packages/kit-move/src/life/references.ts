import { normalizeSuiAddress } from '@mysten/sui/utils'
import { isReservation } from '../reservation.ts'
import type { Unsigned } from '../transaction.ts'

/** An object that a transaction takes, in the one version in which it can. */
export interface Reference {
  readonly id: string
  readonly version: bigint
  /** Base58. */
  readonly digest: string
}

/**
 * Lists the references of the sender's own objects: those that the transaction takes as inputs, then the coins that pay. Its execution, successful or not, gives each of
 * them another version.
 */
export function referencesOf({ inputs, gasData }: Unsigned['data']): readonly Reference[] {
  const objects = inputs.flatMap(({ Object: object }) => (object?.$kind === 'ImmOrOwnedObject' ? [object.ImmOrOwnedObject] : []))
  const paying = (gasData.payment ?? []).filter((each) => !isReservation(each))
  return [...objects, ...paying].map(({ objectId, version, digest }) => ({
    id: normalizeSuiAddress(objectId),
    version: BigInt(version),
    digest,
  }))
}

/** Writes references as they are kept: `id@version#digest`, separated by commas. */
export function writeReferences(references: readonly Reference[]): string {
  return references.map(({ id, version, digest }) => `${id}@${version}#${digest}`).join(',')
}

const FORM = /^(0x[0-9a-f]{64})@(\d{1,20})#([1-9A-HJ-NP-Za-km-z]{32,44})$/

/** Reads the references that `writeReferences` wrote. @throws TypeError for anything else */
export function readReferences(text: string): readonly Reference[] {
  if (text === '') return []
  return text.split(',').map((each) => {
    const [, id, version, digest] = FORM.exec(each) ?? []
    if (id === undefined || version === undefined || digest === undefined) throw new TypeError(`${each} is no reference of an object`)
    return { id, version: BigInt(version), digest }
  })
}
