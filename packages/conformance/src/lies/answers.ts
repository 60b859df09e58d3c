import { present } from '../present.ts'
import type { Told } from './endpoint.ts'
import type { Outcome, Probe } from './trial.ts'

/** Lies that are told to one request, fewer where its answers are long or many; SVC_LIES=all tells every one. */
const MOST = 80
const LEAST = 16
/** Answers that say that it is the endpoint that fails. */
export const UPSTREAM = new Set([502, 503, 504])

/** Picks a sample spread over all lies, the same on each run; `shift` picks others for the next request, which asks much the same. */
export function sample(all: readonly Told[], shift: number, cost: number): readonly Told[] {
  if (process.env.SVC_LIES === 'all') return all
  const step = Math.max(1, Math.ceil(all.length / Math.max(LEAST, MOST / cost)))
  return all.filter((_, index) => (index + shift) % step === 0)
}

/** Estimates the cost of answering a request, relative to one that asks little. */
export function costOf(answers: ReadonlyMap<string, string>): number {
  const characters = [...answers.values()].reduce((sum, answer) => sum + answer.length, 0)
  return 1 + characters / 10_000 + answers.size / 20
}

/** Tells whether two answers are equal, ignoring the values that are made anew each time. */
export function same(one: Outcome, other: Outcome, fresh: ReadonlySet<string>): boolean {
  return differences(one, other).every((path) => fresh.has(path))
}

/**
 * Tells whether an answer differs from the right one only in values that it left out: null, or `unknown` for a status. False where nothing differs, where the answer is not a 200, and for a request that
 * allows no gaps.
 */
export function leftOut(request: Probe, right: Outcome, actual: Outcome): boolean {
  if (!request.partial || actual.status !== 200) return false
  const wrong = differences(right, actual)
  return wrong.length > 0 && wrong.every((path) => actual.facts.get(path) === (path.endsWith('.status') ? '"unknown"' : 'null'))
}

/** Lists the places at which two outcomes have other values, or only one has a value. */
export function differences(one: Outcome, other: Outcome): string[] {
  const paths = new Set([...one.facts.keys(), ...other.facts.keys()])
  return [...paths].filter((path) => one.facts.get(path) !== other.facts.get(path))
}

/** Describes how an answer differs from the right one. */
export function told(outcome: Outcome, right: Outcome): string {
  if (outcome.status !== 200) return `${outcome.status} ${outcome.said}`
  const path = present(differences(right, outcome)[0], 'a difference')
  return `${path} is ${outcome.facts.get(path)} in place of ${right.facts.get(path)}`
}
