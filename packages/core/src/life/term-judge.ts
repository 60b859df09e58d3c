import type { Condition } from '@svc/contract'
import type { Term } from '@svc/contract/control'
import { flawOfConditions } from '@svc/contract/host'
import type { Looks } from '../plugins/life/follow.ts'
import type { KeptCondition, ReadCondition } from './condition-news.ts'
import { changesOfTerms, keyOf, termsIn } from './terms.ts'
import { answerInTime } from './time-limit.ts'
import { agreeing, VOICES } from './voices.ts'

/** Longest time that an endpoint has to answer with the condition, in milliseconds. */
const READ_MS = 45_000

/** Conditions whose changed terms are each confirmed by enough endpoints. */
interface Judged {
  readonly conditions: readonly ReadCondition[]
  /** False if no two endpoints agree on some term. That term is left out, so that its last value stays. */
  readonly isAgreed: boolean
}

/** Names a condition among those of a network. */
export function nameOf({ kind, id }: Pick<Condition, 'kind' | 'id'>): string {
  return `${kind} ${id}`
}

/** Wraps conditions that were read before any endpoint was asked about them by itself. */
export function unjudged(conditions: readonly Condition[]): readonly ReadCondition[] {
  return conditions.map((condition) => ({ condition, terms: termsIn(condition), voices: new Map() }))
}

/**
 * Judges the terms that a reading changes. Each is taken from nobody's single word: every endpoint is asked for the condition by itself, once for all terms, and the value counts that two of
 * them say. Where there is one endpoint, its word is all there is.
 */
export async function judgeTerms(
  { witnesses }: Pick<Looks, 'witnesses'>,
  before: ReadonlyMap<string, KeptCondition>,
  reading: readonly Condition[],
): Promise<Judged> {
  const endpoints = witnesses()
  if (endpoints.length < VOICES) return { conditions: unjudged(reading), isAgreed: true }
  const answers = await Promise.allSettled(endpoints.map(({ condition }) => answerInTime(READ_MS, sound(condition))))
  const words = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [termsByName(answer.value)] : []))
  let isAgreed = true
  const conditions = reading.map((condition): ReadCondition => {
    const name = nameOf(condition)
    const terms = termsIn(condition)
    const changes = new Set(changesOfTerms(before.get(name)?.terms ?? [], terms).map(({ term }) => keyOf(term)))
    const voices = new Map<string, number>()
    const choice = terms.flatMap((term): readonly Term[] => {
      const key = keyOf(term)
      if (!changes.has(key)) return [term]
      const values = words.flatMap((word) => word.get(name)?.get(key) ?? [])
      const group = agreeing(values, textOf, textOf(term))
      if (group === null) isAgreed = false
      else voices.set(key, group.length)
      return group === null ? [] : [group[0]]
    })
    return { condition, terms: choice, voices }
  })
  return { conditions, isAgreed }
}

/** Asks what one endpoint says by itself. @throws TypeError when it says what cannot be; 502, 503, 504 */
async function sound(tell: (() => Promise<readonly Condition[]>) | null): Promise<readonly Condition[]> {
  const conditions = await (tell?.() ?? [])
  const flaw = flawOfConditions(conditions)
  if (flaw !== null) throw new TypeError(`what was read cannot be: ${flaw}`)
  return conditions
}

function termsByName(conditions: readonly Condition[]): ReadonlyMap<string, ReadonlyMap<string, Term>> {
  return new Map(conditions.map((condition) => [nameOf(condition), new Map(termsIn(condition).map((term) => [keyOf(term), term]))]))
}

function textOf({ value }: Term): string {
  return JSON.stringify(value)
}
