import { Refused } from './refusal.ts'

/**
 * Returns the validator (pool, vault) that an exit or a claim must concern: the one that the request names, if it is pinned, else the present one.
 *
 * @param present undefined where none is pinned
 * @param former those that are pinned as former ones: what lies with them leaves, and nothing is staked with them
 * @param member of the body that names it
 * @throws Refused for one that is not pinned
 */
export function pinnedValidator<V extends string | number, P extends V | undefined = V>(
  present: P,
  former: readonly V[] | undefined,
  choice: V | undefined,
  member: string,
): P | V {
  if (choice === undefined || choice === present || former?.includes(choice)) return choice ?? present
  throw new Refused(
    `input.${member}`,
    `one that is pinned: ${[...(present === undefined ? [] : [present]), ...(former ?? [])].join(', ') || 'none is'}`,
    String(choice),
  )
}

/** Returns the former validator that a call names, so that the request that leads to the call can name it too. @returns undefined for any other */
export function formerIn<V extends string | number>(former: readonly V[] | undefined, value: V): V | undefined {
  return former?.find((each) => each === value)
}
