import { formatUnits, Interface, type Result } from 'ethers'
import type { Descriptor, Field } from './descriptor.ts'

/** A transaction as a wallet has it before it is signed. */
export interface Container {
  readonly to: string
  readonly value: bigint
  readonly data: string
}

/** What a wallet shows. */
export interface Rendered {
  readonly intent: string
  /** Null where the descriptor has none. */
  readonly sentence: string | null
  readonly fields: readonly { readonly label: string; readonly value: string }[]
}

/**
 * What a wallet shows of a transaction by a descriptor: as the standard says it, with what the files here use.
 *
 * @param symbol of the native token, which a wallet knows by itself
 * @returns null where no format is of the call
 */
export function render(descriptor: Descriptor, container: Container, symbol: string): Rendered | null {
  for (const [key, format] of Object.entries(descriptor.display.formats)) {
    const methods = new Interface([`function ${key}`])
    const method = methods.getFunction(container.data.slice(0, 10))
    if (!method) continue
    const args = methods.decodeFunctionData(method, container.data)
    const read = (path: string): readonly unknown[] => valuesAt(args, container, path)
    const show = (field: Field) => read(field.path).map((value) => shown(descriptor, container, symbol, field, value))
    const fields = format.fields
      .filter(
        ({ path, visible }) =>
          typeof visible === 'string' || !read(path).every((value) => visible.ifNotIn.map(BigInt).includes(BigInt(String(value)))),
      )
      .flatMap((field) => show(field).map((value) => ({ label: field.label, value })))
    const sentence = format.interpolatedIntent?.replace(/\{([^}]+)\}/g, (_, path: string) => {
      const field = format.fields.find((each) => each.path === path)
      if (field?.visible !== 'always') throw new Error(`${path} is no field that is always shown`)
      return show(field).join(', ')
    })
    return { intent: format.intent, sentence: sentence ?? null, fields }
  }
  return null
}

function valuesAt(args: Result, container: Container, path: string): readonly unknown[] {
  if (path === '@.value') return [container.value]
  if (path === '@.to') return [container.to]
  return path
    .split('.')
    .reduce<readonly unknown[]>(
      (values, step) => values.flatMap((value) => (step === '[]' ? [...(value as Result)] : [(value as Result).getValue(step)])),
      [args],
    )
}

function shown(descriptor: Descriptor, { to }: Container, symbol: string, { format, params = {} }: Field, value: unknown): string {
  if (format === 'amount') return `${trimmed(BigInt(String(value)), 18)} ${symbol}`
  if (format === 'unit') return `${trimmed(BigInt(String(value)), Number(params.decimals))} ${params.base}`
  if (format === 'addressName') return String(value).toLowerCase()
  if (format === 'raw') return String(value)
  const inner = render(descriptor, { to, value: 0n, data: String(value) }, symbol)
  return inner?.sentence ?? `unknown ${value}`
}

function trimmed(value: bigint, decimals: number): string {
  return formatUnits(value, decimals).replace(/\.0$/, '')
}
