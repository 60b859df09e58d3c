import { SandboxError } from './error.ts'
import { membersOf } from './members.ts'

/** Step by which a chain is moved: by epochs of its protocol, or by seconds of its clock. */
export type Step = { readonly epochs: number } | { readonly seconds: number }

/** Most epochs of one step. At 4 hours and 10 minutes each this is half a year. */
export const maxEpochs = 1000
/** Most seconds of one step: a year of 365 days. */
export const maxSeconds = 31_536_000
/** Most blocks of one `mine`. */
const maxBlocks = 10_000

/** Reads a step in time from an outside value. @throws SandboxError `INVALID_INPUT` unless it has exactly one of `epochs` and `seconds`, a positive integer within bounds */
export function parseStep(value: unknown): Step {
  const { epochs, seconds } = membersOf(value)
  if ((epochs === undefined) === (seconds === undefined)) {
    throw new SandboxError('INVALID_INPUT', 'say how far: either { "epochs": 1 } or { "seconds": 60 }')
  }
  if (epochs !== undefined) return { epochs: parseCount('epochs', epochs, maxEpochs) }
  return { seconds: parseCount('seconds', seconds, maxSeconds) }
}

/** Reads a count from an outside value. @throws SandboxError `INVALID_INPUT` unless it is an integer from 1 to `max` */
export function parseCount(name: string, value: unknown, max: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return value
  throw new SandboxError('INVALID_INPUT', `${name} is ${show(value)}: it must be an integer from 1 to ${max}`)
}

/**
 * Reads a flag from an outside value.
 *
 * @param means what true and false do, for the message
 * @throws SandboxError `INVALID_INPUT` unless it is true or false
 */
export function parseFlag(name: string, value: unknown, means: string): boolean {
  if (typeof value === 'boolean') return value
  throw new SandboxError('INVALID_INPUT', `${name} is ${show(value)}: ${means}`)
}

/** Reads the number of blocks to make from an outside value. @throws SandboxError `INVALID_INPUT` unless it is an integer from 1 to `maxBlocks` */
export function parseBlocks(blocks: unknown): number {
  return parseCount('blocks', blocks, maxBlocks)
}

/** Formats a value for a message: JSON, cut where it would be long. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/**
 * Checks a chain id that is a name, and returns it.
 *
 * @param example for the message
 * @throws SandboxError `INVALID_INPUT` unless it is letters, digits, hyphens and underscores, 50 at most
 */
export function parseChainName(chainId: string, example: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,49}$/.test(chainId)) return chainId
  throw new SandboxError(
    'INVALID_INPUT',
    `chainId is ${show(chainId)}: it must be letters, digits and hyphens or underscores, such as "${example}"`,
  )
}
