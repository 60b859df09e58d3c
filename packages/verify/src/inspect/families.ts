import { DecodeError } from '../errors.ts'
import type { Explanation } from '../intent/explained.ts'
import { type InspectedFamily, type KnownNetwork, statedIn } from '../intent/inspected.ts'
import type { NetworkTerms, ResponseStatements } from '../intent/network.ts'
import type { Family } from '../intent/types.ts'

/** A transaction as one family reads it, without any protocol. */
export interface FamilyReading {
  /** Name of the family, as in an intent. */
  readonly family: string
  /** Name of the family for people. */
  readonly title: string
  readonly inspected: InspectedFamily
  readonly network: KnownNetwork
  readonly explanation: Explanation
  /** Time until which the transaction can be sent, as a phrase. */
  readonly validity: string
  /** Settings of the family that the bytes themselves contain: a memo. */
  readonly ownTerms: Readonly<Record<string, string>>
  /** Signer that a request would have named; undefined where the bytes do not tell. */
  readonly signer: string | undefined
  /** True if nothing in the bytes names their network. */
  readonly isUnbound: boolean
}

/** Refusal of a family to read a transaction, with a sentence on the reason. */
export interface FamilyRefusal {
  readonly title: string
  readonly why: string
}

/** Family that declares how its transactions are inspected. */
export interface ReadableFamily extends Pick<Family, 'name' | 'explain' | 'validity' | 'isUnbound'> {
  readonly inspected: InspectedFamily
}

/** Selects the families that can be inspected, each name once: of several families with one name, the first counts. */
export function readableAmong(families: readonly Family[]): readonly ReadableFamily[] {
  const names = new Set<string>()
  return families.flatMap((family) => {
    const { name, inspected } = family
    if (inspected === undefined || names.has(name)) return []
    names.add(name)
    return [{ ...family, inspected }]
  })
}

/**
 * Reads a transaction by every family, and returns the reading or the refusal of each. Readers are strict, so that nearly all bytes have one reading at most.
 *
 * @param headers facts beside the bytes, by the names of response headers: each family takes those that it knows
 */
export function readFamilies(
  text: string,
  headers: ResponseStatements,
  families: readonly ReadableFamily[],
): Promise<readonly (FamilyReading | FamilyRefusal)[]> {
  return Promise.all(families.map((family) => attempt(family, text, headers)))
}

async function attempt(family: ReadableFamily, text: string, headers: ResponseStatements): Promise<FamilyReading | FamilyRefusal> {
  const { title } = family.inspected
  try {
    return await readAs(family, text, statedIn(family.inspected, headers))
  } catch (error) {
    if (DecodeError.is(error)) return { title, why: error.message }
    throw error
  }
}

async function readAs(family: ReadableFamily, text: string, stated: ResponseStatements): Promise<FamilyReading> {
  const { name, inspected } = family
  const { title } = inspected
  const own = inspected.reader?.(text)
  const { explain, validity, isUnbound } = own?.family ?? family
  if (!explain) throw new DecodeError(`the reader of ${title} reads answers to crafts only`)
  const { terms } = own?.network ?? inspected.network('mainnet')
  // Nothing of the family's own terms is known but what its bytes say.
  const explanation = await explain(text, {}, { chain_identifier: '', ...terms, ...own?.terms, max_fee: '0' } as NetworkTerms, stated)
  const { decoded, signers } = explanation
  return {
    family: name,
    title,
    inspected,
    network: own?.network ?? inspected.network(decoded.chainId ?? ''),
    explanation,
    validity: validity(decoded),
    ownTerms: own?.terms ?? {},
    signer: own?.signer ?? signers[0]?.address,
    isUnbound: isUnbound?.(decoded) ?? false,
  }
}
