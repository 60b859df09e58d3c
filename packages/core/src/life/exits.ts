import type { Balance, StakedObject } from '@svc/contract'
import type { KeptPosition } from './kept-position.ts'
import type { PositionNews } from './position-news.ts'
import { keyOf } from './units.ts'

/**
 * Largest difference between the service's clock and a chain's, a late head of a node included, in milliseconds: an exit that disappears so shortly before its end was paid out.
 */
const CLOCKS_MS = 900_000

/** An exit of stake that has no units of its own. The position shows it as a unit until the stake has left. */
interface Exit {
  readonly id: string
  readonly validator: string
  /** Base units, before slashes. */
  readonly amount: bigint
  readonly object: NonNullable<PositionNews['object']>
}

/** Changes of exits between two readings. */
interface ExitsCompared {
  /** New exits, and the amounts by which earlier ones have grown. */
  readonly starts: readonly Exit[]
  /** Exits that disappeared before their end, or shrank for another reason than a slash. */
  readonly cancellations: readonly Exit[]
  /** Exits that disappeared at their end: paid out, or cancelled before that. */
  readonly ends: readonly Exit[]
  /** Base units that slashes took from the remaining exits (`loss`), and what these exits had before (`had`), by validator. */
  readonly slashes: ReadonlyMap<string, { readonly loss: bigint; readonly had: bigint }>
}

/**
 * Compares the exits of stake that has no units. Those with a validator that one of the two readings did not look at are left out.
 *
 * @param isLookedAt tells whether both readings looked at a validator
 * @param chainTime by the chain's clock
 */
export function compareExits(
  { objects: before }: KeptPosition,
  { objects }: Balance,
  isLookedAt: (validator: string) => boolean,
  chainTime: Date,
): ExitsCompared {
  const now = new Map((objects ?? []).map((object) => [keyOf(object), object]))
  const starts: Exit[] = []
  const cancellations: Exit[] = []
  const ends: Exit[] = []
  const slashes = new Map<string, { readonly loss: bigint; readonly had: bigint }>()
  for (const [key, { leaves, holds, amount: had }] of Object.entries(before ?? {})) {
    if (leaves?.validator == null || !isLookedAt(leaves.validator)) continue
    const { validator } = leaves
    const object = now.get(key)
    const content = holds ?? leaves.amount
    if (object === undefined) {
      const isEarly = new Date(leaves.at).getTime() > chainTime.getTime() + CLOCKS_MS
      const exit = {
        id: leaves.id ?? key,
        validator,
        amount: BigInt(content ?? 0),
        object: { ...leaves, id: leaves.id ?? key, key, ...endOf(leaves.at) },
      }
      ;(isEarly ? cancellations : ends).push(exit)
      continue
    }
    if (holds === undefined || object.holds === undefined || object.amount === null) continue
    const change = object.holds - BigInt(holds)
    if (change < 0n) cancellations.push({ id: object.id, validator, amount: -change, object })
    if (change > 0n) starts.push({ id: object.id, validator, amount: change, object })
    const loss = BigInt(had ?? 0) + change - object.amount
    const sum = slashes.get(validator) ?? { loss: 0n, had: 0n }
    slashes.set(validator, { loss: sum.loss + loss, had: sum.had + BigInt(had ?? 0) })
  }
  for (const object of objects ?? []) {
    const { validator } = object
    if (validator === null || !isLookedAt(validator) || before?.[keyOf(object)] !== undefined) continue
    starts.push({ id: object.id, validator, amount: object.holds ?? object.amount ?? 0n, object })
  }
  return { starts, cancellations, ends, slashes }
}

function endOf(at: string): Pick<StakedObject, 'withdrawableAt' | 'withdrawableEpoch'> {
  return { withdrawableAt: new Date(at), withdrawableEpoch: null }
}
