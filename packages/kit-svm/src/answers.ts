import { membersOf } from '@svc/contract'
import { malformed } from './rpc.ts'

// Forms of what a node answers. What has another form is a 502, which sends the question on to the next endpoint.

/** Returns a member that must be there. @throws 502 when there is none */
export function memberOf(value: unknown, name: string): unknown {
  const members = membersOf(value)
  if (!Object.hasOwn(members, name)) throw malformed(value)
  return members[name]
}

/** Reads a list from an answer. @throws 502 when it is no list */
export function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed(value)
  return value
}

/** Reads a text from an answer. @throws 502 when it is no text */
export function textOf(value: unknown): string {
  if (typeof value !== 'string') throw malformed(value)
  return value
}

/** Reads a measurement, for rates and times; never for an amount. @throws 502 when it is no number, or lies outside of what is possible */
export function measureOf(
  value: unknown,
  { least = 0, most = Number.MAX_VALUE }: { readonly least?: number; readonly most?: number } = {},
): number {
  const measure = typeof value === 'bigint' ? Number(value) : value
  if (typeof measure !== 'number' || !(measure >= least && measure <= most)) throw malformed(value)
  return measure
}

/** Reads a height, a slot or a count. @throws 502 when it is no integer from 0 that a double holds exactly */
export function countOf(value: unknown): bigint {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw malformed(value)
  return BigInt(value)
}
