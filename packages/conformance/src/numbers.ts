import type { Call, Value } from '@svc/verify'

/** Integers that a transaction holds, by where they stand. */
export type Numbers = ReadonlyMap<string, bigint>

const WORD = 64

/** Collects every integer in calls: those of arguments and values, decimal texts, and the words of call data within call data. */
export function numbersIn(calls: readonly Call[]): Numbers {
  const numbers = new Map<string, bigint>()
  const walk = (value: Value, path: string): void => {
    if (typeof value === 'bigint') numbers.set(path, value)
    else if (typeof value === 'string') for (const [index, number] of inText(value).entries()) numbers.set(`${path}#${index}`, number)
    else if (typeof value !== 'boolean') for (const [index, item] of value.entries()) walk(item, `${path}[${index}]`)
  }
  for (const [index, { args, value }] of calls.entries()) {
    for (const [name, each] of Object.entries(args)) walk(each, `calls[${index}].args.${name}`)
    walk(value, `calls[${index}].value`)
  }
  return numbers
}

function inText(text: string): bigint[] {
  if (/^\d+$/.test(text)) return [BigInt(text)]
  const digits = /^0x([0-9a-f]*)$/i.exec(text)?.[1]
  if (digits === undefined) return []
  // A selector of four bytes may stand before the words.
  const words = digits.slice(digits.length % WORD === 8 ? 8 : 0)
  return words.length % WORD === 0 ? (words.match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`)) : []
}
