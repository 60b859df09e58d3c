import { membersOf } from '@svc/sandbox'
import type { Commitment } from '../commitment.ts'
import { isAddress } from '../litesvm.ts'
import { invalidParams, type RpcError } from './error.ts'

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
    throw wrongType(value, 'a string')
  }

  /** @throws RpcError -32602 */
  texts(at: number, most: number): string[] {
    const value = this.#required(at)
    if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
      throw wrongType(value, 'a sequence')
    }
    if (value.length > most) throw invalidParams(`Too many inputs provided; max ${most}`)
    return value
  }

  /** @throws RpcError -32602 */
  count(at: number): number {
    const value = this.#required(at)
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
    throw wrongType(value, 'usize')
  }

  /** A configuration object; empty when absent. */
  config(at: number): Config {
    const value = this.#values[at]
    if (value === undefined || value === null) return {}
    if (typeof value === 'object' && !Array.isArray(value)) return membersOf(value)
    throw wrongType(value, 'a configuration object')
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

/** Reads the commitment of a configuration. An absent or unknown one stands for the newest block here, where a node takes it for `finalized`. */
export function commitmentOf({ commitment }: Config): Commitment {
  return commitment === 'confirmed' || commitment === 'finalized' ? commitment : 'processed'
}

/** Makes the refusal of a text that is none of the known ones. */
export function unknownVariant(value: unknown, variants: readonly unknown[]): RpcError {
  return invalidParams(
    `Invalid params: unknown variant \`${String(value)}\`, expected one of ${variants.map((each) => `\`${each}\``).join(', ')}.`,
  )
}

/** Reads an address from the parameters of a call. @throws RpcError -32602 */
export function addressOf(text: unknown): string {
  if (isAddress(text)) return text
  throw invalidParams(`Invalid param: ${typeof text === 'string' && /[^1-9A-HJ-NP-Za-km-z]/.test(text) ? 'Invalid' : 'WrongSize'}`)
}

function wrongType(value: unknown, typeName: string): RpcError {
  return invalidParams(`Invalid params: invalid type: ${kindOf(value)}, expected ${typeName}.`)
}

/** Names a value as Rust's serde does. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'sequence'
  if (typeof value === 'string') return `string ${JSON.stringify(value)}`
  if (typeof value === 'number') return `${Number.isInteger(value) ? 'integer' : 'floating point'} \`${value}\``
  return typeof value === 'object' ? 'map' : `${typeof value} \`${String(value)}\``
}
