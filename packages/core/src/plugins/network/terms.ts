import { type Info, membersOf } from '@svc/contract'
import { namesOf } from '@svc/contract/host'

/** The members of staking-info, each of which has a value or does not apply. */
export type Terms = { readonly [Name in keyof Omit<Info, 'unfinished'>]: Exclude<Info[Name], undefined> }

/** Each term with the time it was read at, in milliseconds since 1970; a term that was never read is absent. */
export type KnownTerms = { readonly [Name in keyof Terms]?: { readonly value: Terms[Name]; readonly at: number } }

/** All terms, and the time at which the oldest of them was read. */
export interface Reading {
  readonly terms: Terms
  readonly takenAt: Date
}

/** Kind of value of each term, where the term applies. */
const KINDS: { readonly [Name in keyof Terms]-?: 'number' | 'bigint' } = {
  activationMinutes: 'number',
  deactivationMinutes: 'number',
  withdrawalMinutes: 'number',
  rewardFeePercent: 'number',
  withdrawalFeePercent: 'number',
  aprPercent: 'number',
  apyPercent: 'number',
  maxSlashingPercent: 'number',
  minStake: 'bigint',
  maxStake: 'bigint',
  users: 'number',
  tvl: 'bigint',
}
const NAMES = namesOf(KINDS)

/** Tells whether a value is possible for a term: a count, a time, a percentage, an amount; none of these is below zero. */
export function fits(name: string, value: unknown): boolean {
  if (value === null) return true
  if (typeof value !== membersOf(KINDS)[name]) return false
  if (name === 'users') return Number.isSafeInteger(value) && Number(value) >= 0
  return typeof value === 'bigint' ? value >= 0n : Number.isFinite(value) && Number(value) >= 0
}

/** Lists the names of the missing terms. */
export function missingOf(terms: Readonly<Partial<Record<keyof Terms, unknown>>>): readonly (keyof Terms)[] {
  return NAMES.filter((name) => terms[name] === undefined)
}

/** Tells whether every term was read. */
export function isComplete(knowledge: KnownTerms): knowledge is Required<KnownTerms> {
  return missingOf(knowledge).length === 0
}

/** Combines the terms into one reading, which is as old as the oldest of them. */
export function readingOf(knowledge: Required<KnownTerms>): Reading {
  const terms = Object.fromEntries(NAMES.map((name) => [name, knowledge[name].value])) as unknown as Terms
  return { terms, takenAt: new Date(Math.min(...NAMES.map((name) => knowledge[name].at))) }
}

/** Reads the kept terms, as far as they have this form: another version may have written them. @param now replaces a later time */
export function readKnown(record: unknown, now: number): KnownTerms {
  if (typeof record !== 'object' || record === null) return {}
  const entries = NAMES.flatMap((name) => {
    const { value, at } = membersOf(membersOf(record)[name])
    return fits(name, value) && typeof at === 'number' ? [[name, { value, at: Math.min(at, now) }]] : []
  })
  return Object.fromEntries(entries) as KnownTerms
}
