import { isJsonObject, type JsonObject } from '../json.ts'

/** An entity of the subgraph, of which nothing is believed yet. */
export type Entity = JsonObject

/** The end of the year 9999: beyond it a time has no ISO text of the usual form. Seconds since 1970. */
const MAX_TIMESTAMP = 253_402_300_799n
/** Most percent a year, either way, that are believed to be a rate. */
export const MAX_PERCENT = 1000
/** Decimal digits of 2^256. */
const UINT256_DIGITS = 78

/**
 * Reads a list of entities.
 *
 * @param most as many as were asked for
 * @throws TypeError when it is none, or longer
 */
export function entitiesOf(value: unknown, most: number): readonly Entity[] {
  if (!Array.isArray(value) || value.length > most) throw new TypeError('a list of another form')
  return value.map(entityOf)
}

/** Reads one entity. @throws TypeError when it is none */
export function entityOf(value: unknown): Entity {
  if (!isJsonObject(value)) throw new TypeError('an entity of another form')
  return value
}

/** Reads an integer, which the subgraph gives as text. @throws TypeError when it is none, or longer than a uint256 */
export function integerOf(value: unknown): bigint {
  if (typeof value !== 'string' || !/^-?\d+$/.test(value) || value.length > UINT256_DIGITS)
    throw new TypeError('an integer of another form')
  return BigInt(value)
}

/** Reads a uint256 from text. @throws TypeError when it is none */
export function uint256Of(value: unknown): bigint {
  const integer = integerOf(value)
  if (BigInt.asUintN(256, integer) !== integer) throw new TypeError('a number out of range')
  return integer
}

/** Reads seconds since 1970 from text, up to the year 9999. @throws TypeError when it is none */
export function secondsOf(value: unknown): number {
  const seconds = integerOf(value)
  if (seconds < 0n || seconds > MAX_TIMESTAMP) throw new TypeError('a time out of range')
  return Number(seconds)
}

/**
 * Reads a decimal text as a double.
 *
 * @param most of its size, either way
 * @throws TypeError when it is none, or beyond
 */
export function decimalOf(value: unknown, most: number): number {
  if (typeof value !== 'string' || !/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value)) throw new TypeError('a number of another form')
  const number = Number(value)
  if (!(Math.abs(number) <= most)) throw new TypeError('a number out of range')
  return number
}
