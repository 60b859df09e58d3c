import { type Call, DecodeError } from '@svc/verify'

/** A method of a contract as an intent lays it out: its arguments are a JSON object, with these members in this order and nothing else. */
export interface NearMethod {
  readonly name: string
  /** `u128`: decimal digits in quotes. */
  readonly args: Readonly<Record<string, 'u128'>>
}

/** Arguments that were read. */
type Args = Readonly<Record<string, bigint>>

const MOST_U128 = (1n << 128n) - 1n
const WORD = /^[a-z][a-z0-9_]*$/

/** Writes the method of a call: `unstake(u128 amount)`. */
export function methodText({ name, args }: NearMethod): string {
  const params = Object.entries(args).map(([each, type]) => `${type} ${each}`)
  return `${name}(${params.join(', ')})`
}

/** Promises a call. @param args by the names of the layout @param value yocto that go along */
export function call(target: string, method: NearMethod, args: Args, value = 0n): Call {
  return { target, method: methodText(method), args, value }
}

/**
 * Reads arguments by a layout, byte for byte: JSON that says the same in other bytes is not taken, since another reader may make something else of it.
 *
 * @returns null where the bytes are not these arguments
 */
export function readArgs({ args }: NearMethod, bytes: Uint8Array): Args | null {
  const names = Object.keys(args)
  const form = new RegExp(`^\\{${names.map((name) => `"${name}":"(0|[1-9][0-9]{0,38})"`).join(',')}\\}$`)
  const match = form.exec(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  if (match === null) return null
  const values = names.map((name, index) => [name, BigInt(match[index + 1] ?? '0')] as const)
  return values.every(([, value]) => value <= MOST_U128) ? Object.fromEntries(values) : null
}

/**
 * Takes layouts from outside, which may be of any shape.
 *
 * @throws DecodeError for what is no layout, and for two of one name
 */
export function methodsOf(layouts: unknown): ReadonlyMap<string, NearMethod> {
  const methods = new Map<string, NearMethod>()
  if (layouts === undefined) return methods
  if (!Array.isArray(layouts)) throw new DecodeError('layouts must be a list')
  for (const each of layouts as unknown[]) {
    const { name, args } = Object(each) as { readonly name?: unknown; readonly args?: unknown }
    const entries = typeof args === 'object' && args !== null ? Object.entries(args) : null
    const fits = typeof name === 'string' && WORD.test(name) && entries?.every(([word, type]) => WORD.test(word) && type === 'u128')
    if (!fits || methods.has(name)) throw new DecodeError('a layout must have a name of its own, and arguments that are u128')
    methods.set(name, each as NearMethod)
  }
  return methods
}
