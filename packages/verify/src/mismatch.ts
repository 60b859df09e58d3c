import { printable } from './errors.ts'
import type { Mismatch } from './types.ts'

/** Adds a mismatch of two values. Where their texts are alike, it adds their kinds. */
export function differ(mismatches: Mismatch[], path: string, expected: unknown, actual: unknown): void {
  const [left, right] = [text(expected), text(actual)]
  if (left !== right) mismatches.push({ path, expected: left, found: right })
  else mismatches.push({ path, expected: `${left} (${kind(expected, actual)})`, found: `${right} (${kind(actual, expected)})` })
}

/** Writes the path of a member: `args.amount`, or `args["an amount"]` where the name is no plain word. */
export function memberPath(path: string, key: string | symbol): string {
  if (typeof key === 'symbol') return `${path}[${String(key)}]`
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(key) ? `${path}.${key}` : `${path}[${printable(JSON.stringify(key))}]`
}

/** Long enough for every argument of a staking call, short enough for a log line. */
const MAX_TEXT = 2000

/** Formats a value of any shape for a person, shortened to a maximal length. */
export function text(value: unknown): string {
  const whole = printable(fullText(value))
  return whole.length > MAX_TEXT ? `${whole.slice(0, MAX_TEXT)}… (${whole.length} characters)` : whole
}

/** Formats a whole call in one line. */
export function callText(call: unknown): string {
  if (!isRecord(call)) return text(call)
  const { target, method, args, value } = call
  const pairs = isRecord(args) ? Object.entries(args).map(([name, argument]) => `${name}: ${fullText(argument)}`) : []
  return text(`${text(method)} on ${text(target)} with (${pairs.join(', ')}) and value ${text(value)}`)
}

/** Tells whether a value has named members: an object that is neither null nor an array. */
export function isRecord(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fullText(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '""' : value
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return `[${value.map(fullText).join(', ')}]`
  return isRecord(value) ? 'an object' : String(value)
}

function kind(value: unknown, other: unknown): string {
  if (typeof value === 'bigint') return 'an integer'
  if (Array.isArray(value)) return 'a list'
  if (typeof value !== 'string') return value === null ? 'null' : `of type ${typeof value}`
  if (typeof other !== 'string') return 'a text'
  let same = 0
  while (same < value.length && value[same] === other[same]) same++
  return `a text, different from character ${same}`
}
