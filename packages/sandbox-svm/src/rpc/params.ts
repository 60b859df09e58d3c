import { membersOf } from '@svc/sandbox'
import type { Commitment } from '../commitment.ts'
import { isAddress } from '../litesvm.ts'
import { invalidParams } from './error.ts'

export type Config = Readonly<Record<string, unknown>>

/** Parameters of a call, by position. */
export class Params {
  readonly #values: readonly unknown[]

  constructor(values: readonly unknown[]) {
    this.#values = values
  }

  /** @throws RpcError -32602 */
  address(at: number): string {
    return addressOf(this.text(at))
  }

  /** @throws RpcError -32602 */
  addresses(at: number, most: number): string[] {
    return this.texts(at, most).map(addressOf)
  }

  /** @throws RpcError -32602 */
  text(at: number): string {
    const value = this.#required(at)
    if (typeof value === 'string') return value
    throw invalidParams(`invalid type: ${kindOf(value)}, expected a string`)
  }

  /** @throws RpcError -32602 */
  texts(at: number, most: number): string[] {
    const value = this.#required(at)
    if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
      throw invalidParams(`invalid type: ${kindOf(value)}, expected a sequence of strings`)
    }
    if (value.length > most) throw invalidParams(`Too many inputs provided; max ${most}`)
    return value
  }

  /** @throws RpcError -32602 */
  count(at: number): number {
    const value = this.#required(at)
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
    throw invalidParams(`invalid type: ${kindOf(value)}, expected usize`)
  }

  /** A configuration object; empty when absent. */
  config(at: number): Config {
    const value = this.#values[at]
    if (value === undefined || value === null) return {}
    if (typeof value === 'object' && !Array.isArray(value)) return membersOf(value)
    throw invalidParams(`invalid type: ${kindOf(value)}, expected a configuration object`)
  }

  has(at: number): boolean {
    return this.#values[at] !== undefined && this.#values[at] !== null
  }

  #required(at: number): unknown {
    const value = this.#values[at]
    if (value === undefined || value === null) throw invalidParams(`\`params\` should have at least ${at + 1} argument(s)`)
    return value
  }
}

/**
 * The commitment of a configuration. One that is absent is the newest block here, where a node takes it for `finalized`.
 *
 * @throws RpcError -32602
 */
export function commitmentOf({ commitment }: Config): Commitment {
  if (commitment === undefined || commitment === null) return 'processed'
  if (commitment === 'processed' || commitment === 'confirmed' || commitment === 'finalized') return commitment
  throw invalidParams(
    `Invalid params: unknown variant \`${String(commitment)}\`, expected one of \`processed\`, \`confirmed\`, \`finalized\`.`,
  )
}

/** @throws RpcError -32602 */
export function addressOf(text: unknown): string {
  if (isAddress(text)) return text
  throw invalidParams(`Invalid param: ${typeof text === 'string' && /[^1-9A-HJ-NP-Za-km-z]/.test(text) ? 'Invalid' : 'WrongSize'}`)
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'sequence'
  return typeof value === 'object' ? 'map' : `${typeof value} \`${String(value)}\``
}
