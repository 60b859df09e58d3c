import { isDeepStrictEqual } from 'node:util'
import { membersOf } from '@svc/contract'
import type { Mismatch } from '@svc/verify'

/** Result of one check of a group. */
export interface Finding {
  readonly ok: boolean
  /** A sentence on what was expected. */
  readonly name: string
  readonly found?: unknown
  readonly expected?: unknown
  /** Named in the output however many findings there are. */
  readonly headline?: true
}

/** Check to which a group writes what it found. A check never throws, so that one failure does not hide the next. */
export interface Check {
  readonly findings: readonly Finding[]
  /** @param details shown when the condition does not hold */
  ok(condition: boolean, name: string, details?: unknown): boolean
  /** Deep and strict, as `node:assert`. */
  equal(actual: unknown, expected: unknown, name: string): boolean
  fail(name: string, details?: unknown): false
  /** That something was tried at all: fails when the number is 0, and is always named in the output. */
  tried(number: number, what: string): boolean
  /** A figure that is always named in the output. */
  note(what: string): void
}

/** Makes a check without findings. It never throws: a failed expectation is recorded, and the group goes on. */
export function createCheck(): Check {
  const findings: Finding[] = []
  const add = (finding: Finding): boolean => {
    findings.push(finding)
    return finding.ok
  }
  return {
    findings,
    ok: (condition, name, details) => add({ ok: condition, name, ...(condition || details === undefined ? {} : { found: details }) }),
    equal: (actual, expected, name) => {
      const ok = isDeepStrictEqual(actual, expected)
      return add({ ok, name, ...(ok ? {} : { found: actual, expected }) })
    },
    fail: (name, details) => {
      add({ ok: false, name, ...(details === undefined ? {} : { found: details }) })
      return false
    },
    tried: (number, what) => add({ ok: number > 0, name: `${number} ${what} tried`, headline: true }),
    note: (what) => void add({ ok: true, name: what, headline: true }),
  }
}

/** Shortens a value for a line: JSON, cut where it would be long. */
export function shown(value: unknown, most = 300): string {
  const text =
    typeof value === 'string'
      ? value
      : (JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? `${each}` : each)) ?? String(value))
  return text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text
}

/** Returns the message of a thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Describes an error for a finding: the differences of bytes that were withheld, else the sentence, and the error's origin when it is no refusal. */
export function thrown(error: unknown): string {
  if (!(error instanceof Error)) return shown(error)
  const { mismatches } = membersOf(error)
  if (Array.isArray(mismatches)) return `${error.message}: ${differences(mismatches)}`
  if (error.name === 'StepFailed') return error.message
  const code = membersOf(error).code
  return typeof code === 'string' ? `${error.name} ${code}: ${error.message}` : (error.stack ?? error.message)
}

/** Writes each difference of bytes and promise in a line for an author: its path, the promised value and the one in the bytes. */
export function differences(mismatches: readonly Mismatch[]): string {
  return mismatches
    .map(({ path, expected, found: actual }) => {
      const [promised, excerpt] = around(expected, actual)
      return `${path}: promised ${promised}, found ${excerpt}`
    })
    .join('; ')
}

/** Longest text of one side of a difference: every amount and address whole, of call data the place where it begins to differ. */
const SIDE = 100

function around(left: string, right: string): readonly [string, string] {
  let same = 0
  while (same < left.length && left[same] === right[same]) same++
  const from = Math.max(0, same - SIDE / 4)
  const cut = (text: string) =>
    text.length <= SIDE ? text : `${from > 0 ? '…' : ''}${text.slice(from, from + SIDE)}${text.length > from + SIDE ? '…' : ''}`
  return [cut(left), cut(right)]
}
