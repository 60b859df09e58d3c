import { type TSchema, Type } from 'typebox'
import { badRequest } from './codes.ts'
import type { ServiceError } from './errors.ts'
import type { Balance, PositionPart, StakedObject } from './position.ts'
import { SettingsError } from './settings-error.ts'

/**
 * Most former validators (pools, vaults) of a network and account: a choice of this project. Each of them is read with every position, in the same wave as the present one: eight are
 * sixteen calls more on Cosmos, which are two batches of what its nodes take at once, and an operator that changes each year needs one or two.
 */
const MOST_FORMER = 8

/**
 * Makes the schema of the setting that names former validators, each checked as the present one is.
 *
 * @param item schema of the present one
 * @param noun what the product calls them: `validators`
 */
export function Former<T extends TSchema>(item: T, noun: string) {
  return Type.Array(item, {
    maxItems: MOST_FORMER,
    uniqueItems: true,
    default: [],
    description: `Former ${noun} of the operator, ${MOST_FORMER} at most: what lies there is shown, leaves and is claimed, and nothing is staked there.`,
  })
}

/** Returns a sentence that says that the chain does not know a former validator. @param noun what the product calls one: `validator` */
export function unknownFormer(validator: string | number, noun: string): string {
  return `former_validators names ${validator}, and the chain knows no such ${noun}, so that nothing is shown there: it is misspelt, or gone with the last of its stake, and then it can be taken out.`
}

/** Refuses settings whose former validators include the present one, or name one twice in two spellings: the stake there would be counted twice. @throws SettingsError */
export function refuseFormerPresent(present: string | number | undefined, former: readonly (string | number)[], setting: string): void {
  if (present !== undefined && former.includes(present))
    throw new SettingsError(`${setting} names ${present}, which is the present one; it names only those that were it before.`)
  const twice = former.find((each, index) => former.indexOf(each) < index)
  if (twice !== undefined) throw new SettingsError(`${setting} names ${twice} twice; each is named once.`)
}

/**
 * Returns the validator that a request is about: the one that it names, else the present one.
 *
 * @param present undefined where the settings name none
 * @param member of the body that names it
 * @throws 400 VALIDATOR_NOT_SERVED for one that is neither the present nor a former one
 */
export function validatorOf<V extends string | number, P extends V | undefined = V>(
  present: P,
  former: readonly V[],
  choice: V | undefined,
  member: string,
): P | V {
  if (choice === undefined || choice === present || former.includes(choice)) return choice ?? present
  const own = present === undefined ? [] : [`${present}, the present one`]
  const right = [...own, former.length === 0 ? 'left out' : `a former one: ${former.join(', ')}`].join(', or ')
  throw badRequest(
    'VALIDATOR_NOT_SERVED',
    `${member} ${String(choice).slice(0, 100)} is none of the operator's in this account and network; it must be ${right}.`,
  )
}

/** Stake or claim that lies with another validator of the operator than the one that the request is about. */
export interface Elsewhere {
  readonly validator: string | number
  /** Amount that lies there: `50 ATOM`. */
  readonly text: string
}

/**
 * Returns a sentence that says with which other validators something lies, and how to ask for it.
 *
 * @param state predicate of the amount: `is staked`
 * @param member of the body that names the validator
 */
export function elsewhereText(places: readonly Elsewhere[], state: string, member: string): string {
  const parts = places.map(({ validator, text }) => `${text} ${state} with ${validator}`)
  const [first] = places
  return `${parts.join(', and ')}: to ask for ${places.length === 1 ? 'that' : 'one of them'}, name it in the request, as in ${JSON.stringify({ [member]: first?.validator })}.`
}

/** Makes the refusal of a request that finds nothing with its validator, while something lies with another one. @param lead a sentence on what is not there */
export function heldElsewhere(lead: string, places: readonly Elsewhere[], state: string, member: string): ServiceError {
  return badRequest('HELD_BY_ANOTHER_VALIDATOR', `${lead} ${elsewhereText(places, state, member)}`)
}

/** Adds up a position from its parts. A bucket of the sum is null where it is null in every part. @param parts one for each validator, the present one first */
export function positionOf(
  parts: readonly PositionPart[],
  objects: readonly StakedObject[] | null,
): Balance & { readonly parts: readonly PositionPart[] } {
  const sum = (amounts: readonly (bigint | null)[]) =>
    amounts.reduce<bigint | null>((total, each) => (each === null ? total : (total ?? 0n) + each), null)
  return {
    staked: sum(parts.map(({ staked }) => staked)) ?? 0n,
    activating: sum(parts.map(({ activating }) => activating)),
    deactivating: sum(parts.map(({ deactivating }) => deactivating)),
    withdrawing: sum(parts.map(({ withdrawing }) => withdrawing)),
    rewards: sum(parts.map(({ rewards }) => rewards)),
    objects,
    parts,
  }
}

/** Tells whether a part of a position holds anything: whether any of its buckets is above zero. */
export function isHeld({ staked, activating, deactivating, withdrawing, rewards }: PositionPart): boolean {
  return [staked, activating, deactivating, withdrawing, rewards].some((bucket) => (bucket ?? 0n) > 0n)
}
